// Panel
// The page for watching the machines, as files for an HTTP server.
//
//   Owns:          the page (page/), its bundle (bundle.ts).
//   Does not own:  serving it (http), the data: it knows the engine only by its public HTTP contract.
//   Decided in:    docs/decisions/0036-the-panel-is-a-client.md.

import { existsSync, readdirSync, readFileSync } from "node:fs";

export interface PanelFile {
  readonly path: string;
  readonly type: string;
  readonly body: Uint8Array<ArrayBuffer>;
  /** True if the file's name changes with its content: a browser may then keep the file. */
  readonly isFixed?: true;
}

const SCRIPT = "text/javascript; charset=utf-8";
const STYLE = "text/css; charset=utf-8";
const TYPES: Readonly<Record<string, string>> = {
  "index.html": "text/html; charset=utf-8",
  "rules.css": STYLE,
  "answers.css": STYLE,
  "team.css": STYLE,
  "bulk.css": STYLE,
  "last-answer.css": STYLE,
  "machine.css": STYLE,
  "letters.css": STYLE,
  "details.css": STYLE,
  "help.css": STYLE,
  "overview.css": STYLE,
  "palette.css": STYLE,
  "app.webmanifest": "application/manifest+json",
  "worker.js": SCRIPT,
  "icon.svg": "image/svg+xml",
};

/** Where the page is, seen from the built file, from the sources, and from what the benchmark compiles, in this order. */
const PLACES = ["./app/", "../../dist/adapters/panel/app/", "../../../dist/adapters/panel/app/"].map(
  (place) => new URL(place, import.meta.url),
);

/** @returns the page's files. @throws Error when the page was not built. */
export function panelPage(): readonly PanelFile[] {
  const place = PLACES.find(hasPage);
  if (!place) throw new Error("The panel's page is missing. Run `npm run build`.");
  // The bundler names the page's script and style and the scripts that are loaded later, so they are found in the folder.
  const parts = readdirSync(place).filter((name) => /\.(js|css)$/.test(name) && !Object.hasOwn(TYPES, name));
  const fileOf = (name: string, type: string): PanelFile => ({
    path: name === "index.html" ? "/" : `/app/${name}`,
    type,
    body: new Uint8Array(readFileSync(new URL(name, place))),
  });
  return [
    ...Object.entries(TYPES).map(([name, type]) => fileOf(name, type)),
    ...parts.map((name) => ({
      ...fileOf(name, name.endsWith(".css") ? STYLE : SCRIPT),
      isFixed: true as const,
    })),
  ];
}

const hasPage = (place: URL): boolean => existsSync(new URL("index.html", place));
