// Guarded
// Calls that no rule allows: calls that reach the engine itself, or the client's own settings.
//
//   Owns:          finding the engine's folders, ports, names and socket, and the client's settings, in an input.
//   Does not own:  the list of these folders, ports and names, which the engine journals (runtime/config).
//   Decided in:    docs/decisions/0054-what-an-allow-covers.md.
//
// GUARDED-1. A path in the engine's folders is found in any spelling: with quotes, `\`, `//`, `/./` and `..`, with a `*`,
//     relative, after `~`, in another letter case, or as a URL. A folder above the engine's folders is found too, in a
//     command or a search that covers what is below.
// GUARDED-2. The number of an engine's port is found wherever it is a number of its own, and so are the names by which
//     others reach the engine.
// GUARDED-3. Signalbox, the client's own settings, and an HTTP client's option for sockets are found by name.

import { plainName, shown } from "./later-files.ts";
import { decoded, leadsAbove, leadsInto, placeAt, placesIn } from "./paths-in-text.ts";
import { remembered } from "./remembered.ts";
import { looseParts } from "./shell-words.ts";
import { isSearching, type Subjects, subjectsOf, textsIn } from "./subject.ts";

/** The engine's own folders and addresses. */
export interface Guarded {
  /** Absolute paths. */
  readonly folders: readonly string[];
  readonly ports: readonly number[];
  /** Host names, without port. */
  readonly names: readonly string[];
}

export const NOTHING_GUARDED: Guarded = { folders: [], ports: [], names: [] };

const USUAL_PORT = 4280;
const NAMES = /signalbox|\.claude(?![\w-])|--(?:abstract-)?unix-socket/i;
/** A process's view of another process's open files. */
const OPEN_FILES = /\/proc\/[^/\s]+\/(?:fd|root|cwd|map_files|mem|task)/;
/** Programs and options that go down from a folder. */
const GOES_DOWN =
  /^(?:find|fd|fdfind|rg|ag|ack|tree|du|tar|zip|-[a-z]*r[a-z]*|--recursive|--dereference-recursive)$/i;

export interface Reached {
  readonly tool: string;
  /** Any JSON value. */
  readonly input: unknown;
  readonly cwd: string | undefined;
}

/** @returns true if a person must be asked about a call, whatever rules say. */
export function isGuarded({ tool, input, cwd }: Reached, guarded: Guarded): boolean {
  const { folders, isNamed } = soughtOf(guarded);
  const subjects = subjectsOf(tool, input);
  const texts = textsOf(tool, input, subjects);
  if (texts.some(isNamed)) return true;
  const here = cwd === undefined ? undefined : namesOf(cwd);
  const home = here && placeAt(here, "root");
  if (home && folders.some((folder) => leadsInto(home, folder, undefined))) return true;
  const mayGoDown = subjects.own?.about !== "path" || isSearching(tool);
  const above = mayGoDown ? placesIn([...subjects.commands, ...subjects.paths]) : [];
  if (home && mayGoDown && goesDown(tool, subjects)) above.push(home);
  const into = placesIn(texts);
  return folders.some(
    (folder) =>
      into.some((place) => leadsInto(place, folder, here)) ||
      above.some((place) => leadsAbove(place, folder, here)),
  );
}

/** What the search looks for, in the form that it compares. */
interface Sought {
  readonly folders: readonly (readonly string[])[];
  readonly isNamed: (text: string) => boolean;
}

const known = new WeakMap<Guarded, Sought>();

function soughtOf(guarded: Guarded): Sought {
  const before = known.get(guarded);
  if (before) return before;
  const sought: Sought = {
    folders: guarded.folders.map(namesOf),
    // Field names and an agent's descriptions occur again and again.
    isNamed: remembered(namedBy(guarded)),
  };
  known.set(guarded, sought);
  return sought;
}

const namesOf = remembered((path): readonly string[] =>
  path
    .split("/")
    .map(plainName)
    .filter((name) => name !== ""),
);

/** The content of a written file is not searched, nor the text that a search looks for. */
function textsOf(tool: string, input: unknown, { own, paths, commands }: Subjects): readonly string[] {
  if (tool === "Glob") return textsIn(input);
  return isSearching(tool) || own?.about === "path" ? [...paths, ...commands] : textsIn(input);
}

function goesDown(tool: string, { commands, paths }: Subjects): boolean {
  if (isSearching(tool)) return paths.length === 0;
  return commands.some(
    (command) =>
      looseParts(command)
        ?.flat()
        .some((word) => GOES_DOWN.test(word)) ?? true,
  );
}

/** GUARDED-2, GUARDED-3 */
function namedBy({ folders, ports, names }: Guarded): (text: string) => boolean {
  const [words, paths] = [names.map((name) => name.toLowerCase()), folders.map((each) => each.toLowerCase())];
  const numbers = new RegExp(`(?<!\\d)0*(?:${[USUAL_PORT, ...ports].join("|")})(?!\\d)`);
  return (text) =>
    readingsOf(text).some((each) => {
      if (NAMES.test(each) || OPEN_FILES.test(each) || numbers.test(each)) return true;
      const folded = each.toLowerCase().replace(/\/(?:\.?\/)+/g, "/");
      return words.some((word) => hasWord(folded, word)) || paths.some((path) => hasFolder(folded, path));
    });
}

/** A text as it is, as a shell reads its quotes, and as a URL is read. */
function readingsOf(text: string): readonly string[] {
  const readings = new Set([text]);
  if (/[^\u0000-\u007f]/.test(text)) readings.add(shown(text));
  if (/['"\\]/.test(text))
    for (const each of [...readings])
      readings.add(each.replace(/\\\n|['"\\]/g, "")).add(each.replaceAll("\\", "/"));
  if (text.includes("%")) for (const each of [...readings]) readings.add(decoded(each));
  return [...readings];
}

function hasFolder(text: string, folder: string): boolean {
  return spotsOf(folder, text).some((at) => !/[\w.-]/.test(text.charAt(at + folder.length)));
}

function hasWord(text: string, word: string): boolean {
  const isEdge = (sign: string): boolean => !/[\w-]/.test(sign);
  return spotsOf(word, text).some(
    (at) => isEdge(text.charAt(at - 1)) && isEdge(text.charAt(at + word.length)),
  );
}

function spotsOf(part: string, text: string): readonly number[] {
  const spots: number[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) spots.push(at);
  return spots;
}
