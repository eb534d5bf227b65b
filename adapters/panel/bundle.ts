// Bundle
// Builds the panel's page: one script and what it loads later, one style, nothing from other addresses.
//
//   Owns:          what goes into `dist/adapters/panel/app`.
//   Does not own:  the page itself (page/).

import { copyFile, mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build, type BuildOptions } from "esbuild";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const out = here("../../dist/adapters/panel/app");

await mkdir(out, { recursive: true });
const common = {
  outdir: out,
  bundle: true,
  minify: true,
  target: ["chrome120", "firefox121", "safari17"],
  legalComments: "inline",
  sourcemap: false,
} satisfies BuildOptions;
await build({
  ...common,
  entryPoints: [
    { in: here("./page/main.tsx"), out: "app" },
    { in: here("./page/app.css"), out: "app" },
  ],
  format: "esm",
  // What few look at is loaded when they do (machine/dagre).
  splitting: true,
  chunkNames: "[name]",
  jsx: "automatic",
  jsxImportSource: "preact",
});
// Not every browser has workers that are modules.
await build({
  ...common,
  entryPoints: [{ in: here("./page/notify/worker.ts"), out: "worker" }],
  format: "iife",
});
for (const name of ["index.html", "icon.svg", "app.webmanifest"])
  await copyFile(here(`./page/${name}`), `${out}/${name}`);
