// Guarded
// Finds calls that reach the engine itself or the client's own settings. No rule may allow such a call.
//
//   Owns:          finding the engine's folders, ports, names and socket, and the client's settings, in a tool input.
//   Does not own:  the list of the engine's folders, ports and names (runtime/config; the engine writes this list into its
//                  journal).
//   Decided in:    docs/decisions/0054-what-an-allow-covers.md.
//
// GUARDED-1. A path into the engine's folders is found in any spelling: quoted, with `\`, `//`, `/./`, `..` or `*`, relative,
//     after `~`, in another letter case, as a URL. A folder above the engine's folders is found, too, if a command or search
//     covers everything below that folder. A path that is too long to be searched counts as a path into them.
// GUARDED-2. The number of an engine's port is found if it is not part of a longer number. The host names of the engine are
//     found too.
// GUARDED-3. The program `signalbox`, the client's own settings, and an HTTP client's option for a socket (such as
//     `--unix-socket`) are found by name.
// GUARDED-4. On Linux, a path under /proc to the files, the memory or the variables of a process is found in any spelling, also
//     after one of the links that lead there.

import { plainName, shown } from "./later-files.ts";
import { decoded, leadsAbove, leadsInto, type Place, placeAt, placesIn } from "./paths-in-text.ts";
import { resolved } from "./path-match.ts";
import { remembered } from "./remembered.ts";
import { COMMAND_MAX, looseParts } from "./shell-words.ts";
import { isSearching, type Subjects, subjectsOf, textsIn } from "./subject.ts";

export interface Guarded {
  /** The absolute paths of the engine's own folders. */
  readonly folders: readonly string[];
  readonly ports: readonly number[];
  /** The engine's host names, without port. */
  readonly names: readonly string[];
}

export const NOTHING_GUARDED: Guarded = { folders: [], ports: [], names: [] };

const USUAL_PORT = 4280;
const NAMES = /signalbox|\.claude(?![\w-])|--(?:abstract-)?unix-socket/i;
/** Matches paths under /proc by which one process reaches another process's files, memory and variables. */
const OPEN_FILES = /\/proc\/[^/\s]+\/(?:fd|root|cwd|map_files|mem|environ|task)/;
/** Matches the folder of a process, or of all processes. */
const PROCESSES = /^proc(?:\/(?:\d+|self|thread-self))?$/;
/** Matches programs and options that work on everything below a folder. */
const GOES_DOWN =
  /^(?:find|fd|fdfind|rg|ag|ack|tree|du|tar|zip|-[a-z]*r[a-z]*|--recursive|--dereference-recursive)$/i;

export interface Reached {
  readonly tool: string;
  readonly input: unknown;
  readonly cwd: string | undefined;
}

/** @returns true if a person must be asked about the call, whatever rules answer. */
export function isGuarded({ tool, input, cwd }: Reached, guarded: Guarded): boolean {
  const { folders, isNamed } = soughtOf(guarded);
  const subjects = subjectsOf(tool, input);
  const texts = textsOf(tool, input, subjects);
  if (subjects.paths.some(({ length }) => length > COMMAND_MAX)) return true;
  if (texts.some(isNamed)) return true;
  const here = cwd === undefined ? undefined : namesOf(cwd);
  const home = here && placeAt(here, "root");
  if (home && folders.some((folder) => leadsInto(home, folder, undefined))) return true;
  const mayGoDown = subjects.own?.about !== "path" || isSearching(tool);
  const above = mayGoDown ? placesIn([...subjects.commands, ...subjects.paths]) : [];
  if (home && mayGoDown && goesDown(tool, subjects)) above.push(home);
  const into = placesIn(texts);
  if (into.some((place) => isOpenFile(namesFrom(place, here)))) return true;
  if (above.some((place) => PROCESSES.test(resolved(namesFrom(place, here).join("/")).join("/"))))
    return true;
  return folders.some(
    (folder) =>
      into.some((place) => leadsInto(place, folder, here)) ||
      above.some((place) => leadsAbove(place, folder, here)),
  );
}

const namesFrom = ({ names, from }: Place, here: readonly string[] = []): readonly string[] =>
  from === "anywhere" ? [...here, ...names] : names;

/** GUARDED-4. `/proc/self` and `/dev/fd` are links, so a `..` behind them leads elsewhere than it seems to. */
function isOpenFile(names: readonly string[]): boolean {
  const seen: string[] = [];
  for (const name of names) {
    if (name !== "..") seen.push(name);
    else if (seen[0] === "proc" || (seen[0] === "dev" && seen[1] === "fd")) return true;
    else seen.pop();
  }
  return OPEN_FILES.test(`/${seen.join("/")}`);
}

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
    // `remembered` is a cache of what `namedBy` found, because tool inputs repeat the same field names and descriptions.
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

/** The texts of an input that are searched: all but what the call writes into a file, and the text for which it searches. */
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

function namedBy({ folders, ports, names }: Guarded): (text: string) => boolean {
  const [words, paths] = [names.map((name) => name.toLowerCase()), folders.map((each) => each.toLowerCase())];
  const numbers = new RegExp(`(?<!\\d)0*(?:${[USUAL_PORT, ...ports].join("|")})(?!\\d)`);
  return (text) =>
    readingsOf(text).some((each) => {
      const folded = each.toLowerCase().replace(/\/(?:\.?\/)+/g, "/");
      if (NAMES.test(each) || OPEN_FILES.test(folded) || numbers.test(each)) return true;
      return words.some((word) => hasWord(folded, word)) || paths.some((path) => hasFolder(folded, path));
    });
}

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
