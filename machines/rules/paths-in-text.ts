// Paths in text
// Finds the words in a text that may be paths, and decides whether one of these paths leads into a given folder.
//
//   Owns:          finding words that may be paths in any text; comparing the names in such a path with those of a folder.
//   Does not own:  which folders matter (guarded). Symbolic links in a path are not followed.
//
// PATHS-IN-TEXT-1. If the beginning of a path is unknown, because the path is relative or follows `~` or a variable, the path may
//     begin in any folder. So it counts as leading into a given folder if it begins with the last names of that folder's path.
// PATHS-IN-TEXT-2. `*`, `?`, `[…]`, `{…}` and a variable in a name of a path match any characters.

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

/** Matches a variable, or the beginning of a longer shell expression; that expression ends with the character in `ENDS`. */
const VARIABLE = /\$\{|\$\(|`|\$[\w@*#?!-]+/g;
const ENDS: Readonly<Record<string, string>> = { "${": "}", "$(": ")", "`": "`" };
const BETWEEN = /[\s;&|()<>{}"'`=,:@]+/;

/** The places that paths in the given texts name. A text above the greatest length of a command is read as one path. */
export const placesIn = (texts: readonly string[]): Place[] => {
  const words = new Set<string>();
  for (const text of texts) for (const word of wordsIn(text)) words.add(word);
  words.delete("");
  return [...words].map(placeOf);
};

const PLAIN = /^[\w ./-]*$/;

/**
 * The words of a text. The result is remembered, because each call is searched twice: for folders above the engine's folders,
 * and for paths into the engine's folders.
 */
const wordsIn = remembered((text: string): readonly string[] => {
  if (text.length > COMMAND_MAX) return [text];
  if (PLAIN.test(text)) return [text, ...text.split(" ")];
  const known = withoutVariables(text);
  const unquoted = known.replace(/\\\n|['"\\]/g, "");
  const spelled = new Set([known, unquoted, known.replaceAll("\\", "/"), decoded(unquoted)]);
  if (text.includes("{")) spelled.add(unquoted.replace(/\S+/g, withoutBraces));
  const loose = (looseParts(known) ?? []).flat();
  return [text, ...loose, ...[...spelled, ...loose].flatMap((each) => each.split(BETWEEN))];
});

/** The text with `*` in place of each variable. For any text, the time taken is proportional to the text's length. */
function withoutVariables(text: string): string {
  let [done, known] = [0, ""];
  const last = Object.fromEntries(Object.values(ENDS).map((end) => [end, text.lastIndexOf(end)]));
  for (const { 0: sign, index } of text.matchAll(VARIABLE)) {
    const [from, end] = [index + sign.length, ENDS[sign]];
    if (index < done || (end !== undefined && (last[end] ?? -1) < from)) continue;
    known += `${text.slice(done, index)}*`;
    done = end === undefined ? from : text.indexOf(end, from) + 1;
  }
  return known + text.slice(done);
}

/** The word with one `*` in place of its alternatives, from the first `{` to the last `}`. */
function withoutBraces(word: string): string {
  const [from, to] = [word.indexOf("{"), word.lastIndexOf("}")];
  return from >= 0 && from < to ? `${word.slice(0, from)}*${word.slice(to + 1)}` : word;
}

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
  // If `here` is neither above the folder nor in it, a relative path must contain `..` to lead from `here` into the folder.
  const mayMeet = here !== undefined && (whole !== names || here.every((name, n) => isOn(folder, name, n)));
  return (
    (mayMeet && begins(beneath(here, names), folder)) ||
    (whole.length > 0 && folder.some((_, n) => begins(whole, folder, isLike, n)))
  );
}

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

/** PATHS-IN-TEXT-2: true if a name with wildcards may stand for the real name. */
const isLike = (name: string, real: string): boolean =>
  name === real || (MAY_STAND.test(name) && fits(piecesOf(name), real));
const MAY_STAND = /[*?[]/;
const piecesOf = remembered((name: string): readonly string[] => name.split(/\*+|\?|\[[^\]]*\]/));
const isLikeReal = (real: string, name: string): boolean => isLike(name, real);

/** True if `names` begins with the names that `start` has from the index `from` on. */
function begins(names: Names, start: Names, is = isLike, from = 0): boolean {
  if (names.length < start.length - from) return false;
  for (let n = from; n < start.length; n += 1) if (!is(names[n - from] ?? "", start[n] ?? "")) return false;
  return true;
}
