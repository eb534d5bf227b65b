// Settings
// The client's settings with our hooks in them, and without.
//
//   Owns:          which hooks are ours, putting them in and taking them out.
//   Does not own:  the text (json-text), the file (settings-file), which events there are and what an entry is (install-form).
//
// SETTINGS-1. Everything that is not ours stays as it was, to the character.
// SETTINGS-2. Put in twice is put in once; taken out, the settings are those from before, to the byte: also empty ones,
//     and whatever stands there twice or is oddly spaced. What does not come back so is refused first, in words:
//     comments, a byte-order mark.
// SETTINGS-3. Ours are the hooks whose command is exactly one that we write, for the same data folder; nothing else is.
// SETTINGS-4. A gate whose program is gone or killed lets nothing run, with every version of the client: its command
//     itself ends with 2 then, which the client takes for "no"; where a client wants a reason beside it, that was said
//     first.

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

/** What the hooks' commands say: nothing else tells their programs. */
export interface Terms {
  /** Which calls wait. */
  readonly choice: GateChoice;
  readonly closed: Closed;
  /** Undefined to use the workspace of each session's folder. */
  readonly workspace?: string;
  /** The client that the hook is of; undefined for the first client of the list. */
  readonly clientName?: string;
  /** The client's version, where a person named it: the one on the PATH is another one then. */
  readonly namedClient?: string;
}

/** A hook of this data folder, or of another one. */
export interface FoundHook {
  readonly event: string;
  readonly kind: HookKind;
  /** The data folder. */
  readonly data: string;
  readonly workspace?: string;
  /** Undefined where an earlier version put it in. */
  readonly closed?: Closed;
  /** The client's version that a person named as it was put in. */
  readonly namedClient?: string;
  readonly entry: { readonly [key: string]: JsonValue };
}

const MARK = "# signalbox";
/** Said before anything can fail, and in words that every shell has. */
const REASON = "echo 'Signalbox lets a call run on an allow alone.' >&2; ";
const OURS =
  /^(?:echo 'Signalbox lets a call run on an allow alone\.' >&2; )?'((?:[^']|'\\'')+)\/hooks\/(observe|gate)'(?: ([^']*))? # signalbox(?: for [A-Z][\w ]* (\d+\.\d+\.\d+))?$/;
const OBSERVED_IN =
  /^(?:all|permission|none) (?!- [\w-]+(?: "\$PPID")? 2>)([\w-]+)(?: [\w-]+)?(?: "\$PPID")? 2>/;
const ASKED_IN = /(?:^| )--workspace ([\w-]+)(?: |$)/;
const CLOSED = /(?:^| )--closed (ask|deny)(?: |$)/;

/** The process that started the shell of a command, as that shell says it. */
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
  // If the program is gone, an observing hook is silent and a gate denies.
  const pid = form.isParent ? [PARENT] : [];
  const command = `${[program, ...observed(terms), ...pid].join(" ")} 2>/dev/null || : ${mark}`;
  return form.entry(kind, command, timeoutS);
}

/** What an observing hook is told, up to the last word that says something. */
function observed({ choice, workspace, clientName }: Terms): readonly string[] {
  if (clientName !== undefined) return [choice, workspace ?? "-", clientName];
  if (workspace !== undefined) return [choice, workspace];
  return choice === "none" ? [] : [choice];
}

/** @returns every hook of ours, of any data folder. @throws RefusedError NOT_JSON, BAD_SETTINGS */
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

/**
 * Changes settings that may be blank.
 * @param edit puts in and takes out.
 * @throws RefusedError NOT_JSON, BAD_SETTINGS
 */
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

/** Whether the client is told to run no hooks at all. @throws RefusedError NOT_JSON, BAD_SETTINGS */
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

/** Takes out one after another: each changes where the others stand. What came in with them goes with them. */
function without(text: string, isUnwanted: (found: FoundHook) => boolean): string {
  const doomed = new Set<string>();
  let nth = 0;
  for (const found of hooksIn(text)) {
    if (isUnwanted(found)) doomed.add(String(nth));
    nth += 1;
  }
  return [...doomed].map(Number).reduceRight(withoutNth, text);
}

/** Removes the nth hook that is ours. */
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
    "The settings begin with a byte-order mark. It is no part of JSON: a client that does not skip it reads none of them.",
    "Save the file as UTF-8 without that mark, and do this again. Nothing was written.",
  );

const notJson = (text: string, error: unknown): RefusedError =>
  new RefusedError(
    "NOT_JSON",
    hasComments(text)
      ? "The settings have comments, so they are no JSON, and the client does not read them either."
      : `The settings are no JSON: ${error instanceof Error ? error.message : String(error)}.`,
    "Mend the file, and do this again. Nothing was written.",
  );

const badSettings = (path: string, kind: string): RefusedError =>
  new RefusedError(
    "BAD_SETTINGS",
    `${path === "" ? "The whole" : path} is not ${kind} in the settings, so the client has no hooks from them.`,
    "Mend the file, and do this again. Nothing was written.",
    path,
  );
