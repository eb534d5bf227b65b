// Property seed
// Every property starts from the seed of the run, however it is written.
//
//   Owns:          fast-check's settings for tests that use it themselves (`test.prop`, `fc.assert`).
//   Does not own:  properties by `holds` (property), which read the same environment.
//
// The number of runs is not set here: @fast-check/vitest would repeat its plain tests that often, too.

import fc from "fast-check";
import { logTried } from "./log.ts";

const counting: fc.Plugin<unknown> = () => ({
  onAllRunsComplete: ({ numRuns, runConfiguration }) => {
    // Its plain tests are properties of one value.
    if (runConfiguration.numRuns !== 1) logTried(numRuns);
  },
});

// It applies to all properties, although its type says to one.
const settings: fc.GlobalParameters & { readonly plugins: fc.Plugin<unknown>[] } = {
  seed: Number(process.env.PROPERTY_SEED),
  plugins: [counting],
};
fc.configureGlobal(settings);
