// Subject
// Finds the parts of a tool input that a rule can compare: commands and paths.
//
//   Owns:          which field of which tool is a command or a path, and which other fields may be ignored.
//   Does not own:  patterns (command-pattern, path-match), which calls no rule may allow (guarded).
//
// SUBJECT-1. A field that this file does not know may change what a call does. So no rule with a pattern allows a call with an
//     unknown field.
// SUBJECT-2. Whatever the tool is called, a field with a command, a script or code counts as a command, at any depth. The words
//     of a list together count as a command, too. A pattern allows a command only if sh is known to run it.
// SUBJECT-3. A rule to deny or to ask that has a pattern also applies to tools that do the same as the rule's tool under another
//     name.

import { type Fields, isFields } from "../json.ts";

interface Known {
  readonly field: string;
  readonly about: "command" | "path";
  readonly others: readonly string[];
}

const COMMAND: Known = { field: "command", about: "command", others: [] };

const TOOLS: Readonly<Record<string, Known>> = {
  Bash: { ...COMMAND, others: ["description", "timeout", "run_in_background"] },
  Monitor: { ...COMMAND, others: ["description", "timeout_ms", "persistent"] },
  PowerShell: { ...COMMAND, others: ["description", "timeout", "run_in_background"] },
  REPL: { ...COMMAND, field: "code" },
  Read: { field: "file_path", about: "path", others: ["offset", "limit", "pages"] },
  Write: { field: "file_path", about: "path", others: ["content"] },
  Edit: { field: "file_path", about: "path", others: ["old_string", "new_string", "replace_all"] },
  MultiEdit: { field: "file_path", about: "path", others: ["edits"] },
  NotebookRead: { field: "notebook_path", about: "path", others: ["cell_id"] },
  NotebookEdit: {
    field: "notebook_path",
    about: "path",
    others: ["new_source", "cell_id", "cell_type", "edit_mode"],
  },
  // The path alone does not say what Glob and Grep search, so no rule with a pattern may allow them (mayAllowByPattern).
  Glob: { field: "path", about: "path", others: ["pattern"] },
  Grep: { field: "path", about: "path", others: ["pattern"] },
};
const SEARCHING: ReadonlySet<string> = new Set(["Glob", "Grep"]);
const SH: ReadonlySet<string> = new Set(["Bash", "Monitor"]);
export const WRITING: ReadonlySet<string> = new Set(["Write", "Edit", "MultiEdit", "NotebookEdit"]);
const READING: ReadonlySet<string> = new Set(["Read", "NotebookRead"]);
/** Matches the name of an unknown tool that probably changes files. */
const CHANGING = new RegExp(
  [
    "write|edit|create|delete|remove|move|rename|copy|put|save|upload|append|insert|patch|replace|update|modify|change|download",
    "apply|prepend|export|extract|unpack|unzip|generate|install|clone|restore|revert|undo|mkdir|touch|truncate|link|dump",
    "screenshot|refactor|convert",
  ].join("|"),
  "i",
);

const known = (tool: string): Known | undefined => (Object.hasOwn(TOOLS, tool) ? TOOLS[tool] : undefined);

/** What a pattern for this tool matches; undefined for an unknown tool, and for a tool without a command or path. */
export const isAbout = (tool: string): "command" | "path" | undefined => known(tool)?.about;

export const isRunBySh = (tool: string): boolean => SH.has(tool);

/** True for tools whose command or path alone decides what the call does, so that a pattern may allow the call. */
export const mayAllowByPattern = (tool: string): boolean =>
  !SEARCHING.has(tool) && (isAbout(tool) === "path" || isRunBySh(tool));

export const isSearching = (tool: string): boolean => SEARCHING.has(tool);

/** True for a tool that changes, or may change, the files that its input names. */
export const isChanging = (tool: string): boolean =>
  WRITING.has(tool) || (known(tool) === undefined && CHANGING.test(tool));

export const isSameKind = (one: string, other: string): boolean =>
  one === other || [WRITING, READING].some((kind) => kind.has(one) && kind.has(other));

