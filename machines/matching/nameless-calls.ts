// Nameless calls
// Stores calls that were reported without an id, under their input, until a report with an id, or an entry of the client's
// list of a message's calls (`tool.batch`), is matched with them.
//
//   Owns:          the two queues of calls without an id: `unnamed` and `unlisted`.
//   Does not own:  the queues of all calls (correlation).

import { type CallBook, calls, nameless, type NamelessBook } from "../books.ts";
import { type Found, inputKey, type Likeness } from "../queues/queue-keys.ts";
import { type Deque, EMPTY, oldest, push, remove } from "../queues/deque.ts";
import type { CallId } from "../ids.ts";
import type { Records } from "../records.ts";

export type Fits = (call: CallBook, id: CallId) => boolean;

/** The oldest call, open or closed, with this input that was reported without an id and has no id yet. */
export function findUnnamed(records: Records, like: Likeness): Found | undefined {
  const key = inputKey(like);
  const line = key === undefined ? undefined : nameless.get(records, key)?.unnamed;
  const id = oldest(line);
  if (line === undefined || id === undefined) return undefined;
  const candidates = Math.max(line.size, nameless.get(records, key ?? "")?.most ?? 1);
  return { id, match: { how: "input", ambiguous: candidates > 1, candidates } };
}

/**
 * Takes the oldest call that no list of the client has named.
 * @param fits returns false for a call that is not meant: it leaves the queue, too, and the next one is tried.
 */
export function takeUnlisted(records: Records, like: Likeness, fits: Fits): CallId | undefined {
  const key = inputKey(like);
  for (;;) {
    const id = key === undefined ? undefined : oldest(nameless.get(records, key)?.unlisted);
    if (key === undefined || id === undefined) return undefined;
    leaveNameless(records, key, ["unlisted"], id);
    const call = calls.get(records, id);
    if (call && fits(call, id)) return id;
  }
}

type NamelessLine = Exclude<keyof NamelessBook, "most">;

export function joinNameless(records: Records, key: string, id: CallId): void {
  const { unnamed, unlisted, most = 1 } = nameless.get(records, key) ?? { unnamed: EMPTY, unlisted: EMPTY };
  const now = push(records, `${key}/unnamed`, unnamed, id);
  const alike = Math.max(most, now.size);
  nameless.set(records, key, {
    unnamed: now,
    unlisted: push(records, `${key}/unlisted`, unlisted, id),
    ...(alike > 1 && { most: alike }),
  });
}

export function leaveNameless(
  records: Records,
  key: string,
  lines: readonly NamelessLine[],
  id: CallId,
): void {
  const before = nameless.get(records, key);
  if (!before) return;
  const without = (line: NamelessLine): Deque<CallId> =>
    lines.includes(line) ? remove(records, `${key}/${line}`, before[line], id) : before[line];
  const next = { unnamed: without("unnamed"), unlisted: without("unlisted") };
  const most = next.unnamed.size > 0 && before.most !== undefined ? { most: before.most } : {};
  if (next.unnamed.size + next.unlisted.size > 0) nameless.set(records, key, { ...next, ...most });
  else nameless.delete(records, key);
}
