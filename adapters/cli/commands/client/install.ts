// install
// Installs Signalbox's hooks in an agent's settings, and changes nothing else there.
//
//   Owns:          the output of `install`; copying the workspace in SIGNALBOX_WORKSPACE, if set, into the hooks' commands.
//   Does not own:  changing the agent's settings (wiring).
//
// CLIENT-INSTALL-1. `install` writes all that the hooks need into the hooks' commands, including values of the user's variables,
//     and the client's version if the user names one. The hooks read no variables, because a project can set them.
// CLIENT-INSTALL-2. All output of `install`, also with `--json` and `--dry-run`, says which calls of the client the gate cannot
//     hold, or may not hold.
// CLIENT-INSTALL-3. `install` refuses an option that the named agent does not support, and writes nothing then.

import { resolve } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import {
  type Context,
  folderCommand,
  type OfFolder,
  wholeNumber,
  workspaceId,
  workspaceOfShell,
} from "../../command.ts";
import { misused } from "../../failures/failure.ts";
import { changeText, unknownClientText, USUAL, versionOf } from "../../hooks-text.ts";
import type { GateChoice, Installed, Scope } from "../../../../runtime/install-form.ts";
import { pasted } from "../../../../runtime/text/quoted.ts";
import type { FoundClient, GateWanted, Hooks } from "../../hooks-form.ts";

interface Options extends OfFolder {
  readonly agent: string;
  readonly scope: Scope;
  readonly gate?: GateChoice;
  readonly timeout: number;
  readonly closed?: "ask" | "deny";
  readonly workspace?: string;
  readonly clientVersion?: string;
  readonly telemetry?: boolean;
  readonly dryRun?: boolean;
  readonly verbose?: boolean;
  readonly plugin?: string;
}

export const scopeOption = (): Option =>
  new Option("--scope <scope>", "whose settings: yours, this project's, or yours for this project")
    .choices(["user", "project", "local"])
    .default("user");

export const agentOption = (agents: Context["wiring"]["agents"]): Option =>
  new Option("--agent <agent>", "whose settings").choices(agents.map(({ agent }) => agent)).default(USUAL);

const TIMEOUT_S = 3_600;

export function install(context: Context): Command {
  return folderCommand("install", "put the hooks into an agent's settings", "install --gate permission")
    .addOption(agentOption(context.wiring.agents))
    .addOption(scopeOption())
    .addOption(
      new Option(
        "--gate <which>",
        "which calls wait for an answer here: those that the agent asks about (Claude Code only, and its default), all, or none",
      ).choices(["permission", "all", "none"]),
    )
    .option("--timeout <seconds>", "how long such a call waits at most", wholeNumber(10, 86_400), TIMEOUT_S)
    .addOption(
      new Option(
        "--closed <what>",
        "what happens to such a call without an answer: the agent asks as without Signalbox (not Codex and OpenCode; headless, the agent denies the call), or the call is denied",
      ).choices(["ask", "deny"]),
    )
    .option(
      "--workspace <id>",
      "the workspace whose rules answer (default: SIGNALBOX_WORKSPACE as it is now, else that of each session's folder)",
      workspaceId,
    )
    .option(
      "--telemetry",
      "also have Claude Code report its decisions and results: Signalbox then knows of an answer at its terminal at once",
    )
    .option(
      "--client-version <version>",
      "Claude Code's version (default: what `claude --version` says)",
      clientVersion,
    )
    .option(
      "--plugin <dir>",
      "write the hooks into this folder as a plugin, and leave the settings as they are",
    )
    .option("--dry-run", "say what would change, and change nothing")
    .option("--verbose", "also show each line that is added to the settings or removed")
    .action(async (options: Options) => {
      if (options.plugin !== undefined && options.telemetry === true)
        throw misused(
          "A plugin cannot set up telemetry.",
          "Leave out --telemetry, or install into the settings.",
        );
      await installed(context, options);
    });
}

/** What to print about what was installed, or would be: `told` with `--json`; else `lines`, then `after`, the advice. */
interface Done {
  readonly told: object;
  readonly lines: readonly string[];
  readonly after: readonly string[];
}

async function installed(context: Context, options: Options): Promise<void> {
  const { terminal, wiring } = context;
  const { agent, plugin, dryRun = false, data, json = false } = options;
  const hooks = wiring.hooks(data, agent);
  const { gate, found } = await gateOf(context, hooks.about, options);
  const { told, lines, after } =
    plugin === undefined
      ? await intoSettings(hooks, gate, options)
      : await intoPlugin(hooks, gate, resolve(plugin), dryRun);
  const limits = limitsOf(hooks, gate, found);
  if (json) {
    terminal.json({ ...told, ...gate, ...limits, dryRun });
    return;
  }
  const all = [
    ...[...lines, ...workspaceText(gate, options)],
    ...(dryRun ? [] : [gateText(hooks, gate)]),
    ...(limits.unknownClient === undefined ? limits.limits : [limits.unknownClient]),
    ...(dryRun ? [] : after),
  ];
  for (const line of all) terminal.out(line);
}

