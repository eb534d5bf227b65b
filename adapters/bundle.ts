// Bundle
// Puts the command line into one file: finding two hundred modules takes Node longer than most commands.
//
//   Owns:          what goes into `dist/adapters/main.js`.
//   Does not own:  the program itself, and the engine: that is loaded where one is started, from files of its own.

import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Loaded by `import()` where a command needs them. */
const LATER = /^\.\/(launch|compacting)\.ts$/;
/** These have many small files. */
const INSIDE: ReadonlySet<string> = new Set(["zod", "uuid"]);

await build({
  entryPoints: [here("./main.ts")],
  outfile: here("../dist/adapters/main.js"),
  allowOverwrite: true,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  legalComments: "inline",
  sourcemap: false,
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
