// Bundle
// Builds the files of the panel's page, which the engine serves: a script, a style sheet, and parts that are loaded later.
//
//   Owns:          which files are in `dist/adapters/panel/app`.
//   Does not own:  what the page shows (page/).

import { createHash } from "node:crypto";
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type BuildOptions, type Plugin } from "esbuild";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const out = here("../../dist/adapters/panel/app");

const BEHIND = "behind";
/**
 * Makes each part that is loaded later, except the views, import the whole first script, which the browser has by then. Otherwise
 * esbuild would split the first script into pieces, one of them for what such a part shares with it, and each piece costs bytes.
 */
const behindTheFirst: Plugin = {
  name: BEHIND,
  setup(built) {
    built.onResolve({ filter: /^\./ }, async ({ path, kind, importer, resolveDir }) => {
      if (kind !== "dynamic-import" || importer === here("./page/shell.tsx")) return undefined;
      const { path: found } = await built.resolve(path, { kind: "import-statement", importer, resolveDir });
      return { path: found, namespace: BEHIND };
    });
    built.onLoad({ filter: /./, namespace: BEHIND }, ({ path }) => ({
      contents: [`import "${here("./page/main.tsx")}";`, `export * from "${path}";`].join("\n"),
      resolveDir: here("./page"),
    }));
  },
};

await mkdir(out, { recursive: true });
const common = {
  outdir: out,
  bundle: true,
  minify: true,
  target: ["chrome120", "firefox121", "safari17"],
  legalComments: "inline",
  sourcemap: false,
} satisfies BuildOptions;
const { metafile } = await build({
  ...common,
  metafile: true,
  entryPoints: [
    { in: here("./page/main.tsx"), out: "app" },
    { in: here("./page/app.css"), out: "app" },
    // The page loads each of the following style sheets when a view first needs it (page/look/style).
    { in: here("./page/rules/rules.css"), out: "rules" },
    { in: here("./page/answers/answers.css"), out: "answers" },
    { in: here("./page/inbox/team/team.css"), out: "team" },
    { in: here("./page/inbox/bulk/bulk.css"), out: "bulk" },
    { in: here("./page/inbox/reply/last-answer.css"), out: "last-answer" },
    { in: here("./page/machine/machine.css"), out: "machine" },
    { in: here("./page/letters/letters.css"), out: "letters" },
    { in: here("./page/session/details.css"), out: "details" },
    { in: here("./page/parts/help.css"), out: "help" },
    { in: here("./page/overview/overview.css"), out: "overview" },
    { in: here("./page/search/palette.css"), out: "palette" },
  ],
  format: "esm",
  // The code is split: the page loads a part that its first view does not need when somebody opens that part (parts/later,
  // machine/dagre).
  splitting: true,
  plugins: [behindTheFirst],
  chunkNames: "[name]-[hash]",
  jsx: "automatic",
  jsxImportSource: "preact",
});
// The worker is built as a plain script: not every browser can run a module as a worker.
await build({
  ...common,
  entryPoints: [{ in: here("./page/notify/worker.ts"), out: "worker" }],
  format: "iife",
});
// The HTML file names all imports of the first script, so that the browser fetches them at once, not one after the other.
const [, first] = Object.entries(metafile.outputs).find(([path]) => basename(path) === "app.js") ?? [];
const imported = (first?.imports ?? []).filter(({ kind }) => kind === "import-statement");
const links = imported.map(({ path }) => `<link rel="modulepreload" href="/app/${basename(path)}" />`);
const page = await readFile(here("./page/index.html"), "utf8");
/** Names a file after its content, so that a browser may keep it. @returns the new name. */
async function named(name: string): Promise<string> {
  const hash = createHash("sha256")
    .update(await readFile(`${out}/${name}`))
    .digest("hex");
  const now = name.replace(".", `-${hash.slice(0, 8)}.`);
  await rename(`${out}/${name}`, `${out}/${now}`);
  return now;
}
const [script, style] = [await named("app.js"), await named("app.css")];
await writeFile(
  `${out}/index.html`,
  page
    .replace("app.js", script)
    .replace("app.css", style)
    .replace("  </head>", () => `    ${links.join("\n    ")}\n  </head>`),
);
for (const name of ["icon.svg", "app.webmanifest"]) await copyFile(here(`./page/${name}`), `${out}/${name}`);
const made = new Set([
  "worker.js",
  script,
  style,
  ...Object.keys(metafile.outputs).map((path) => basename(path)),
]);
// The HTTP server serves every script and style in this folder, so those of an earlier build are removed.
for (const name of await readdir(out))
  if (/\.(js|css)$/.test(name) && !made.has(name)) await rm(`${out}/${name}`, { force: true });