async function intoSettings(hooks: Hooks, gate: GateWanted, options: Options): Promise<Done> {
  const { scope, telemetry = false, dryRun = false, verbose = false } = options;
  const change = await hooks.install(scope, { ...gate, hasTelemetry: telemetry }, dryRun);
  return {
    told: change,
    lines: changeText(hooks.about, change, dryRun, verbose),
    after: [...(scope === "project" ? [SHARED] : []), ...(telemetry ? [TELLS] : []), AGAIN],
  };
}

async function intoPlugin(hooks: Hooks, gate: GateWanted, path: string, dryRun: boolean): Promise<Done> {
  const changed = await hooks.plugin(path, gate, dryRun);
  return { told: { plugin: path, changed }, lines: pluginText(path, changed, dryRun), after: [] };
}

interface Gate {
  readonly gate: GateWanted;
  /** The client that was found on the PATH; undefined if the user named the version. */
  readonly found?: FoundClient;
}

/** CLIENT-INSTALL-1, CLIENT-INSTALL-3. @throws Failure if SIGNALBOX_WORKSPACE is no workspace, or the agent lacks an option. */
async function gateOf(
  { env, wiring }: Context,
  { called, agent, gates, closed: closedBy }: Installed,
  { timeout: timeoutS, clientVersion: named, ...given }: Options,
): Promise<Gate> {
  const { gate: choice = gates[0], closed = closedBy[0] } = given;
  if (!gates.includes(choice))
    throw misused(`${called} has no gate "${choice}".`, `Name one of its gates: ${gates.join(", ")}.`);
  if (!closedBy.includes(closed))
    throw misused(
      `${called} makes the call anyway if a hook says "${closed}".`,
      `Use --closed ${closedBy.join(" or ")}.`,
    );
  const beside = [given.plugin && "--plugin", given.telemetry && "--telemetry", named && "--client-version"];
  const only = beside.find((each) => each);
  if (agent !== USUAL && only) throw misused(`${only} is for Claude Code alone.`, "Leave it out.");
  const workspace = given.workspace ?? workspaceOfShell(env);
  const terms = { choice, timeoutS, closed, ...(workspace !== undefined && { workspace }) };
  if (named !== undefined) return { gate: { ...terms, client: named, namedClient: named } };
  if (agent !== USUAL) return { gate: terms };
  const found = await wiring.findClient();
  return { gate: { ...terms, client: versionOf(found) }, found };
}

function limitsOf(
  hooks: Hooks,
  gate: GateWanted,
  found: FoundClient | undefined,
): { readonly limits: readonly string[]; readonly unknownClient?: string } {
  const isUnknown = found !== undefined && gate.client === undefined;
  return { limits: hooks.limits(gate), ...(isUnknown && { unknownClient: unknownClientText(found) }) };
}

function clientVersion(text: string): string {
  if (/^\d+\.\d+\.\d+$/.test(text)) return text;
  throw new InvalidArgumentError("Write the version as three numbers, such as 2.1.330.");
}

function workspaceText({ workspace }: GateWanted, options: Options): readonly string[] {
  if (workspace === undefined) return [];
  const line = `The hooks use the workspace ${workspace}`;
  return options.workspace === undefined
    ? [`${line}, as SIGNALBOX_WORKSPACE says now; the hooks do not read that variable again.`]
    : [`${line}.`];
}

const pluginText = (path: string, changed: readonly string[], dryRun: boolean): readonly string[] => [
  ...changed.map((file) => `${dryRun ? "Would write" : "Wrote"} ${file}.`),
  ...(changed.length === 0 ? [`${path} needs no change.`] : []),
  `Start Claude Code with the plugin: claude --plugin-dir ${pasted(path)}. If the settings have the hooks too, each event is sent twice.`,
];

function gateText({ about: { called } }: Hooks, { choice }: GateWanted): string {
  switch (choice) {
    case "permission":
      return `What ${called} asks its user can now also be answered here: \`npx signalbox approvals\`.`;
    case "all":
      return "Every call now waits for an answer here: `npx signalbox approvals`.";
    case "none":
      return `Signalbox only watches ${called}: it holds none of its calls.`;
  }
}

const AGAIN =
  "Sessions that run already may have to be started again. `npx signalbox status` shows which hooks work.";

const SHARED =
  "These settings belong to the project and name programs of this machine. On another machine the programs are missing, and the agent's calls are stopped.";

const TELLS =
  "Claude Code tells the engine who decided about each call, and how it ended; it does not send what was typed or printed. Claude Code cannot prove who it is, so its settings hold a token that is valid for sending this only.";
