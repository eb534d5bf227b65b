// Hooks text
// The text about a client's hooks, and about a change of the client's settings.
//
//   Owns:          the words; for which version of the client the hooks are checked.
//   Does not own:  changing the settings, finding the client (wiring).
//
// HOOKS-TEXT-1. The text about a change names the hooks by their events, in a few lines. It lists each added and removed line
//     of the file only with `--verbose`, and names that option.
// HOOKS-TEXT-2. Hooks are checked for the installed client, or for the version that the user named. The advised command
//     installs exactly the hooks that were checked.
// HOOKS-TEXT-3. When `up` prints how to connect Claude Code, it also prints how to connect the other agents.

import type { Installed } from "../../runtime/install-form.ts";
import type { FoundClient, Hooks, HooksChange, HooksStatus } from "./hooks-form.ts";

/** @param isVerbose also lists each added and removed line. @returns the lines to print. */
export function changeText(
  { called, agent }: Installed,
  change: HooksChange,
  dryRun: boolean,
  isVerbose: boolean,
): readonly string[] {
  const { path, changes, copy, others, areHooksOff } = change;
  return [
    ...(changes.length === 0 ? [`${path} needs no change.`] : whatChanged(change, dryRun)),
    ...(isVerbose ? changes : []),
    ...(copy === undefined ? [] : [`As it was before: ${copy}`]),
    ...others.map(
      (data) =>
        `It also has the hooks of ${data}. To take those out: npx signalbox uninstall${named(agent)} --data '${data}'`,
    ),
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

/** The scopes whose hooks differ from a new install. */
export const wrongScopes = ({ scopes, programs }: HooksStatus): readonly ScopeStatus[] =>
  scopes.filter(({ installed, faults }) => installed > 0 && faults.length + programs.length > 0);

/** The option that names an agent; the usual agent needs no option. */
const named = (agent: string): string => (agent === USUAL ? "" : ` --agent ${agent}`);
export const USUAL = "claude-code";

/** The command that installs the same hooks again, with the usual time-out. @param data the option for the folder, or "". */
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

/** The status of the hooks, for a client that was found on the PATH (HOOKS-TEXT-2). */
export const hooksStatusFor = async (hooks: Hooks, client: Promise<FoundClient>): Promise<HooksStatus> =>
  hooks.status(versionOf(await client));

export const versionOf = (found: FoundClient): string | undefined =>
  typeof found === "object" && "version" in found ? found.version : undefined;

/** Why the hooks are made for the newest version when the user named no version. */
export function unknownClientText(found: FoundClient): string {
  let why = "No `claude` is on the PATH";
  if (typeof found === "object" && "unasked" in found)
    why = `${found.unasked} may be a project's, so it was not asked for its version`;
  if (typeof found === "object" && "silent" in found) why = `\`${found.silent} --version\` told no version`;
  return `${why}: these hooks are for its newest version. For another: --client-version`;
}

/** The lines about hooks at a start: hooks of an earlier version let no call run. @param data the option for the folder. */
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

/** The lines that say how to connect the other agents (HOOKS-TEXT-3). */
export const otherDoors = (data: string): readonly string[] => [
  `Other agents, at a terminal: npx signalbox install --agent codex${data} (or copilot, opencode)`,
  `  where an editor or a client starts one: npx signalbox acp${data} -- COMMAND, or npx signalbox codex${data}`,
];
