// Settings
// Adds Signalbox's hooks to the client's settings, and removes them.
//
//   Owns:          which hooks are Signalbox's, adding and removing Signalbox's hooks.
//   Does not own:  the text (json-text), the file (settings-file), the events and the form of an entry (install-form).
//
// SETTINGS-1. Everything in the settings that is not Signalbox's stays unchanged, to the character.
// SETTINGS-2. Installing twice gives the same as installing once. Uninstalling restores the earlier settings to the byte.
//     Settings that Signalbox could not restore to the byte (with comments, or a byte-order mark) are refused at the
//     installation.
// SETTINGS-3. A hook counts as Signalbox's only if its command is exactly of the form that Signalbox writes. Of these hooks,
//     only those of the given data folder are changed or removed.
// SETTINGS-4. If a gate's program is missing or killed, no call runs, with every version of the client: the hook's command itself
//     then exits with 2, which the client takes for "no". If a client needs a reason for a denial, the command prints one first.

import { defined } from "../../machines/defined.ts";
import { RefusedError } from "../../runtime/errors/errors.ts";
import type { Closed } from "../../runtime/door/gate-terms.ts";
import type { Entry, GateChoice, HookKind, InstallForm } from "../../runtime/install-form.ts";
import { HANDSHAKE_VERSION } from "../../runtime/line/handshake.ts";
import { quoted } from "../../runtime/text/quoted.ts";
import { isDeepStrictEqual } from "node:util";
import {
  append,
  closed,
  type JsonValue,
  member,
  opened,
  type Place,
  placesIn,
  remove,
  type Step,
} from "./json-text.ts";

export interface Wanted {
  readonly event: string;
  readonly entry: Entry;
}

/** The options that the hooks' commands contain. The hooks' programs read no other options. */
export interface Terms {
  readonly choice: GateChoice;
  readonly closed: Closed;
  /** The workspace that the hooks name; if undefined, each session is in the workspace that is named after its folder. */
  readonly workspace?: string;
  /** The client that the hooks name; if undefined, the first client of runtime/clients.ts is meant. */
  readonly clientName?: string;
  /** The client's version, if the user named another version than the one on the PATH. */
  readonly namedClient?: string;
}

/** A hook of Signalbox's that the settings contain, of this data folder or of another one. */
export interface FoundHook {
  readonly event: string;
  readonly kind: HookKind;
  readonly data: string;
  readonly workspace?: string;
  /** What happens if nobody answers. Undefined if an earlier version of Signalbox installed the hook. */
  readonly closed?: Closed;
  /** The client's version, if the user named one when the hook was installed. */
  readonly namedClient?: string;
  readonly entry: { readonly [key: string]: JsonValue };
}

const MARK = "# signalbox";
/** Prints why a call is denied. It comes first in a gate's command: it works even if the gate's program is missing. */
const REASON = "echo 'Signalbox lets a call run on an allow alone.' >&2; ";
const OURS =
  /^(?:echo 'Signalbox lets a call run on an allow alone\.' >&2; )?'((?:[^']|'\\'')+)\/hooks\/(observe|gate)'(?: ([^']*))? # signalbox(?: for [A-Z][\w ]* (\d+\.\d+\.\d+))?$/;
const OBSERVED_IN =
  /^(?:all|permission|none) (?!- [\w-]+(?: "\$PPID")? 2>)([\w-]+)(?: [\w-]+)?(?: "\$PPID")? 2>/;
const ASKED_IN = /(?:^| )--workspace ([\w-]+)(?: |$)/;
const CLOSED = /(?:^| )--closed (ask|deny)(?: |$)/;

/** The id of the process that started the command's shell, in shell syntax. */
const PARENT = '"$PPID"';

/** @param timeoutS after how many seconds the client ends the hook. */
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
  // If the program is missing, an observing hook ends silently with 0 (`|| :`); a gate denies (`|| exit 2`).
  const pid = form.isParent ? [PARENT] : [];
  const command = `${[program, ...observed(terms), ...pid].join(" ")} 2>/dev/null || : ${mark}`;
  return form.entry(kind, command, timeoutS);
}

/** The arguments of an observing hook. Arguments at the end that have their default values are left out. */
function observed({ choice, workspace, clientName }: Terms): readonly string[] {
  if (clientName !== undefined) return [choice, workspace ?? "-", clientName];
  if (workspace !== undefined) return [choice, workspace];
  return choice === "none" ? [] : [choice];
}

/** @returns all hooks of Signalbox's in the settings, of whatever data folder. @throws RefusedError NOT_JSON, BAD_SETTINGS */
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

/** The settings with the wanted hooks, and no other hooks of this data folder. @throws RefusedError NOT_JSON, BAD_SETTINGS */
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

/** @throws RefusedError NOT_JSON, BAD_SETTINGS */
export function withoutHooks(text: string, data: string): string {
  return without(text, (found) => found.data === data);
}

/** Whether the settings keep the client from running any hooks. @throws RefusedError NOT_JSON, BAD_SETTINGS */
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

/**
 * Removes hooks one by one, the last one first, because a removal moves what follows in the text. Lists and objects that were
 * added together with a hook are removed with it.
 */
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
        // If a group has no hooks left, the group is removed, too.
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
const MARKS = /"|\\.|\n|\/[/*]/g;

function hasComments(text: string): boolean {
  let isText = false;
  for (const [mark] of text.matchAll(MARKS)) {
    if (mark.startsWith("/") && !isText) return true;
    if (mark === '"') isText = !isText;
    if (mark === "\n") isText = false;
  }
  return false;
}

const marked = (): RefusedError =>
  new RefusedError(
    "NOT_JSON",
    "The settings begin with a byte-order mark. That mark is not part of JSON: a client that does not skip it reads no settings.",
    "Nothing was written. Save the file as UTF-8 without a byte-order mark, and install again.",
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
    `${path === "" ? "The settings file" : `In the settings, ${path}`} is not ${kind}, so the client reads no hooks from it.`,
    "Nothing was written. Correct the file, and install again.",
    path,
  );
