// Settings
// Adds Signalbox's hooks to the client's settings, and removes them.
//
//   Owns:          which hooks are Signalbox's, adding and removing them.
//   Does not own:  the text (json-text), the file (settings-file), which events there are and the form of an entry
//                  (install-form).
//
// SETTINGS-1. Everything that is not Signalbox's stays unchanged, to the character.
// SETTINGS-2. Installing twice gives the same as installing once. Uninstalling restores the earlier settings to the byte, also
//     empty ones, and ones with repeated names or odd spacing. Settings that could not be restored so (with comments, or a
//     byte-order mark) are refused before.
// SETTINGS-3. A hook is Signalbox's if its command is exactly one that Signalbox writes, for the same data folder; no other hook
//     is.
// SETTINGS-4. If a gate's program is missing or killed, nothing runs, with every version of the client: the hook's command itself
//     then exits with 2, which the client takes for "no". For a client that wants a reason, the command prints one first.

import { defined } from "../../machines/defined.ts";
import { RefusedError } from "../../runtime/errors/errors.ts";
import type { Closed } from "../../runtime/door/gate-terms.ts";
import type { Entry, GateChoice, HookKind, InstallForm } from "../../runtime/install-form.ts";
import { HANDSHAKE_VERSION } from "../../runtime/line/handshake.ts";
import { isDeepStrictEqual } from "node:util";
import { closed, opened } from "./blank-text.ts";
import { append, type JsonValue, member, type Place, placesIn, remove, type Step } from "./json-text.ts";

export interface Wanted {
  readonly event: string;
  readonly entry: Entry;
}

/** What the hooks' commands contain: their programs read nothing else. */
export interface Terms {
  readonly choice: GateChoice;
  readonly closed: Closed;
  /** Undefined: the hooks use the workspace of each session's folder. */
  readonly workspace?: string;
  /** The hook's client. Undefined means the first client that runtime/clients.ts names. */
  readonly clientName?: string;
  /** The client's version, if the user named one that differs from the version on the PATH. */
  readonly namedClient?: string;
}

/** A hook of this data folder, or of another one. */
export interface FoundHook {
  readonly event: string;
  readonly kind: HookKind;
  readonly data: string;
  readonly workspace?: string;
  /** Undefined if an earlier version installed the hook. */
  readonly closed?: Closed;
  /** The client's version that the user named at the installation. */
  readonly namedClient?: string;
  readonly entry: { readonly [key: string]: JsonValue };
}