export interface Subjects {
  /** The field whose command or path decides what the tool does; undefined if no pattern can allow the tool. */
  readonly own?: Own;
  /** Every text in the input that is run, and every path in it. The text of the tool's own field comes first. */
  readonly commands: readonly string[];
  readonly paths: readonly string[];
}

interface Own {
  readonly about: "command" | "path";
  readonly text: string;
  /** True if the input has fields that this module does not know (SUBJECT-1). */
  readonly hasMore: boolean;
}

export function subjectsOf(tool: string, input: unknown): Subjects {
  const how = known(tool);
  const own = how && isFields(input) ? ownOf(how, input) : undefined;
  const entries: readonly Entry[] = isFields(input) ? Object.entries(input) : [["", input]];
  const rest = entries.filter(([key]) => !isOwnField(how, key));
  const [commands, paths] = [textsUnder(rest, isCommandKey, joined), textsUnder(rest, isPathKey)];
  if (!own) return { commands, paths };
  return {
    own,
    commands: own.about === "command" ? [own.text, ...commands] : commands,
    paths: own.about === "path" ? [own.text, ...paths] : paths,
  };
}

const isOwnField = (how: Known | undefined, key: string): boolean =>
  how !== undefined && (key === how.field || how.others.includes(key));

function ownOf({ field, about, others }: Known, input: Fields): Own | undefined {
  const text = Object.hasOwn(input, field) ? input[field] : undefined;
  if (typeof text !== "string") return undefined;
  return { about, text, hasMore: Object.keys(input).some((key) => key !== field && !others.includes(key)) };
}

const COMMAND_KEYS: ReadonlySet<string> = new Set([
  ...["command", "commands", "cmd", "cmds", "argv", "shell", "bash", "sh", "powershell", "pwsh", "exec"],
  ...["execute", "program", "script", "scripts", "shellscript", "bashscript", "pythonscript", "javascript"],
  ...["python", "js", "code", "codes", "sourcecode", "snippet", "eval", "evaluate", "expression", "function"],
  ...["functiondeclaration", "lambda", "run"],
]);
const PATH_KEY =
  /(?:path|paths|file|files|filename|filenames|destination|dest|directory|dir|folder|uri|uris)$/;

const foldKey = (key: string): string => key.toLowerCase().replace(/[^a-z]/g, "");

function isCommandKey(key: string): boolean {
  const name = foldKey(key);
  return COMMAND_KEYS.has(name) || /(?:command|commands|commandline|cmd)$/.test(name);
}

const isPathKey = (key: string): boolean => PATH_KEY.test(foldKey(key));

type Entry = readonly [key: string, value: unknown];

/** Every text in a field whose name matches, in order. @param join combines the words of a list. */
function textsUnder(
  entries: readonly Entry[],
  is: (key: string) => boolean,
  join: (words: readonly string[]) => readonly string[] = () => [],
): readonly string[] {
  const found: string[] = [];
  const look = (key: string, value: unknown, isUnder: boolean): void => {
    const here = isUnder || is(key);
    if (typeof value === "string" && here) found.push(value);
    else if (Array.isArray(value)) {
      if (here) found.push(...join(wordsIn(value)));
      for (const each of value) look("", each, here);
    } else if (isFields(value)) lookIn(Object.entries(value), here);
  };
  const lookIn = (each: readonly Entry[], isUnder: boolean): void => {
    for (const [key, value] of each) look(key, value, isUnder);
    const programs = each.filter(([key, value]) => is(key) && typeof value === "string");
    const more = each.filter(([key]) => ARGS.has(foldKey(key))).flatMap(([, value]) => wordsIn(value));
    if (more.length > 0)
      for (const [, program] of programs) found.push(...join([...wordsIn([program]), ...more]));
  };
  lookIn(entries, false);
  return found;
}

const ARGS: ReadonlySet<string> = new Set(["args", "arguments", "params", "parameters"]);

const wordsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];

function joined(words: readonly string[]): readonly string[] {
  if (words.length < 2) return [];
  const quoted = words.map((word) =>
    /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`,
  );
  return [...new Set([words.join(" "), quoted.join(" ")])];
}

export function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isFields(value) ? Object.entries(value).flatMap(([key, each]) => [key, ...textsIn(each)]) : [];
}
