// Version
// The package's version.
//
//   Owns:          finding its manifest.
//   Does not own:  choosing the version (package.json has it).

import { readFileSync } from "node:fs";

/** In the form of semantic versioning. */
export const version = versionOf(
  new URL("../package.json", import.meta.url),
  new URL("../../package.json", import.meta.url),
);

/** From above the sources, or from above the built files. */
function versionOf(...places: readonly URL[]): string {
  for (const place of places) {
    try {
      const { version: found }: { version?: unknown } = JSON.parse(readFileSync(place, "utf8")) as object;
      if (typeof found === "string") return found;
    } catch {
      continue; // Not in this place.
    }
  }
  return "0.0.0";
}
