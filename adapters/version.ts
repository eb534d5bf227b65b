// Version
// The package's version.
//
//   Owns:          finding the manifest with the version.
//   Does not own:  choosing the version (package.json has it).

import { readFileSync } from "node:fs";

export const version = versionOf(
  new URL("../package.json", import.meta.url),
  new URL("../../package.json", import.meta.url),
);

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
