// Hooks text
// What is said of a change to the client's settings.
//
//   Owns:          the words.
//   Does not own:  the change (wiring).

import type { HooksChange } from "./wiring.ts";

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
