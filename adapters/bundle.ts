// Bundle
// Bundles the command line into one file: Node takes longer to find its two hundred modules than to run most commands.
//
//   Owns:          the content of `dist/adapters/main.js` and `dist/adapters/gate-hook.cjs`.
//   Does not own:  what the command line does; the engine, whose own files are loaded when an engine starts.

import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Modules that are loaded by `import()` when a command needs them. */
const LATER = /^\.\/composition\/(launch|compacting|verifying)\.ts$/;
/** Packages of many small files, which the bundle includes. */
const INSIDE: ReadonlySet<string> = new Set(["zod", "uuid", "diff"]);

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

// The client's hook that waits is one file without dependencies, which `signalbox install` copies. Node starts a CommonJS file 9
// ms sooner than a module.
await build({
  ...COMMON,
  format: "cjs",
  entryPoints: [here("./gate-main.ts")],
  outfile: here("../dist/adapters/gate-hook.cjs"),
});
