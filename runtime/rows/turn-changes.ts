// Turn changes
// Writes the changes of one turn as one row of the change log: the first change in full, each further change as its differences
// from an earlier change.
//
//   Owns:          writing and reading the text of a row of the change log, which also contains the turn's proof, a digest of
//                  the turn's result (turn/proof).
//   Does not own:  numbering changes (turn), finding rows (change-log), the shape of a change (changes).
//   Decided in:    docs/decisions/0043-one-row-a-turn.md.
//
// TURN-CHANGES-1. Reading a row returns what was written: every field of every change, though perhaps in another order.
// TURN-CHANGES-3. The text of a row depends only on the content of the changes. So a replay of the turn writes the same text.
// TURN-CHANGES-2. A row that an older version wrote contains one change, and is read as a turn with one change.

import type { Fields } from "../../machines/json.ts";
import { isChange, type StateChange } from "./changes.ts";
import { defined } from "../../machines/index.ts";

/** The changes of one turn, in order; at least one. */
export interface TurnChanges {
  readonly at: number;
  readonly changes: readonly StateChange[];
  /** The proof of the whole turn (turn/proof). Absent in a row that an older version wrote. */
  readonly proof?: string;
}

/** A change after the first, with only the fields that do not follow from its number or from an earlier change of the turn. */
interface Further extends Partial<Omit<StateChange, "view" | "requestId">> {
  readonly to: string;
  readonly requestId?: string | null;
  readonly like?: number;
  /** The whole view; with `like`, only the fields that differ from the view of the change with this index. */
  readonly view?: unknown;
  /** The names of the fields that the view of the earlier change has and this view lacks. */
  readonly less?: readonly string[];
}

/** @param row changes of one session whose number, version and part are consecutive, as a turn makes them. */
export function encodeTurnChanges({ changes, proof }: TurnChanges): string {
  const [first, ...others] = changes;
  if (others.length === 0) return JSON.stringify({ ...first, proof });
  const then = others.map((change, index) => furtherOf(change, changes, index));
  return JSON.stringify({ ...first, then, proof });
}

function furtherOf(change: StateChange, changes: readonly StateChange[], last: number): Further {
  const { entity, id, requestId, from, to, cause, cascade, traceparent, view } = change;
  let like = last;
  while (like >= 0 && !(changes[like]?.id === id && changes[like]?.entity === entity)) like -= 1;
  const base = changes[like];
  if (!base) return { entity, id, from, to, view, ...defined({ requestId, cause, cascade, traceparent }) };
  const { set, less } = difference(base.view as Fields, view as Fields);
  return {
    like,
    to,
    ...(from !== base.to && { from }),
    ...(requestId !== base.requestId && { requestId: requestId ?? null }),
    ...defined({ cause, cascade, traceparent }),
    view: set,
    ...(less.length > 0 && { less }),
  };
}

/**
 * TURN-CHANGES-3. The fields in which two views differ, sorted by name, because a view that was read from a row may have its
 * fields in another order than the same view before it was written.
 */
function difference(base: Fields, now: Fields): { readonly set: Fields; readonly less: readonly string[] } {
  const set = Object.entries(now).filter(([name, value]) => !isSame(value, valueOf(base, name)));
  const less = Object.keys(base).filter(
    (name) => base[name] !== undefined && valueOf(now, name) === undefined,
  );
  return { set: Object.fromEntries(set.sort(([a], [b]) => (a < b ? -1 : 1))), less: less.sort() };
}

/** True if two values are equal: values that were read from a row are other objects, so their JSON is compared. */
const isSame = (one: unknown, other: unknown): boolean =>
  one === other ||
  (typeof one === "object" && typeof other === "object" && JSON.stringify(one) === JSON.stringify(other));

const valueOf = (fields: Fields, name: string): unknown =>
  Object.hasOwn(fields, name) ? fields[name] : undefined;

/** @throws Error if the text is not what `encodeTurnChanges` made. */
export function decodeTurnChanges(text: string): TurnChanges {
  const row: unknown = JSON.parse(text);
  if (!isChange(row)) throw lacking();
  const {
    then = [],
    proof,
    ...first
  } = row as StateChange & { readonly then?: unknown; readonly proof?: string };
  if (!Array.isArray(then)) throw lacking();
  const changes: StateChange[] = [first];
  for (const further of then as readonly unknown[]) changes.push(wholeOf(further, changes));
  return { at: first.at, changes, ...defined({ proof }) };
}

function wholeOf(further: unknown, changes: readonly StateChange[]): StateChange {
  const before = changes.at(-1);
  if (!before || typeof further !== "object" || further === null) throw lacking();
  const { like, less = [], view: told, requestId: asked, from, ...said } = further as Further;
  const base = like === undefined ? undefined : changes[like];
  if (like !== undefined && !base) throw lacking();
  const { entity, id, workspace, sessionId, epoch, turn, parts, at } = { ...before, ...base };
  const requestId = asked === undefined ? base?.requestId : (asked ?? undefined);
  const change = {
    n: before.n + 1,
    previous: before.n,
    entity,
    id,
    workspace,
    sessionId,
    ...defined({ requestId }),
    from: from === undefined ? (base?.to ?? null) : from,
    ...said,
    version: before.version + 1,
    epoch,
    turn,
    part: before.part + 1,
    parts,
    at,
    view: base ? { ...without(base.view, less), ...(told as object) } : told,
  };
  if (!isChange(change)) throw lacking();
  return change;
}

const without = (view: unknown, less: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(view as Fields).filter(([name]) => !less.includes(name)));

const lacking = (): Error => new Error("The row lacks a field that every change has.");
