// History
// Reads the history of a session: its changes, and the journal entries that caused them.
//
//   Owns:          which journal entries belong to a page of changes, what is shown of an entry.
//   Does not own:  the change log and the journal (turn, journal), finding the session (lookup).
//
// READING-HISTORY-1. For one page at most 1,000 changes are read, and the entries of the changes that the page shows. Each change
//     names the session's previous change. So the cost does not depend on the length of the journal or on other sessions.
// READING-HISTORY-2. All pages together show each entry that caused a change, and the entries of the newest rejections.

import { jsonIn } from "../../machines/json.ts";
import { type Address, defined } from "../../machines/index.ts";
import type { Counted } from "../rows/actors/actor-rows.ts";
import { checkedChange, hasChange, lastBefore, type LogRow, rowWith } from "../rows/change-log.ts";
import type { StateChange } from "../rows/changes.ts";
import type { Engine } from "../engine/engine.ts";
import { keys } from "../rows/keys.ts";
import type { RejectionRecord } from "../rows/ledger.ts";
import { decodeTurnChanges } from "../rows/turn-changes.ts";
import type { ApprovalView } from "../rows/views.ts";
import { type Message, messageIn } from "../message.ts";
import { type Lost, type Page, page, readCursor, type Rows, type Slice } from "./paging.ts";
import type { Among } from "./scope.ts";
import type { JournalEntry, Store } from "../ports.ts";

export interface EntryView {
  readonly position: number;
  /** The time by the journal's stamp, ms. */
  readonly at: number;
  /** Where the entry came from: `in` for a source's message, `own` for a message of the engine itself. */
  readonly door?: Message["door"];
  readonly type?: string;
  readonly source?: string;
  readonly id?: string;
  /** The time by the source's own clock, ms. */
  readonly time?: number;
  readonly sequence?: number;
  /** The content of the message; left out if it is longer than 16 KiB. */
  readonly data?: unknown;
  /** The length of the entry, if `data` is left out. */
  readonly bytes?: number;
  /** Why the entry was rejected. */
  readonly rejected?: string;
  /** True if the entry holds no valid message. */
  readonly unreadable?: true;
}

export interface HistoryPage extends Page<StateChange> {
  /** The entries that are still in the journal, newest first. */
  readonly entries: readonly EntryView[];
}

const SHOWN_MAX = 16 * 1024;
const READ_AT_ONCE = 16;

/** Selects changes of a session; all changes if no field is set. */
export interface ChangeWish {
  readonly entity?: string;
  readonly id?: string;
  /** Selects the changes of this call and of the call's approvals. */
  readonly call?: string;
}

/**
 * Returns the approval's call as known now. A change of the approval does not name the call if the call was reported after the
 * change.
 */
export type CallOf = (approvalId: string) => string | undefined;

/**
 * One step back in the log. `change`: the change that was met, if it is the session's. `error`: why its row could not be read.
 */
interface Step {
  readonly change?: StateChange;
  readonly error?: Error;
  /** The number of the change that is read next. */
  readonly before: number | undefined;
}

/**
 * The changes of the session at `home`, newest first.
 * @param newest the number of the session's newest change; if that is not known, any later number.
 * @param lost called with the number of a change that cannot be read, and why.
 * @param callOf called only for a change of an approval that names no call.
 * @throws RefusedError BAD_LIMIT, BAD_CURSOR
 */
export function historyOf(
  store: Store,
  home: Address,
  newest: number,
  wish: ChangeWish,
  slice: Slice,
  lost: Lost,
  callOf: CallOf = () => undefined,
): Page<StateChange> {
  const take = ({ change, error }: Step): StateChange | undefined => {
    if (error) throw error;
    return change && fits(change, wish, callOf) ? checkedChange(change) : undefined;
  };
  return page(stepsBack(store, home, newest), slice, take, lost);
}

function fits(change: StateChange, { entity, id, call }: ChangeWish, callOf: CallOf): boolean {
  if ((entity ?? change.entity) !== change.entity || (id ?? change.id) !== change.id) return false;
  if (call === undefined) return true;
  if (change.entity !== "approval") return change.entity === "toolcall" && change.id === call;
  // The cast is safe: the change of an approval holds the view of an approval (rows/changes).
  return ((change.view as ApprovalView).callId ?? callOf(change.id)) === call;
}

/**
 * How many changes a session has had, if its row cannot be read: the version of its newest change. This change is searched
 * backwards in the log, from the log's last number, `newest`.
 */
