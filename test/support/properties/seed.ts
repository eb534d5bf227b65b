// Property seed
// Where the environment names a seed, every property is tried from it, whichever way it is written.
//
//   Owns:          fast-check's settings for tests that use it themselves (`test.prop`, `fc.assert`).
//   Does not own:  properties by `holds` (property), which read the same environment.
//
// How often is left as it is: @fast-check/vitest repeats its plain tests, too, as often as it is told for all.

import fc from "fast-check";
import { logTried } from "./log.ts";

const counting: fc.Plugin<unknown> = () => ({
  onAllRunsComplete: ({ numRuns, runConfiguration }) => {
    // Its plain tests are properties of one value.
    if (runConfiguration.numRuns !== 1) logTried(numRuns);
  },
});

// Heeded for all, though its type names it for one property only.
const settings: fc.GlobalParameters & { readonly plugins: fc.Plugin<unknown>[] } = {
  seed: Number(process.env.PROPERTY_SEED),
  plugins: [counting],
};
fc.configureGlobal(settings);
