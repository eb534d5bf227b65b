// Floors
// Which room of the runtime may import which.
//
//   Owns:          the order of the rooms.
//   Does not own:  layers (imports.ts).

import type { Rule } from "./imports.ts";

/** The lowest first; the empty name is for the files directly in `runtime/`. */
const FLOORS: readonly string[] = [
  "text",
  "risks",
  "line",
  "",
  "rows",
  "turn",
  "outbound",
  "engine",
  "verify",
  "reading",
  "door",
  "gate",
  "sample",
];

/** The empty name for a file directly in `runtime/`. */
const roomOf = (path: string): string | undefined =>
  path.startsWith("runtime/") ? path.split("/").slice(1, -1).join("/") : undefined;

/** A room imports from itself and from lower floors. */
export const floors: Rule = ({ modules }) =>
  modules.flatMap(({ path, imports }) => {
    const room = roomOf(path);
    if (room === undefined) return [];
    const floor = FLOORS.indexOf(room);
    if (floor < 0) return [`${path} is in a room without a floor: name it in FLOORS`];
    return imports.flatMap(({ specifier, target, line }) => {
      const other = target === undefined ? undefined : roomOf(target);
      if (other === undefined || other === room || FLOORS.indexOf(other) < floor) return [];
      return [
        `${path}:${line} imports ${specifier}: ${other || "runtime"} is no floor below ${room || "runtime"}`,
      ];
    });
  });
