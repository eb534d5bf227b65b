// Bundle
// Puts the command line into one file: finding two hundred modules takes Node longer than most commands.
//
//   Owns:          what goes into `dist/adapters/main.js` and `dist/adapters/gate-hook.js`.
//   Does not own:  the program itself, and the engine: that is loaded where one is started, from files of its own.

import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Loaded by `import()` where a command needs them. */
const LATER = /^\.\/(launch|compacting)\.ts$/;
/** These have many small files. */
const INSIDE: ReadonlySet<string> = new Set(["zod", "uuid"]);

const COMMON = {
  allowOverwrite: true,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  legalComments: "inline",
  sourcemap: false,
} as const;

await build({
  ...COMMON,
  entryPoints: [here("./main.ts")],
  outfile: here("../dist/adapters/main.js"),
  plugins: [
    {
      name: "outside",
      setup(building) {
        building.onResolve({ filter: LATER }, ({ path }) => ({
          path: path.replace(/\.ts$/, ".js"),
          external: true,
        }));
        building.onResolve({ filter: /^[a-z@]/ }, ({ path }) =>
          INSIDE.has(path) ? undefined : { path, external: true },
        );
      },
    },
  ],
});

// The client's hook that waits is one file, which `signalbox install` copies: it needs nothing beside it.
await build({
  ...COMMON,
  entryPoints: [here("./gate-main.ts")],
  outfile: here("../dist/adapters/gate-hook.js"),
});
