// status
// Reports whether the hooks are installed correctly and whether an engine runs, and says what to do about faults.
//
//   Owns:          the output of `status`.
//   Does not own:  checking the hooks (wiring), finding the engine (running.ts).

import type { Command } from "commander";
import { defined } from "../../../machines/defined.ts";
import { dataOption, endedText } from "../background/behind.ts";
import { Claim } from "../background/claim.ts";
import { type Context, folderCommand, type OfFolder } from "../command.ts";
import { againText, hooksStatusFor, type ScopeStatus, wrongScopes } from "../hooks-text.ts";
import { runningOn, standingOn, standingText } from "../running.ts";
import type { GateChoice, Installed } from "../../../runtime/install-form.ts";
import type { FoundClient, Hooks, HooksStatus } from "../hooks-form.ts";
import type { Folder } from "../wiring.ts";

export function status({ terminal, wiring, exitWith, env }: Context): Command {
  return folderCommand(
    "status",
    "tell whether the hooks are installed, and whether an engine runs",
    "status",
  ).action(async ({ data, json = false }: OfFolder) => {
    const folder = wiring.folder(data);
    const others = wiring.agents.slice(1).map(({ agent }) => wiring.hooks(data, agent));
    const [first, rest, engine, holder] = await Promise.all([
      statusOf(wiring.hooks(data), wiring.findClient()),
      Promise.all(others.map((hooks) => statusOf(hooks))),
      runningOn(folder),
      new Claim(folder.upNote, wiring.markOf).holder(),
    ]);
    const standing = engine === undefined ? {} : await standingOn(folder);
    const pid = holder?.isAlive === true ? holder.pid : undefined;
    const ended = engine === undefined && holder?.isAlive === false ? holder.pid : undefined;
    const all = [first, ...rest];
    const isIn = all.some(hasHooks);
    const faults = all.flatMap(({ found }) => [
      ...found.scopes.flatMap((each) => each.faults),
      ...found.programs,
    ]);
    if (!isIn || engine === undefined || faults.length > 0) exitWith(1);
    if (json) {
      const agents = rest.map(({ about, found: { scopes }, open }) => ({
        agent: about.agent,
        scopes,
        open,
      }));
      const { programs } = all.find(hasHooks)?.found ?? first.found;
      return terminal.json({
        ...{ ...first.found, programs, agents },
        ...defined({ engine, pid, endedWithoutClosing: ended }),
        ...standing,
      });
    }
    const running = runningText(folder, engine, pid, ended) + standingText(standing);
    const shell = env["SIGNALBOX_WORKSPACE"] ?? "";
    for (const line of linesOf(all, running, folder, shell)) terminal.out(line);
  });
}

function runningText(
  folder: Folder,
  engine: string | undefined,
  pid: number | undefined,
  ended: number | undefined,
): string {
  const { dir, log } = folder;
  if (ended !== undefined) return endedText(folder, ended);
  if (engine !== undefined)
    return `The engine runs at ${engine}${pid === undefined ? "" : `, in the background (process ${pid})`}.`;
  return pid === undefined
    ? `No engine runs on ${dir}. Start one: npx signalbox up -d`
    : `An engine is starting in the background (process ${pid}), or hangs: see ${log}.`;
}

interface AgentStatus {
  readonly about: Installed;
  readonly found: HooksStatus;
  readonly open: readonly string[];
}

const hasHooks = ({ found }: AgentStatus): boolean => found.scopes.some(({ installed }) => installed > 0);

/** @param client the client on the PATH; undefined for an agent whose hooks are the same for all versions. */
async function statusOf(hooks: Hooks, client?: Promise<FoundClient>): Promise<AgentStatus> {
  const { about } = hooks;
  const found = client ? await hooksStatusFor(hooks, client) : await hooks.status();
  const choice = found.scopes.find(({ installed }) => installed > 0)?.gate;
  return { about, found, open: client || choice === undefined ? [] : hooks.limits({ choice }) };
}

function linesOf(all: readonly AgentStatus[], running: string, folder: Folder, shell: string) {
  const data = dataOption(folder);
  const spooled = Math.max(...all.map(({ found }) => found.spooled));
  return [
    ...all.flatMap(({ about, found, open }) => [
      ...found.scopes.flatMap((scope) => scopeLines(about, scope, shell)),
      ...open,
    ]),
    ...(all.find(hasHooks)?.found.programs ?? []),
    ...(all.some(hasHooks)
      ? all.flatMap(({ about, found }) =>
          wrongScopes(found).map((scope) => `To put them right: ${againText(about, scope, data)}`),
        )
      : [`No hooks are installed. Put them in: npx signalbox install${data}`]),
    running,
    ...(spooled === 0 ? [] : [`${spooled} hook messages in ${folder.dir} wait for an engine.`]),
  ];
}

/** @param shell the shell's SIGNALBOX_WORKSPACE, which commands such as `rules add` use, and hooks do not. */
function scopeLines(
  { called }: Installed,
  { path, installed, gate = "none", workspace, faults }: ScopeStatus,
  shell: string,
) {
  const wrong = faults.map((fault) => `${path}: ${fault}`);
  if (installed === 0) return wrong;
  const within = workspace === undefined ? "" : `, under the workspace ${workspace}`;
  const own = workspace ?? "that of each session's folder";
  return [
    `${path}: ${installed} hooks of ${called}; ${gateText(called, gate)}${within}`,
    ...(shell === "" || shell === workspace
      ? []
      : [`${path}: this shell's SIGNALBOX_WORKSPACE is ${shell}, but the hooks use ${own}`]),
    ...wrong,
  ];
}

function gateText(called: string, gate: GateChoice): string {
  switch (gate) {
    case "permission":
      return `what ${called} asks about waits for an answer here`;
    case "all":
      return "every call waits for an answer here";
    case "none":
      return "nothing waits for an answer here";
  }
}
