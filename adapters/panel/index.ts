// Panel
// The page for watching the machines, as files for an HTTP server.
//
//   Owns:          the page (page/), its bundle (bundle.ts).
//   Does not own:  serving it (http), the data: it knows the engine only by its public HTTP contract.
//   Decided in:    docs/decisions/0036-the-panel-is-a-client.md.

import { readFileSync } from "node:fs";

export interface PanelFile {
  readonly path: string;
  readonly type: string;
  readonly body: Uint8Array<ArrayBuffer>;
}

const FILES = [
  { path: "/", name: "index.html", type: "text/html; charset=utf-8" },
  { path: "/app/app.css", name: "app.css", type: "text/css; charset=utf-8" },
  { path: "/app/app.js", name: "app.js", type: "text/javascript; charset=utf-8" },
  { path: "/app/dagre.js", name: "dagre.js", type: "text/javascript; charset=utf-8" },
  { path: "/app/app.webmanifest", name: "app.webmanifest", type: "application/manifest+json" },
  { path: "/app/worker.js", name: "worker.js", type: "text/javascript; charset=utf-8" },
  { path: "/app/icon.svg", name: "icon.svg", type: "image/svg+xml" },
] as const;

/** From beside the built file; from the sources, and from what the benchmark compiles, what was built last. */
const PLACES = ["./app/", "../../dist/adapters/panel/app/", "../../../dist/adapters/panel/app/"].map(
  (place) => new URL(place, import.meta.url),
);

/** @returns the page's files. @throws Error when the page was not built. */
export function panelPage(): readonly PanelFile[] {
  return FILES.map(({ path, name, type }) => ({ path, type, body: read(name) }));
}

function read(name: string): Uint8Array<ArrayBuffer> {
  for (const place of PLACES) {
    try {
      return new Uint8Array(readFileSync(new URL(name, place)));
    } catch {
      continue; // Not in this place.
    }
  }
  throw new Error(`The panel's ${name} is missing. Run \`npm run build\`.`);
}
