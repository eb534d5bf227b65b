// Bundle
// Builds the panel's page: one script, one style, nothing from other addresses.
//
//   Owns:          what goes into `dist/adapters/panel/app`.
//   Does not own:  the page itself (page/).

import { copyFile, mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const out = here("../../dist/adapters/panel/app");

await mkdir(out, { recursive: true });
await build({
  entryPoints: [
    { in: here("./page/main.tsx"), out: "app" },
    { in: here("./page/app.css"), out: "app" },
  ],
  outdir: out,
  bundle: true,
  minify: true,
  format: "esm",
  target: ["chrome120", "firefox121", "safari17"],
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "inline",
  sourcemap: false,
});
for (const name of ["index.html", "icon.svg", "app.webmanifest"])
  await copyFile(here(`./page/${name}`), `${out}/${name}`);