export function countedIn(store: Store, home: Address, newest: number): Counted {
  const [last] = historyOf(store, home, newest, {}, { limit: 1 }, () => undefined).items;
  return { version: last?.version ?? 0, newest: last?.n ?? newest };
}

/** Steps back from each change to the session's previous change; from a change that cannot be read, to the next lower number. */
function stepsBack(store: Store, home: Address, newest: number): Rows<Step> {
  // One row contains all changes of a turn, so the row is kept until a change of another row is needed.
  let row: LogRow | undefined;
  let changes: readonly StateChange[] | undefined;
  const stepAt = (n: number): Step | undefined => {
    if (!row || !hasChange(row, n)) [row, changes] = [rowWith(store, n), undefined];
    if (!row) return undefined;
    try {
      changes ??= decodeTurnChanges(row.text).changes;
      const change = changes.find((each) => each.n === n && isOf(home, each));
      const before = change?.version === 1 ? undefined : (change?.previous ?? (row.first ?? n) - 1);
      return { ...defined({ change }), before };
    } catch (cause) {
      const error = cause instanceof Error ? cause : new Error(String(cause));
      return { error, before: lastBefore(store, row) };
    }
  };
  return function* (place) {
    let n = place === undefined ? newest : stepAt(Number(place))?.before;
    while (n !== undefined) {
      const step = stepAt(n);
      if (!step) return;
      yield [keys.change(n).slice(keys.changes.length), step];
      n = step.before;
    }
  };
}

const isOf = (home: Address, { workspace, sessionId }: StateChange): boolean =>
  `${workspace}/${sessionId}` === home;

export async function entriesBehind(
  engine: Pick<Engine, "entry" | "store">,
  { items, nextCursor }: Page<StateChange>,
  { cursor }: Slice,
  rejections: readonly RejectionRecord[],
): Promise<readonly EntryView[]> {
  const before = turnAt(engine.store, cursor) ?? Infinity;
  const after = turnAt(engine.store, nextCursor) ?? 0;
  const reasons = new Map(rejections.map(({ position, reason }) => [position, reason]));
  const turnedAway = [...reasons.keys()].filter((position) => position > after && position < before);
  const positions = [...new Set([...items.map(({ turn }) => turn), ...turnedAway])].sort((a, b) => b - a);
  const entries: EntryView[] = [];
  for (let from = 0; from < positions.length; from += READ_AT_ONCE) {
    const some = positions.slice(from, from + READ_AT_ONCE);
    const found = await Promise.all(some.map((position) => engine.entry(position)));
    for (const entry of found) if (entry) entries.push(viewOf(entry, reasons.get(entry.position)));
  }
  return entries;
}

/** One journal entry; undefined if it was trimmed. */
export async function entryAt(
  engine: Pick<Engine, "entry">,
  position: number,
  { workspaces }: Among = {},
): Promise<EntryView | undefined> {
  const entry = Number.isSafeInteger(position) && position > 0 ? await engine.entry(position) : undefined;
  if (!entry || workspaces?.includes(messageIn(entry.body)?.workspace ?? "") === false) return undefined;
  return viewOf(entry, undefined);
}

/**
 * The turn of the change at a cursor, or of the nearest readable change before it, so that two pages that meet at a cursor get
 * the same turn. Undefined without a cursor, or if the log no longer has these changes.
 */
function turnAt(store: Store, cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined;
  for (let n = Number(readCursor(cursor)); ; n -= 1) {
    const row = rowWith(store, n);
    if (!row) return undefined;
    const turn = turnIn(row.text);
    if (turn !== undefined) return turn;
  }
}

/** The turn of the change in a row; undefined for a row that cannot be read (G9). */
function turnIn(row: string): number | undefined {
  const turn = (jsonIn(row) as Partial<StateChange> | null | undefined)?.turn;
  return typeof turn === "number" ? turn : undefined;
}

function viewOf({ position, at, body }: JournalEntry, rejected: string | undefined): EntryView {
  const view = { position, at, ...defined({ rejected }) };
  const message = messageIn(body);
  if (!message) return { ...view, unreadable: true };
  const bytes = Buffer.byteLength(body);
  const isShown = bytes <= SHOWN_MAX;
  if (message.door === "own") {
    const { type, ...data } = message.said;
    return { ...view, door: "own", type, ...(isShown ? { data } : { bytes }) };
  }
  const { type, source, id, time, sequence, data } = message;
  return {
    ...view,
    door: "in",
    type,
    source,
    id,
    ...defined({ time, sequence }),
    ...(isShown ? { data } : { bytes }),
  };
}
