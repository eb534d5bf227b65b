// Shell call
// Brings a call of any client's shell into one form: the command as Bash would get it.
//
//   Owns:          reading a tool input as the client's profile describes it; which calls can be written as a command of Bash.
//   Does not own:  which tools are shells (a client's profile), how rules answer an approval (ruling).
//   Decided in:    docs/decisions/0077-one-form-for-every-shell.md.
//
// SHELL-CALL-1. A call is written as a command only if its input contains one plain command, and nothing else in the input
//     decides what runs. A call with an unknown field, a variable, or a command that can be read in two ways gets no command, so
//     no rule for Bash allows the call.
// SHELL-CALL-2. An input that is a list of words becomes a command only if each word is plain, because then joining the words
//     with blanks and running them as a list does the same.
// SHELL-CALL-3. An input that is the list `bash -lc SCRIPT` becomes the command SCRIPT alone.
// SHELL-CALL-4. The folder in which the command would run is stored with the command. A rule to allow applies only to a command
//     in the session's own folder.

import { type Fields, isFields } from "../json.ts";
import { plainWords } from "./shell-words.ts";
import { type Subjects } from "./subject.ts";

/** What each field means in the input of a client's shell tool. */
export interface ShellForm {
  /** The field with the command: a text for a shell, or a list of words. */
  readonly command: string;
  readonly args?: string;
  /** A field that repeats the command as a list. */
  readonly echo?: string;
  /** Fields with the folder where the command runs. */
  readonly folders?: readonly string[];
  /** Fields that must be empty, such as variables. */
  readonly unset?: readonly string[];
  /** Fields that may have only the values listed here, because these values do not change what is run. */
  readonly choices?: Readonly<Record<string, readonly unknown[]>>;
  /** Fields that do not change what runs. */
  readonly others?: readonly string[];
  /** True if the text of `command` may also be `bash -lc SCRIPT`, because the client itself adds these words. */
  readonly isWrapped?: true;
}

export interface ShellCall {
  /** The command as Bash would get it; absent if the command is uncertain, or is not one plain command. */
  readonly command?: string;
  /** The folder where the command runs; absent if the input does not name one. */
  readonly cwd?: string;
}

const SHELLS: ReadonlySet<unknown> = new Set(
  ["sh", "bash", "zsh"].flatMap((name) => [name, `/bin/${name}`, `/usr/bin/${name}`]),
);
const TAKES_SCRIPT: ReadonlySet<unknown> = new Set(["-c", "-lc"]);

export function shellCallOf(form: ShellForm, input: unknown): ShellCall {
  if (!isFields(input) || !isKnownWhole(form, input)) return {};
  const { echo, folders = [] } = form;
  const command = textIn(form, input);
  // fish and sh read a `\` within quotes differently, so it is uncertain what a command with a `\` runs.
  if (command === undefined || command.includes("\\") || !plainWords(command)) return {};
  if (echo !== undefined && listed(input[echo]).some((each) => each !== command)) return {};
  const said = new Set(folders.map((name) => input[name]).filter((folder) => !isNothing(folder)));
  const [cwd] = said;
  if (said.size === 0) return { command };
  return said.size === 1 && typeof cwd === "string" ? { command, cwd } : {};
}

/**
 * What rules compare of a shell call.
 * @param read what rules compare of an input of any tool.
 * @param folder the session's folder.
 */
export function subjectsOfShell(read: Subjects, { command, cwd }: ShellCall, folder?: string): Subjects {
  const { commands, paths } = read;
  if (command === undefined) return { commands, paths };
  const hasMore = cwd !== undefined && cwd !== folder;
  return { own: { about: "command", text: command, hasMore }, commands: [command, ...commands], paths };
}

function isKnownWhole(form: ShellForm, input: Fields): boolean {
  const { command, args, echo, folders = [], unset = [], choices = {}, others = [] } = form;
  const known = new Set([command, args, echo, ...folders, ...others]);
  return Object.entries(input).every(
    ([key, value]) =>
      known.has(key) ||
      (unset.includes(key) && isNothing(value)) ||
      (Object.hasOwn(choices, key) && choices[key]?.includes(value) === true),
  );
}

const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);

const listed = (value: unknown): readonly unknown[] =>
  isNothing(value) ? [] : Array.isArray(value) ? value : [value];

function textIn({ command, args, isWrapped }: ShellForm, input: Fields): string | undefined {
  const said = input[command];
  const more = args === undefined ? [] : listed(input[args]);
  if (Array.isArray(said)) return more.length === 0 ? (scriptIn(said) ?? textOfList(said)) : undefined;
  if (typeof said !== "string") return undefined;
  if (more.length > 0) return textOfList([said, ...more]);
  return (isWrapped === true ? scriptIn(plainWords(said) ?? []) : undefined) ?? said;
}

function textOfList(list: readonly unknown[]): string | undefined {
  const words = list.filter((each) => typeof each === "string");
  const text = words.join(" ");
  const read = plainWords(text) ?? [];
  return read.length === list.length && read.every((word, n) => word === words[n]) ? text : undefined;
}

function scriptIn([shell, option, script, ...more]: readonly unknown[]): string | undefined {
  const isScript = SHELLS.has(shell) && TAKES_SCRIPT.has(option) && more.length === 0;
  return isScript && typeof script === "string" ? script : undefined;
}
