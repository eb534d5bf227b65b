// Panel
// The panel: a page for watching the machines, built as files that an HTTP server serves.
//
//   Owns:          the page (page/), its bundle (bundle.ts).
//   Does not own:  serving the files (http), the data, which the page gets only through the engine's public HTTP interface.
//   Decided in:    docs/decisions/0036-the-panel-is-a-client.md.

import { existsSync, readdirSync, readFileSync } from "node:fs";

export interface PanelFile {
  readonly path: string;
  readonly type: string;
  readonly body: Uint8Array<ArrayBuffer>;
  /** True if the file's name changes with its content: a browser may then keep the file. */
  readonly isFixed?: true;
}

/** The kinds of files that the page is made of, by the end of their names. */
const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  webmanifest: "application/manifest+json",
  svg: "image/svg+xml",
};

/** A name that ends with a hash of the file's content: eight hex digits (bundle.ts), or eight base-32 digits (esbuild). */
const HASHED = /-(?:[0-9a-f]{8}|[A-Z2-7]{8})\.(?:js|css)$/;

/** Where the built page is, relative to this file: as it is built, as a source, and as the benchmark compiles it. */
const PLACES = ["./app/", "../../dist/adapters/panel/app/", "../../../dist/adapters/panel/app/"].map(
  (place) => new URL(place, import.meta.url),
);

/** @returns the page's files. @throws Error when the page was not built. */
export function panelPage(): readonly PanelFile[] {
  const place = PLACES.find(hasPage);
  if (!place) throw new Error("The panel's page is missing. Run `npm run build`.");
  return readdirSync(place).flatMap((name) => {
    const type = TYPES[name.slice(name.lastIndexOf(".") + 1)];
    if (type === undefined) return [];
    const path = name === "index.html" ? "/" : `/app/${name}`;
    const body = new Uint8Array(readFileSync(new URL(name, place)));
    return [{ path, type, body, ...(HASHED.test(name) && { isFixed: true as const }) }];
  });
}

const hasPage = (place: URL): boolean => existsSync(new URL("index.html", place));
