// Hooks text
// The output about a client's hooks, and about a change of its settings.
//
//   Owns:          the words; for which version of the client the hooks are looked at.
//   Does not own:  the change, finding the client (wiring).
//
// HOOKS-TEXT-1. A change is told in a few lines: the hooks by their events. Each line of the file that comes or goes is
//     told where somebody asks for it, and how to ask is said.
// HOOKS-TEXT-2. Hooks are judged for the installed client, or for the version that a person named. The advice puts in
//     exactly the hooks that were judged.
// HOOKS-TEXT-3. A start that says how to connect Claude Code names the doors of the other agents, too.

import type { Installed } from "../../runtime/install-form.ts";
import type { FoundClient, Hooks, HooksChange, HooksStatus } from "./hooks-form.ts";

/** @param isVerbose tells each line that comes or goes. @returns the lines to print. */
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

const EACH_LINE = "With --verbose each line that comes or goes is shown.";

function whatChanged({ path, changes, putIn, takenOut }: HooksChange, dryRun: boolean): readonly string[] {
  const lines = (mark: string): number => changes.filter((line) => line.startsWith(mark)).length;
  const counts = `${lines("+ ")} lines come, ${lines("- ")} go`;
  return [
    `${path} ${dryRun ? "would change" : "was changed"}: ${counts}.`,
    ...(takenOut.length === 0 ? [] : [`  hooks that go:   ${takenOut.join(", ")}`]),
    ...(putIn.length === 0 ? [] : [`  hooks that come: ${putIn.join(", ")}`]),
  ];
}

export type ScopeStatus = HooksStatus["scopes"][number];

/** The scopes whose hooks are not as they would be put in. */
export const wrongScopes = ({ scopes, programs }: HooksStatus): readonly ScopeStatus[] =>
  scopes.filter(({ installed, faults }) => installed > 0 && faults.length + programs.length > 0);

/** The option that names an agent; the one that is meant without it needs none. */
const named = (agent: string): string => (agent === USUAL ? "" : ` --agent ${agent}`);
export const USUAL = "claude-code";

/** The command that puts in the same hooks anew, with the usual time-out. @param data the option for the folder, or "". */
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

/** HOOKS-TEXT-2 @param client as it is found on the PATH. */
export const hooksStatusFor = async (hooks: Hooks, client: Promise<FoundClient>): Promise<HooksStatus> =>
  hooks.status(versionOf(await client));

/** Undefined where it is not known. */
export const versionOf = (found: FoundClient): string | undefined =>
  typeof found === "object" && "version" in found ? found.version : undefined;

/** Why the hooks are for the newest version, where nobody named another. */
export function unknownClientText(found: FoundClient): string {
  let why = "No `claude` is on the PATH";
  if (typeof found === "object" && "unasked" in found)
    why = `${found.unasked} may be a project's, so it was not asked for its version`;
  if (typeof found === "object" && "silent" in found) why = `\`${found.silent} --version\` told no version`;
  return `${why}: these hooks are for its newest version. For another: --client-version`;
}

/** What a start says of the hooks: those of an earlier version let nothing run. @param data the option for the folder. */
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

/** HOOKS-TEXT-3 */
export const otherDoors = (data: string): readonly string[] => [
  `Other agents, at a terminal: npx signalbox install --agent codex${data} (or copilot, opencode)`,
  `  where an editor or a client starts one: npx signalbox acp${data} -- COMMAND, or npx signalbox codex${data}`,
];
