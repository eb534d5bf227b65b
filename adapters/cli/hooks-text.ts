// Hooks text
// What is said of the client's hooks, and of a change to its settings.
//
//   Owns:          the words.
//   Does not own:  the change (wiring).

import type { Hooks, HooksChange, HooksStatus } from "./wiring.ts";

/** @returns the lines to print. */
export function changeText({ path, changes, copy, others, areHooksOff }: HooksChange, dryRun: boolean) {
  const done = dryRun ? `${path} would change:` : `${path} was changed:`;
  return [
    ...(changes.length === 0 ? [`${path} needs no change.`] : [done, ...changes]),
    ...(copy === undefined ? [] : [`As it was before: ${copy}`]),
    ...others.map(
      (data) =>
        `It also has the hooks of ${data}. To take those out: npx signalbox uninstall --data '${data}'`,
    ),
    ...(areHooksOff ? ["disableAllHooks is set there: Claude Code runs none of its hooks."] : []),
  ];
}

/** The command that puts in the same hooks anew. */
export const againText = ({
  scope,
  gate = "permission",
  closed = "ask",
  workspace,
}: HooksStatus["scopes"][number]): string =>
  [
    "npx signalbox install",
    ...(scope === "user" ? [] : [`--scope ${scope}`]),
    ...(gate === "permission" ? [] : [`--gate ${gate}`]),
    ...(closed === "ask" ? [] : [`--closed ${closed}`]),
    ...(workspace === undefined ? [] : [`--workspace ${workspace}`]),
  ].join(" ");

/** What a start says of the hooks: those of an earlier version let nothing run. @param data the option for the folder. */
export async function connectLines(hooks: Hooks, data: string): Promise<readonly string[]> {
  const { scopes, programs } = await hooks.status();
  const own = scopes.filter(({ installed }) => installed > 0);
  if (own.length === 0) return ["Connect Claude Code, once:", `  npx signalbox install${data}`];
  const wrong = own.filter(({ faults }) => faults.length + programs.length > 0);
  if (wrong.length === 0) return ["Claude Code is connected."];
  return [
    "Claude Code's hooks are not as this version puts them in: they may let nothing run. Put them in again:",
    ...wrong.map((scope) => `  ${againText(scope)}${data}`),
  ];
}
