// Version
// The package's version.
//
//   Owns:          finding its manifest.
//   Does not own:  choosing the version (package.json has it).

import { readFileSync } from "node:fs";

/** The version of this package, in the form of semantic versioning. */
export const version = versionOf(
  new URL("../package.json", import.meta.url),
  new URL("../../package.json", import.meta.url),
);

/** Reads the version from the package.json above the sources, or above the built files. */
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