const MARK = "# signalbox";
/** Printed before anything can fail, in words that every shell has. */
const REASON = "echo 'Signalbox lets a call run on an allow alone.' >&2; ";
const OURS =
  /^(?:echo 'Signalbox lets a call run on an allow alone\.' >&2; )?'((?:[^']|'\\'')+)\/hooks\/(observe|gate)'(?: ([^']*))? # signalbox(?: for [A-Z][\w ]* (\d+\.\d+\.\d+))?$/;
const OBSERVED_IN =
  /^(?:all|permission|none) (?!- [\w-]+(?: "\$PPID")? 2>)([\w-]+)(?: [\w-]+)?(?: "\$PPID")? 2>/;
const ASKED_IN = /(?:^| )--workspace ([\w-]+)(?: |$)/;
const CLOSED = /(?:^| )--closed (ask|deny)(?: |$)/;

/** The process that started the shell of a command, in that shell's syntax. */
const PARENT = '"$PPID"';

const quoted = (path: string): string => `'${path.replaceAll("'", "'\\''")}'`;

/** @param timeoutS after which the client ends the hook. */
export function entryOf(
  form: InstallForm,
  data: string,
  kind: HookKind,
  timeoutS: number,
  terms: Terms,
): Entry {
  const { closed, workspace, namedClient, clientName } = terms;
  const program = quoted(`${data}/hooks/${kind}`);
  const mark = namedClient === undefined ? MARK : `${MARK} for ${form.called} ${namedClient}`;
  if (kind === "gate") {
    const within = workspace === undefined ? "" : ` --workspace ${workspace}`;
    const whose = clientName === undefined ? "" : ` --client ${clientName}`;
    const pid = form.isParent ? ` --pid ${PARENT}` : "";
    const terms = `--timeout ${timeoutS} --proof ${HANDSHAKE_VERSION} --closed ${closed}${within}${whose}${pid}`;
    const reason = form.needsReason ? REASON : "";
    const command = `${reason}${program} ${terms} || exit 2 ${mark}`;
    return form.entry(kind, command, timeoutS);
  }
  // If the program is missing, an observing hook is silent and a gate denies.
  const pid = form.isParent ? [PARENT] : [];
  const command = `${[program, ...observed(terms), ...pid].join(" ")} 2>/dev/null || : ${mark}`;
  return form.entry(kind, command, timeoutS);
}

/** The arguments of an observing hook, up to the last one that differs from its default. */
function observed({ choice, workspace, clientName }: Terms): readonly string[] {
  if (clientName !== undefined) return [choice, workspace ?? "-", clientName];
  if (workspace !== undefined) return [choice, workspace];
  return choice === "none" ? [] : [choice];
}

/** @returns every hook of Signalbox's, of any data folder. @throws RefusedError NOT_JSON, BAD_SETTINGS */
export function hooksIn(text: string): readonly FoundHook[] {
  const hooks = hooksOf(readSettings(text));
  return (hooks?.children ?? []).flatMap((event) =>
    event.children.flatMap((group) =>
      (member(group, "hooks")?.children ?? []).flatMap(({ value }) => ours(event.name ?? "", value)),
    ),
  );
}

function ours(event: string, value: JsonValue): readonly FoundHook[] {
  if (!isObject(value) || typeof value["command"] !== "string") return [];
  const [, path, kind, said = "", namedClient] = OURS.exec(value["command"]) ?? [];
  if (path === undefined || (kind !== "observe" && kind !== "gate")) return [];
  const [, workspace] = (kind === "gate" ? ASKED_IN : OBSERVED_IN).exec(said) ?? [];
  const [, closed] = CLOSED.exec(said) ?? [];
  return [
    {
      event,
      kind,
      data: path.replaceAll("'\\''", "'"),
      ...defined({ workspace }),
      ...((closed === "ask" || closed === "deny") && { closed }),
      ...defined({ namedClient }),
      entry: value,
    },
  ];
}

/** Changes settings that may be blank. @param edit adds and removes hooks. @throws RefusedError NOT_JSON, BAD_SETTINGS */
export function edited(text: string, edit: (settings: string) => string): string {
  readSettings(text);
  return closed(edit(opened(text)));
}

/** The settings with these hooks, and no others of this data folder. @throws RefusedError NOT_JSON, BAD_SETTINGS */
export function withHooks(text: string, data: string, wanted: readonly Wanted[]): string {
  const missing = [...wanted];
  const kept = without(text, (found) => {
    if (found.data !== data) return false;
    const at = missing.findIndex(
      ({ event, entry }) => event === found.event && isDeepStrictEqual(entry, found.entry),
    );
    if (at < 0) return true;
    missing.splice(at, 1);
    return false;
  });
  return missing.reduce((before, { event, entry }) => withHook(before, event, entry), kept);
}

/** The settings without any hook of this data folder. @throws RefusedError NOT_JSON, BAD_SETTINGS */
export function withoutHooks(text: string, data: string): string {
  return without(text, (found) => found.data === data);
}

/** Whether the settings make the client run no hooks at all. @throws RefusedError NOT_JSON, BAD_SETTINGS */
export function areHooksOff(text: string): boolean {
  return member(readSettings(text), "disableAllHooks")?.value === true;
}

function withHook(text: string, event: string, entry: Entry): string {
  const group: JsonValue = { hooks: [entry] };
  const root = readSettings(text);
  const hooks = hooksOf(root);
  if (!hooks) return append(text, root, { [event]: [group] }, "hooks");
  const list = member(hooks, event);
  return list ? append(text, list, group) : append(text, hooks, [group], event);
}

/** Removes one hook after another, because each removal moves the others. What was added with a hook is removed with it. */
function without(text: string, isUnwanted: (found: FoundHook) => boolean): string {
  const doomed = new Set<string>();
  let nth = 0;
  for (const found of hooksIn(text)) {
    if (isUnwanted(found)) doomed.add(String(nth));
    nth += 1;
  }
  return [...doomed].map(Number).reduceRight(withoutNth, text);
}

function withoutNth(text: string, nth: number): string {
  const root = readSettings(text);
  const hooks = hooksOf(root);
  let count = -1;
  for (const [e, event] of (hooks?.children ?? []).entries())
    for (const [g, group] of event.children.entries()) {
      const list = member(group, "hooks");
      for (const [h, { value }] of (list?.children ?? []).entries()) {
        if (ours(event.name ?? "", value).length === 0 || ++count !== nth || !list || !hooks) continue;
        if (list.children.length > 1) return remove(text, [[list, h]]);
        // A group without hooks is removed, too.
        const outer: readonly Step[] = [
          [root, root.children.findLastIndex(({ name }) => name === "hooks")],
          [hooks, e],
        ];
        return remove(text, [...outer, [event, g]]);
      }
    }
  return text;
}

function readSettings(text: string): Place {
  if (text.startsWith(BYTE_ORDER_MARK)) throw marked();
  if (text.trim() === "") return placesIn("{}");
  let root: Place;
  try {
    root = placesIn(text);
  } catch (error) {
    throw notJson(text, error);
  }
  if (!isObject(root.value)) throw badSettings("", "an object");
  return root;
}

function hooksOf(root: Place): Place | undefined {
  const hooks = member(root, "hooks");
  if (!hooks) return undefined;
  if (!isObject(hooks.value)) throw badSettings("hooks", "an object");
  const bad = hooks.children.find(({ value }) => !Array.isArray(value));
  if (bad) throw badSettings(`hooks.${bad.name ?? ""}`, "a list");
  return hooks;
}

function isObject(value: JsonValue): value is { readonly [key: string]: JsonValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const BYTE_ORDER_MARK = "\uFEFF";
const STRINGS = /"(?:[^"\\\n]|\\.)*"/g;
const hasComments = (text: string): boolean => /\/[/*]/.test(text.replaceAll(STRINGS, ""));

const marked = (): RefusedError =>
  new RefusedError(
    "NOT_JSON",
    "The settings begin with a byte-order mark. That mark is not part of JSON: a client that does not skip it reads no settings.",
    "Nothing was written. Save the file as UTF-8 without that mark, and install again.",
  );

const notJson = (text: string, error: unknown): RefusedError =>
  new RefusedError(
    "NOT_JSON",
    hasComments(text)
      ? "The settings have comments, so they are not JSON, and the client does not read them either."
      : `The settings are no JSON: ${error instanceof Error ? error.message : String(error)}.`,
    "Nothing was written. Correct the file, and install again.",
  );

const badSettings = (path: string, kind: string): RefusedError =>
  new RefusedError(
    "BAD_SETTINGS",
    `${path === "" ? "The whole" : path} is not ${kind} in the settings, so the client has no hooks from them.`,
    "Nothing was written. Correct the file, and install again.",
    path,
  );
