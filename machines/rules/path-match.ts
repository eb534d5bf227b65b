// Path match
// Whether a rule's pattern is about a file's path.
//
//   Owns:          patterns of paths: `/repo/src/**`, the prefix `/repo/src`.
//   Does not own:  which field of an input is a path (subject), links: nothing here sees where a path really leads.
//
// PATH-MATCH-1. To allow, a path is absolute and holds no `..`, no `\` and no control character; `//` and `/./` are `/`.
//     `*` stands for any characters of one name, `**` as a name of its own for any number of names.
// PATH-MATCH-2. To deny or to ask, a path is read as it would be resolved, and compared without regard to case.
// PATH-MATCH-3. A path whose place is not sure (`..`, `~`, relative without a known folder) is no match to allow; to
//     deny or to ask, it is unsure if it does not match.

import { type Fit, fits } from "./command-pattern.ts";
import { remembered } from "./remembered.ts";

const PATH_MAX = 4_096;

/** Names, from the root on. */
export interface PathPattern {
  readonly names: readonly string[];
  readonly isOpen: boolean;
}

/** @returns undefined for a text that is no pattern of paths. */
export function pathGlob(text: string): PathPattern | undefined {
  const names = namesOf(text.startsWith("**/") ? `/${text}` : text);
  return names && { names, isOpen: false };
}

/** The same for a folder: itself, and all that lies in it. */
export function pathPrefix(text: string): PathPattern | undefined {
  const names = text.includes("*") ? undefined : namesOf(text);
  return names && { names, isOpen: true };
}

/** PATH-MATCH-1 */
export function allowsPath(pattern: PathPattern, path: string): boolean {
  const names = namesOf(path);
  return names !== undefined && matches(pattern, names);
}

/** PATH-MATCH-2. @param cwd where a relative path begins, if that is known. */
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

/** The names of an absolute path; undefined for one that PATH-MATCH-1 refuses. */
const namesOf = remembered((path): readonly string[] | undefined => {
  if (path.length > PATH_MAX || !path.startsWith("/") || /[\u0000-\u001f\u007f\\]/.test(path))
    return undefined;
  const names = path.split("/").filter((name) => name !== "" && name !== ".");
  return names.some(isUp) ? undefined : names;
});

/** `..`, also as file systems have it that pass over spaces, and over characters that do not show. */
const isUp = (name: string): boolean => name.normalize("NFKC").replace(/[\s\p{Cf}]/gu, "") === "..";

/** The names that a path comes to, from the root on, once each `.` and `..` is carried out; links are not followed. */
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

/** By one row for each name of the pattern: which beginnings of the path it can account for. */
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
