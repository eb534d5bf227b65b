// Paths in text
// Finds the words in a text that may be paths, and decides whether such a path leads into a given folder.
//
//   Owns:          finding such words in any text, comparing them with a folder by their names.
//   Does not own:  which folders matter (guarded). Links are not followed.
//
// PATHS-IN-TEXT-1. A path whose beginning is unknown may begin anywhere: a relative path, or one after `~` or a variable. It
//     leads into a folder if it begins with the last names of the folder's own path.
// PATHS-IN-TEXT-2. `*`, `?`, `[…]`, `{…}` and a variable in a name match any characters.

import { fits } from "./command-pattern.ts";
import { plainName } from "./later-files.ts";
import { resolved } from "./path-match.ts";
import { remembered } from "./remembered.ts";
import { COMMAND_MAX, looseParts } from "./shell-words.ts";

export interface Place {
  /** The names of the path as `plainName` writes them; each `..` is still there. */
  readonly names: readonly string[];
  /** Where the path begins. `home`: in the home folder of any user. */
  readonly from: "root" | "home" | "anywhere";
  /** The names after each `.` and `..` is applied. */
  readonly whole: readonly string[];
}

const VARIABLE = /\$\{[^}]*\}|\$\([^)]*\)|\$[\w@*#?!-]+|`[^`]*`/g;
const BETWEEN = /[\s;&|()<>{}"'`=,:@]+/;

/** The places that the paths in some texts name. A text that is longer than a command may be is not read. */
export const placesIn = (texts: readonly string[]): Place[] => {
  const words = new Set<string>();
  for (const text of texts) for (const word of wordsIn(text)) words.add(word);
  words.delete("");
  return [...words].map(placeOf);
};

const PLAIN = /^[\w ./-]*$/;

/** Remembered, because each call is searched twice: for folders above the engine's folders, and for paths into them. */
const wordsIn = remembered((text: string): readonly string[] => {
  if (text.length > COMMAND_MAX) return [];
  if (PLAIN.test(text)) return [text, ...text.split(" ")];
  const known = text.replace(VARIABLE, "*");
  const unquoted = known.replace(/\\\n|['"\\]/g, "");
  const spelled = new Set([known, unquoted, known.replaceAll("\\", "/"), decoded(unquoted)]);
  if (text.includes("{")) spelled.add(unquoted.replace(/\{\S*\}/g, "*"));
  const loose = (looseParts(known) ?? []).flat();
  return [text, ...loose, ...[...spelled, ...loose].flatMap((each) => each.split(BETWEEN))];
});

export const decoded = (text: string): string =>
  text.replace(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(parseInt(code.slice(1), 16)));

const placeOf = remembered((word: string): Place => {
  // An option of one letter may have its path attached, as in `-I/usr/include`.
  const path = word.replace(/^-\w(?=[./~])/, "");
  const names = path.split("/").filter((name) => name !== "" && name !== ".");
  const plain = names.map((name) => (name === ".." ? name : plainName(name)));
  if (path.startsWith("/")) return placeAt(plain, "root");
  const known = plain.findIndex((name) => !/^(?:~.*|[*?]+)$/.test(name));
  return placeAt(known < 0 ? [] : plain.slice(known), path.startsWith("~") ? "home" : "anywhere");
});

export const placeAt = (names: readonly string[], from: Place["from"]): Place => ({
  names,
  from,
  whole: resolvedNames(names),
});

type Names = readonly string[];

/** PATHS-IN-TEXT-1: true if the path leads into the folder. @param here the folder where a relative path begins, if known. */
export function leadsInto({ names, whole, from }: Place, folder: Names, here: Names | undefined): boolean {
  if (from === "root") return begins(whole, folder);
  // If `here` is outside the other folder, only `..` can lead from `here` into that folder.
  const mayMeet = here !== undefined && (whole !== names || here.every((name, n) => isOn(folder, name, n)));
  return (
    (mayMeet && begins(beneath(here, names), folder)) ||
    (whole.length > 0 && folder.some((_, n) => begins(whole, folder, isLike, n)))
  );
}

/** True if the path is the folder itself, or a folder above it. */
export function leadsAbove({ names, whole, from }: Place, folder: Names, here: Names | undefined): boolean {
  if (from === "root") return begins(folder, whole, isLikeReal);
  if (from === "home") return folder.some((_, n) => begins(folder.slice(n), whole, isLikeReal));
  if (names.length === 0) return false;
  if (here) return begins(folder, beneath(here, names), isLikeReal);
  return names.every((name) => name === "..");
}

const isOn = (folder: Names, name: string, n: number): boolean =>
  n >= folder.length || isLike(name, folder[n] ?? "");

const beneath = (here: Names, names: Names): Names => resolvedNames([...here, ...names]);

const UNRESOLVED: ReadonlySet<string> = new Set(["..", ".", ""]);

function resolvedNames(names: Names): Names {
  const isPlain = names.every((name) => !UNRESOLVED.has(name) && !name.includes("/"));
  return isPlain ? names : resolved(names.join("/"));
}

/** PATHS-IN-TEXT-2: true if a name with such signs may be the real name. */
const isLike = (name: string, real: string): boolean =>
  name === real || (MAY_STAND.test(name) && fits(piecesOf(name), real));
const MAY_STAND = /[*?[]/;
const piecesOf = remembered((name: string): readonly string[] => name.split(/\*+|\?|\[[^\]]*\]/));
const isLikeReal = (real: string, name: string): boolean => isLike(name, real);

/** True if the names begin like the names of `start` from the index `from` on. */
function begins(names: Names, start: Names, is = isLike, from = 0): boolean {
  if (names.length < start.length - from) return false;
  for (let n = from; n < start.length; n += 1) if (!is(names[n - from] ?? "", start[n] ?? "")) return false;
  return true;
}
