// Room rules
// How full a folder may be, and whether the page about the shape tells it as it is.
//
//   Owns:          what is seen by looking at folders.
//   Does not own:  what stands in a file (words.ts), imports (imports.ts).

import { dirname } from "node:path/posix";
import type { Rule } from "./imports.ts";

const FILES_MAX = 25;
/** Decisions are one long list, with an index by topic; what a client wrote is kept as it came. */
const UNBOUND = /^(docs\/decisions|test\/recordings\b.*)$/;

/** A folder with more files needs rooms. */
export const roomyFolders: Rule = ({ files }) => {
  const counts = new Map<string, number>();
  for (const path of files.keys()) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  return [...counts]
    .filter(([folder, count]) => count > FILES_MAX && !UNBOUND.test(folder))
    .map(([folder, count]) => `${folder} has ${count} files: give it rooms`);
};

const PAGE = "ARCHITECTURE.md";
const COUNT = /It has (\w+) rooms: (.+)/g;
const NUMBERS =
  "no one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );

/** Where the page counts the rooms of the runtime, it names each, and there are no others. */
export const countedRooms: Rule = ({ files }) => {
  const rooms = [
    ...new Set([...files.keys()].flatMap((path) => /^runtime\/([^/]+)\//.exec(path)?.[1] ?? [])),
  ];
  return [...(files.get(PAGE) ?? "").matchAll(COUNT)].flatMap(([, count = "", named = ""]) => [
    ...(NUMBERS.indexOf(count) === rooms.length ? [] : [`${PAGE} counts ${count} rooms of ${rooms.length}`]),
    ...rooms.filter((room) => !named.includes(`\`${room}/\``)).map((room) => `${PAGE} leaves out ${room}/`),
  ]);
};
