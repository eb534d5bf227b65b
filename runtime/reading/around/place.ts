// Place
// Finds the file that an edit would change, as the names that lead to it from the project's folder.
//
//   Owns:          which paths are below a folder by their text, which files are never shown.
//   Does not own:  links and other surprises of the disk (adapters), which folder is the project's (project-folders).
//
// AROUND-PLACE-1. No name is empty, `.` or `..`. So the folder and the names make a path below the folder.
// AROUND-PLACE-2. A file that the table of risks marks as a secret, or that is one of Git's own, has no place.

import { risksOf } from "../../risks/risks.ts";
import { isFields } from "../../../machines/json.ts";

export interface Place {
  /** Absolute. */
  readonly folder: string;
  /** From the folder on; at least one. */
  readonly names: readonly string[];
}

const PATH_MAX = 4_096;
const GIT = ".git";

/** @param folder as a client named it. @returns undefined if there is no such file, or it is never shown. */
export function placeOf(input: unknown, folder: string): Place | undefined {
  const path = isFields(input) ? input["file_path"] : undefined;
  if (typeof path !== "string" || path.length > PATH_MAX || path.includes("\0")) return undefined;
  const above = folder.replace(/\/+$/, "");
  const isPlain = above.startsWith("/") && namesIn(above.slice(1)) !== undefined;
  if (!isPlain || (path.startsWith("/") && !path.startsWith(`${above}/`))) return undefined;
  const names = namesIn(path.startsWith("/") ? path.slice(above.length + 1) : path);
  const isSecret = risksOf("Read", { file_path: path }, folder).some(({ id }) => id === "secrets");
  if (!names || isSecret || names.some((name) => name.toLowerCase() === GIT)) return undefined;
  return { folder: above, names };
}

/** The names of a path (AROUND-PLACE-1). */
function namesIn(path: string): readonly string[] | undefined {
  const names = path.split("/");
  return names.some((name) => name === "" || name === "." || name === "..") ? undefined : names;
}
