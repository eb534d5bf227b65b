// Paths in text
// The paths that a text may name, and whether one leads into a folder.
//
//   Owns:          finding words that may be paths in any text, comparing them with a folder by their names.
//   Does not own:  which folders matter (guarded), links: nothing here sees where a path really leads.
//
// PATHS-IN-TEXT-1. A place whose beginning is not known (relative, behind `~` or a variable) may begin anywhere: it leads into a
//     folder if it begins as the folder's path ends.
// PATHS-IN-TEXT-2. `*`, `?`, `[…]`, `{…}` and a variable within a name stand for any characters.

import { fits } from "./command-pattern.ts";
import { plainName } from "./later-files.ts";
import { resolved } from "./path-match.ts";
import { remembered } from "./remembered.ts";
import { COMMAND_MAX, looseParts } from "./shell-words.ts";

export interface Place {
  /** As `plainName` has them; `..` among them. */
  readonly names: readonly string[];
  /** `home` stands for anybody's home. */
  readonly from: "root" | "home" | "anywhere";
}

const VARIABLE = /\$\{[^}]*\}|\$\([^)]*\)|\$[\w@*#?!-]+|`[^`]*`/g;
const BETWEEN = /[\s;&|()<>{}"'`=,:@]+/;

/** The places that texts may name. What is too long to be a command is not looked at. */
export const placesIn = (texts: readonly string[]): Place[] => {
  const words = new Set<string>();
  for (const text of texts) for (const word of wordsIn(text)) words.add(word);
  words.delete("");
  return [...words].map(placeOf);
};

/** One call is looked at for what is above a folder, and for what is in it. */
const wordsIn = remembered((text: string): readonly string[] => {
  if (text.length > COMMAND_MAX) return [];
  const known = text.replace(VARIABLE, "*");
  const unquoted = known.replace(/\\\n|['"\\]/g, "");
  const spelled = new Set([known, unquoted, known.replaceAll("\\", "/"), decoded(unquoted)]);
  if (text.includes("{")) spelled.add(unquoted.replace(/\{\S*\}/g, "*"));
  const loose = (looseParts(known) ?? []).flat();
  return [text, ...loose, ...[...spelled, ...loose].flatMap((each) => each.split(BETWEEN))];
});

/** As an address is read. */
export const decoded = (text: string): string =>
  text.replace(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(parseInt(code.slice(1), 16)));

const placeOf = remembered((word: string): Place => {
  // An option of one letter may have its value attached.
  const path = word.replace(/^-\w(?=[./~])/, "");
  const names = path.split("/").filter((name) => name !== "" && name !== ".");
  const plain = names.map((name) => (name === ".." ? name : plainName(name)));
  if (path.startsWith("/")) return { names: plain, from: "root" };
  const known = plain.findIndex((name) => !/^(?:~.*|[*?]+)$/.test(name));
  const from = path.startsWith("~") ? "home" : "anywhere";
  return { names: known < 0 ? [] : plain.slice(known), from };
});

type Names = readonly string[];

/** PATHS-IN-TEXT-1 @param here the folder that a relative place may begin in. */
export function leadsInto({ names, from }: Place, folder: Names, here: Names | undefined): boolean {
  const whole = resolvedNames(names);
  if (from === "root") return begins(whole, folder);
  const isInHere = here !== undefined && begins(resolvedNames([...here, ...names]), folder);
  return isInHere || (whole.length > 0 && folder.some((_, n) => begins(whole, folder.slice(n))));
}

/** True if the place is a folder in which the folder lies, at whatever depth, or the folder itself. */
export function leadsAbove({ names, from }: Place, folder: Names, here: Names | undefined): boolean {
  const whole = resolvedNames(names);
  if (from === "root") return begins(folder, whole, isLikeReal);
  if (from === "home") return folder.some((_, n) => begins(folder.slice(n), whole, isLikeReal));
  if (names.length === 0) return false;
  if (here) return begins(folder, resolvedNames([...here, ...names]), isLikeReal);
  return names.every((name) => name === "..");
}

function resolvedNames(names: Names): Names {
  const isPlain = names.every((name) => name !== ".." && name !== "." && name !== "" && !name.includes("/"));
  return isPlain ? names : resolved(names.join("/"));
}

/** PATHS-IN-TEXT-2 */
const isLike = (name: string, real: string): boolean => fits(piecesOf(name), real);
const piecesOf = remembered((name: string): readonly string[] => name.split(/\*+|\?|\[[^\]]*\]/));
const isLikeReal = (real: string, name: string): boolean => isLike(name, real);

const begins = (names: Names, start: Names, is = isLike): boolean =>
  names.length >= start.length && start.every((name, n) => is(names[n] ?? "", name));
