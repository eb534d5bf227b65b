// Hooks text
// Describes in words the state of a client's hooks, and changes of the client's settings.
//
//   Owns:          the words about hooks; for which version of the client the hooks are checked.
//   Does not own:  changing the settings, finding the client (wiring).
//
// HOOKS-TEXT-1. The text about a change names each added or removed hook by its event. It lists the changed lines only with
//     `--verbose`, and otherwise mentions that option.
// HOOKS-TEXT-2. Hooks are checked for the client's installed version, or for the version that the user named at the
//     installation. The command that the text advises installs the hooks for exactly that version.
// HOOKS-TEXT-3. When `up` prints how to connect Claude Code, it also prints how to connect the other agents.

import type { Installed } from "../../runtime/install-form.ts";
import { pasted } from "../../runtime/text/quoted.ts";
import { oneLine } from "../../runtime/text/visible.ts";
import type { FoundClient, Hooks, HooksChange, HooksStatus } from "./hooks-form.ts";

export function changeText(
  { called, agent }: Installed,
  change: HooksChange,
  dryRun: boolean,
  isVerbose: boolean,
): readonly string[] {
  const { path, changes, copy, others, strayTelemetry, areHooksOff } = change;
  return [
    ...(changes.length === 0 ? [`${path} needs no change.`] : whatChanged(change, dryRun)),
    ...(isVerbose ? changes : []),
    ...(copy === undefined ? [] : [`As it was before: ${copy}`]),
    ...others.map(
      (data) =>
        `It also has the hooks of ${oneLine(data)}. To take those out: npx signalbox uninstall${named(agent)} --data ${pasted(data)}`,
    ),
    ...(strayTelemetry
      ? [`It also sends telemetry with a token that is not this folder's: ${strayTelemetry.join(", ")}.`]
      : []),
    ...(areHooksOff ? [`disableAllHooks is set there: ${called} runs none of its hooks.`] : []),
    ...(isVerbose || changes.length === 0 ? [] : [EACH_LINE]),
  ];
}

const EACH_LINE = "--verbose shows each added and removed line.";

function whatChanged({ path, changes, putIn, takenOut }: HooksChange, dryRun: boolean): readonly string[] {
  const lines = (mark: string): number => changes.filter((line) => line.startsWith(mark)).length;
  const counts = `${lines("+ ")} lines added, ${lines("- ")} removed`;
  return [
    `${path} ${dryRun ? "would change" : "was changed"}: ${counts}.`,
    ...(takenOut.length === 0 ? [] : [`  removed hooks: ${takenOut.join(", ")}`]),
    ...(putIn.length === 0 ? [] : [`  added hooks:   ${putIn.join(", ")}`]),
  ];
}

export type ScopeStatus = HooksStatus["scopes"][number];

export const wrongScopes = ({ scopes, programs }: HooksStatus): readonly ScopeStatus[] =>
  scopes.filter(({ installed, faults }) => installed > 0 && faults.length + programs.length > 0);

const named = (agent: string): string => (agent === USUAL ? "" : ` --agent ${agent}`);
export const USUAL = "claude-code";

/** The command that installs the same hooks again, with the usual time-out. @param data `--data DIR`, or "" for the default. */
export const againText = (
  { agent, gates: [usualGate], closed: [usualClosed] }: Installed,
  { scope, gate = usualGate, closed = usualClosed, workspace, namedClient }: ScopeStatus,
  data: string,
): string =>
  [
    `npx signalbox install${named(agent)}`,
    ...(scope === "user" ? [] : [`--scope ${scope}`]),
    ...(gate === usualGate ? [] : [`--gate ${gate}`]),
    ...(closed === usualClosed ? [] : [`--closed ${closed}`]),
    ...(workspace === undefined ? [] : [`--workspace ${workspace}`]),
    ...(namedClient === undefined ? [] : [`--client-version ${namedClient}`]),
  ].join(" ") + data;

export const hooksStatusFor = async (hooks: Hooks, client: Promise<FoundClient>): Promise<HooksStatus> =>
  hooks.status(versionOf(await client));

export const versionOf = (found: FoundClient): string | undefined =>
  typeof found === "object" && "version" in found ? found.version : undefined;

export function unknownClientText(found: FoundClient): string {
  let why = "No `claude` is on the PATH";
  if (typeof found === "object" && "unasked" in found)
    why = `${found.unasked} may be a project's, so it was not asked for its version`;
  if (typeof found === "object" && "silent" in found) why = `\`${found.silent} --version\` told no version`;
  return `${why}: these hooks are for its newest version. For another: --client-version`;
}

/**
 * The lines about hooks that `up` prints: hooks that an earlier version installed may let no call run until they are installed
 * again. @param data `--data DIR`, or "" for the default folder.
 */
export async function connectLines(
  hooks: Hooks,
  client: Promise<FoundClient>,
  data: string,
): Promise<readonly string[]> {
  const found = await hooksStatusFor(hooks, client);
  if (found.scopes.every(({ installed }) => installed === 0))
    return ["Connect Claude Code, once:", `  npx signalbox install${data}`, ...otherDoors(data)];
  const wrong = wrongScopes(found);
  if (wrong.length === 0) return ["Claude Code is connected."];
  return [
    "Claude Code's hooks are not as this version puts them in: they may let nothing run. Put them in again:",
    ...wrong.map((scope) => `  ${againText(hooks.about, scope, data)}`),
  ];
}

export const otherDoors = (data: string): readonly string[] => [
  `Other agents, at a terminal: npx signalbox install --agent codex${data} (or copilot, opencode)`,
  `  where an editor or a client starts one: npx signalbox acp${data} -- COMMAND, or npx signalbox codex${data}`,
];
