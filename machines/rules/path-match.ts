// Path match
// Decides whether the pattern of a rule matches the path of a file.
//
//   Owns:          reading and comparing patterns of paths, such as `/repo/src/**` or the prefix `/repo/src`.
//   Does not own:  which field of an input is a path (subject). Symbolic links in a path are not followed.
//
// PATH-MATCH-1. A rule to allow matches only an absolute path without `..`, `\` and control characters; `//` and `/./` count
//     as `/`. `*` matches any characters of one name. `**` as a whole name matches any number of names.
// PATH-MATCH-2. For a rule to deny or to ask, `.` and `..` in the path are resolved first, and letter case is ignored.
// PATH-MATCH-3. Some paths have no certain place: those with `..` or `~`, and relative ones if the folder is unknown. A rule to
//     allow never matches a path without a certain place. A rule to deny or to ask either matches the path or is unsure.

import { type Fit, fits } from "./command-pattern.ts";
import { remembered } from "./remembered.ts";

const PATH_MAX = 4_096;

export interface PathPattern {
  readonly names: readonly string[];
  readonly isOpen: boolean;
}

/** Reads a text as a pattern of paths. @returns undefined for any other text. */
export function pathGlob(text: string): PathPattern | undefined {
  const names = namesOf(text.startsWith("**/") ? `/${text}` : text);
  return names && { names, isOpen: false };
}

export function pathPrefix(text: string): PathPattern | undefined {
  const names = text.includes("*") ? undefined : namesOf(text);
  return names && { names, isOpen: true };
}

export function allowsPath(pattern: PathPattern, path: string): boolean {
  const names = namesOf(path);
  return names !== undefined && matches(pattern, names);
}

/** PATH-MATCH-2: whether a rule to deny or to ask matches. @param cwd the folder of a relative path, if known. */
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

/** The names of an absolute path; undefined for a path that no rule to allow matches (PATH-MATCH-1). */
const namesOf = remembered((path): readonly string[] | undefined => {
  if (path.length > PATH_MAX || !path.startsWith("/") || /[\u0000-\u001f\u007f\\]/.test(path))
    return undefined;
  const names = path.split("/").filter((name) => name !== "" && name !== ".");
  return names.some(isUp) ? undefined : names;
});

/** True for `..`, and for a name that a file system reads as `..` because it ignores spaces and invisible characters. */
const isUp = (name: string): boolean => name.normalize("NFKC").replace(/[\s\p{Cf}]/gu, "") === "..";

/** The names of a path, from the root, after each `.` and `..` is applied. Links are not followed. */
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

/** Compares a pattern with a path name by name. `reached[n]`: the names compared so far match the path's first n names. */
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
