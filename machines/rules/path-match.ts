// Path match
// Decides whether a rule's pattern matches a file's path.
//
//   Owns:          patterns of paths: `/repo/src/**`, the prefix `/repo/src`.
//   Does not own:  which field of an input is a path (subject). Nothing here follows links.
//
// PATH-MATCH-1. To allow, a path must be absolute, without `..`, `\` or control characters; `//` and `/./` count as `/`.
//     `*` matches any characters of one name; `**` as a whole name matches any number of names.
// PATH-MATCH-2. To deny or to ask, a path is resolved first, and compared without regard to case.
// PATH-MATCH-3. A path whose place is not certain (`..`, `~`, relative without a known folder) never matches to allow. To
//     deny or to ask, the match of such a path is unsure if the path does not match.

import { type Fit, fits } from "./command-pattern.ts";
import { remembered } from "./remembered.ts";

const PATH_MAX = 4_096;

export interface PathPattern {
  readonly names: readonly string[];
  readonly isOpen: boolean;
}

/** @returns undefined for a text that is no pattern of paths. */
export function pathGlob(text: string): PathPattern | undefined {
  const names = namesOf(text.startsWith("**/") ? `/${text}` : text);
  return names && { names, isOpen: false };
}

/** A pattern for a folder and everything in it. */
export function pathPrefix(text: string): PathPattern | undefined {
  const names = text.includes("*") ? undefined : namesOf(text);
  return names && { names, isOpen: true };
}

/** PATH-MATCH-1 */
export function allowsPath(pattern: PathPattern, path: string): boolean {
  const names = namesOf(path);
  return names !== undefined && matches(pattern, names);
}

/** PATH-MATCH-2. @param cwd the folder of a relative path, if known. */
export function concernsPath(pattern: PathPattern, path: string, cwd: string | undefined): Fit {
  if (path.length > PATH_MAX) return "unsure";
  const given = path.replaceAll("\\", "/");
  const isRelative = !given.startsWith("/");
  const whole = isRelative ? `${cwd ?? ""}/${given}` : given;
  const folded: PathPattern = { ...pattern, names: pattern.names.map(fold) };
  if (matches(folded, resolved(whole).map(fold))) return "yes";
  const isSure =
    (!isRelative || cwd !== undefined) && !given.startsWith("~") && !/(?:^|\/)\.\.(?:\/|$)/.test(given);
  return isSure ? "no" : "unsure";
}

const fold = (name: string): string => name.normalize("NFC").toLowerCase();

/** The names of an absolute path; undefined for a path that PATH-MATCH-1 excludes. */
const namesOf = remembered((path): readonly string[] | undefined => {
  if (path.length > PATH_MAX || !path.startsWith("/") || /[\u0000-\u001f\u007f\\]/.test(path))
    return undefined;
  const names = path.split("/").filter((name) => name !== "" && name !== ".");
  return names.some(isUp) ? undefined : names;
});

/** True for `..`, also in the spelling of file systems that ignore spaces and invisible characters. */
const isUp = (name: string): boolean => name.normalize("NFKC").replace(/[\s\p{Cf}]/gu, "") === "..";

/** The names of a path, from the root, after each `.` and `..` is applied; links are not followed. */
export function resolved(path: string): readonly string[] {
  const names: string[] = [];
  for (const name of path.split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  return names;
}

const isName = (wanted: string, name: string): boolean =>
  wanted.includes("*") ? fits(wanted.split("*"), name) : wanted === name;

/** Keeps one row for each name of the pattern: which beginnings of the path match the pattern so far. */
function matches({ names, isOpen }: PathPattern, path: readonly string[]): boolean {
  if (!names.includes("**")) {
    if (isOpen ? path.length < names.length : path.length !== names.length) return false;
    return names.every((name, n) => isName(name, path[n] ?? ""));
  }
  let reached: readonly boolean[] = path.map(() => false);
  reached = [true, ...reached];
  for (const name of names) {
    const next = reached.map(() => false);
    let any = false;
    for (let at = 0; at <= path.length; at += 1) {
      if (name === "**") next[at] = any ||= reached[at] === true;
      else if (at > 0) next[at] = reached[at - 1] === true && isName(name, path[at - 1] ?? "");
    }
    reached = next;
  }
  return isOpen ? reached.includes(true) : reached.at(-1) === true;
}
