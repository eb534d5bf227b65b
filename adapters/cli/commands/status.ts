// status
// Tells whether the hooks are in, as they should be, and whether an engine runs; and what to do where not.
//
//   Owns:          what is said of it.
//   Does not own:  looking (wiring, running.ts).

import type { Command } from "commander";
import { defined } from "../../../machines/defined.ts";
import { dataOption, endedText } from "../background/behind.ts";
import { Claim } from "../background/claim.ts";
import { type Context, plainCommand } from "../command.ts";
import { againText, hooksStatusFor, type ScopeStatus, wrongScopes } from "../hooks-text.ts";
import { runningOn } from "../running.ts";
import type { Folder, HooksStatus } from "../wiring.ts";

interface Options {
  readonly data?: string;
  readonly json?: boolean;
}

export function status({ terminal, wiring, exitWith, env }: Context): Command {
  return plainCommand("status", "tell whether the hooks are in, and an engine runs", "status")
    .option("--data <dir>", "the engine's data folder")
    .option("--json", "print JSON")
    .action(async ({ data, json = false }: Options) => {
      const folder = wiring.folder(data);
      const [found, engine, holder] = await Promise.all([
        hooksStatusFor(wiring.hooks(data), wiring.findClient()),
        runningOn(folder),
        new Claim(folder.upNote, wiring.markOf).holder(),
      ]);
      const pid = holder?.isAlive === true ? holder.pid : undefined;
      const ended = engine === undefined && holder?.isAlive === false ? holder.pid : undefined;
      const isIn = found.scopes.some(({ installed }) => installed > 0);
      const faults = [...found.scopes.flatMap((each) => each.faults), ...found.programs];
      if (!isIn || engine === undefined || faults.length > 0) exitWith(1);
      if (json) return terminal.json({ ...found, ...defined({ engine, pid, endedWithoutClosing: ended }) });
      const running = runningText(folder, engine, pid, ended);
      const shell = env["SIGNALBOX_WORKSPACE"] ?? "";
      for (const line of linesOf(found, running, folder, shell)) terminal.out(line);
    });
}

/** @param ended the process that kept an engine running, and left its note behind. */
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
    : `An engine is starting in the background (process ${pid}), or stands still: see ${log}.`;
}

function linesOf(found: HooksStatus, running: string, folder: Folder, shell: string) {
  const { scopes, programs, spooled } = found;
  const data = dataOption(folder);
  return [
    ...scopes.flatMap((scope) => scopeLines(scope, shell)),
    ...programs,
    ...(scopes.some(({ installed }) => installed > 0)
      ? wrongScopes(found).map((scope) => `To put them right: ${againText(scope, data)}`)
      : [`No hooks are installed. Put them in: npx signalbox install${data}`]),
    running,
    ...(spooled === 0 ? [] : [`${spooled} hooks wait in ${folder.dir} for an engine.`]),
  ];
}

/** @param shell what SIGNALBOX_WORKSPACE says here: it counts for what is typed (`rules add`), and not for the hooks. */
function scopeLines({ path, installed, gate, workspace, faults }: ScopeStatus, shell: string) {
  const within = workspace === undefined ? "" : `, under the workspace ${workspace}`;
  const own = workspace ?? "that of each session's folder";
  return [
    ...(installed === 0 ? [] : [`${path}: ${installed} hooks; ${GATES[gate ?? "none"]}${within}`]),
    ...(installed === 0 || shell === "" || shell === workspace
      ? []
      : [`${path}: this shell's SIGNALBOX_WORKSPACE is ${shell}, but the hooks ask under ${own}`]),
    ...faults.map((fault) => `${path}: ${fault}`),
  ];
}

const GATES = {
  permission: "what Claude Code asks about waits for an answer here",
  all: "every call waits for an answer here",
  none: "nothing waits for an answer here",
} as const;
