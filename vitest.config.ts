import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { ALONE, SHARED } from "./test/alone.ts";
import { LONG } from "./test/long.ts";
import { newSeed } from "./test/support/properties/new-seed.ts";

/** Every run tries new values, unless the environment says which. */
if (process.env.PROPERTY_SEED === undefined) {
  process.env.PROPERTY_SEED = String(newSeed());
  process.stderr.write(
    `Properties start from seed ${process.env.PROPERTY_SEED}: PROPERTY_SEED repeats this run's values.\n`,
  );
}

const SEED = join(import.meta.dirname, "./test/support/properties/seed.ts");

/** A property tried ten times as often has ten times as long; so has what is played before it. */
const TIMEOUT_MS = 60_000 * Number(process.env.PROPERTY_RUNS ?? 1);

/** A long test can take half a minute on an idle machine, and several times as long beside another one. */
const LONG_TIMEOUT_MS = 3 * TIMEOUT_MS;

/** These fetch the real client, and are run by `npm run test:client` alone. */
const CLIENT = "test/client/*.test.ts";

/** `npm test` runs `short`, `core` and `alone`, `npm run test:long` runs `long`; a file that is named is found in any of them. */
export default defineConfig({
  test: {
    testTimeout: TIMEOUT_MS,
    hookTimeout: TIMEOUT_MS,
    // What is polled for is told by other processes, and a machine may be busy.
    expect: { poll: { timeout: 15_000 } },
    pool: "forks",
    // Many tests wait for processes of their own: one worker fewer than cores, the default, leaves a core idle.
    maxWorkers: "100%",
    setupFiles: [SEED],
    projects: [
      {
        extends: true,
        test: {
          name: "short",
          include: ["test/**/*.test.ts"],
          exclude: [...LONG, ...SHARED, CLIENT],
        },
      },
      {
        extends: true,
        test: { name: "core", include: [...SHARED], exclude: [...LONG, ...ALONE], isolate: false },
      },
      { extends: true, test: { name: "alone", include: [...ALONE] } },
      {
        extends: true,
        test: {
          name: "long",
          include: [...LONG],
          testTimeout: LONG_TIMEOUT_MS,
          hookTimeout: LONG_TIMEOUT_MS,
        },
      },
      { extends: true, test: { name: "client", include: [CLIENT] } },
    ],
  },
});
