// Floors
// Which room of the runtime may import which.
//
//   Owns:          the order of the rooms.
//   Does not own:  layers (imports.ts).

import type { Rule } from "./imports.ts";

/** The lowest first. The empty name is for the files directly in `runtime/`, which share their floor with two rooms. */
const FLOORS: readonly (readonly string[])[] = [
  ["text"],
  ["risks"],
  ["line"],
  ["", "errors", "journal", "cluster"],
  ["tlog"],
  ["audit"],
  ["presence"],
  ["rows"],
  ["contracts"],
  ["turn"],
  ["outbound"],
  ["agreement"],
  ["engine"],
  ["verify"],
  ["reading"],
  ["peers"],
  ["traces"],
  ["policy"],
  ["door"],
  ["gate"],
  ["sample"],
];

const floorOf = (room: string): number => FLOORS.findIndex((rooms) => rooms.includes(room));

/** A room within a room is on its floor. The empty name for a file directly in `runtime/`. */
function roomOf(path: string): string | undefined {
  const [, room] = /^runtime\/(?:([^/]+)\/)?/.exec(path) ?? [];
  return path.startsWith("runtime/") ? (room ?? "") : undefined;
}

/** A room imports from itself and from lower floors. */
export const floors: Rule = ({ modules }) =>
  modules.flatMap(({ path, imports }) => {
    const room = roomOf(path);
    if (room === undefined) return [];
    const floor = floorOf(room);
    if (floor < 0) return [`${path} is in a room without a floor: name it in FLOORS`];
    return imports.flatMap(({ specifier, target, line }) => {
      const other = target === undefined ? undefined : roomOf(target);
      if (other === undefined || floorOf(other) <= floor) return [];
      return [
        `${path}:${line} imports ${specifier}: ${other || "runtime"} is no floor below ${room || "runtime"}`,
      ];
    });
  });
