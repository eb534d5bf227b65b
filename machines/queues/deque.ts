// Deque
// An ordered set of ids of any length, in records of bounded size.
//
//   Owns:          how a deque is stored: a few ids inline, the rest in linked chunks.
//   Does not own:  the record that holds the inline part, which the caller stores.
//
// DEQUE-1. Each operation except `all` reads or writes at most five records, however many ids there are. Only a removal that
//     empties the inline part does more: it moves the next chunk's ids there, at most 16, and deletes one record for each.
// DEQUE-2. The oldest id is always inline, so `oldest` reads no record.
//
// Most deques have one id, so the code makes arrays of exactly the needed length: the spread operator would reserve room for
// sixteen more ids.

import { defined } from "../defined.ts";
import type { Records } from "../records.ts";

const CAPACITY = 16;

/** The kind of record that stores which chunk holds an id: written when the id is added, read when the id is removed. */
export const PLACES = "place";

export interface Deque<Id extends string = string> {
  readonly ids: readonly Id[];
  readonly size: number;
  readonly first?: number;
  readonly last?: number;
}

interface Chunk<Id extends string = string> {
  readonly ids: readonly Id[];
  readonly previous?: number;
  readonly next?: number;
}

export const EMPTY: Deque<never> = { ids: [], size: 0 };

export function oldest<Id extends string>(deque: Deque<Id> | undefined): Id | undefined {
  return deque?.ids[0];
}

const CHUNKS = "deque";
const chunkOf = (name: string, chunk: number): string => `${name}/${chunk}`;
const placeOf = (name: string, id: string): string => `${name}/${id}`;

/** Appends an id that is not in the deque yet. */
export function push<Id extends string>(records: Records, name: string, deque: Deque<Id>, id: Id): Deque<Id> {
  const size = deque.size + 1;
  if (deque.last === undefined) {
    if (deque.ids.length === 0) return { ids: [id], size };
    if (deque.ids.length < CAPACITY) return { ids: [...deque.ids, id], size };
    records.set(CHUNKS, chunkOf(name, 1), { ids: [id] } satisfies Chunk);
    records.set(PLACES, placeOf(name, id), 1);
    return { ...deque, size, first: 1, last: 1 };
  }
  const tail = records.get(CHUNKS, chunkOf(name, deque.last)) as Chunk;
  if (tail.ids.length < CAPACITY) {
    records.set(CHUNKS, chunkOf(name, deque.last), { ...tail, ids: [...tail.ids, id] } satisfies Chunk);
    records.set(PLACES, placeOf(name, id), deque.last);
    return { ...deque, size };
  }
  const last = deque.last + 1;
  records.set(CHUNKS, chunkOf(name, deque.last), { ...tail, next: last } satisfies Chunk);
  records.set(CHUNKS, chunkOf(name, last), { ids: [id], previous: deque.last } satisfies Chunk);
  records.set(PLACES, placeOf(name, id), last);
  return { ...deque, size, last };
}

/** Removes an id from any place in the deque. An unknown id changes nothing. */
export function remove<Id extends string>(
  records: Records,
  name: string,
  deque: Deque<Id>,
  id: Id,
): Deque<Id> {
  const place = deque.ids.indexOf(id);
  if (place >= 0) {
    const ids = place === 0 ? deque.ids.slice(1) : deque.ids.toSpliced(place, 1);
    const size = deque.size - 1;
    if (deque.first === undefined) return { ids, size };
    return ids.length > 0 ? { ...deque, ids, size } : refill(records, name, { ...deque, size }, deque.first);
  }
  if (deque.first === undefined) return deque;
  const number = records.get(PLACES, placeOf(name, id)) as number | undefined;
  if (number === undefined) return deque;
  records.delete(PLACES, placeOf(name, id));
  const chunk = records.get(CHUNKS, chunkOf(name, number)) as Chunk<Id>;
  const ids = chunk.ids.filter((other) => other !== id);
  if (ids.length > 0) {
    records.set(CHUNKS, chunkOf(name, number), { ...chunk, ids } satisfies Chunk);
    return { ...deque, size: deque.size - 1 };
  }
  return unlink(records, name, { ...deque, size: deque.size - 1 }, number, chunk);
}

function refill<Id extends string>(
  records: Records,
  name: string,
  deque: Deque<Id>,
  number: number,
): Deque<Id> {
  const chunk = records.get(CHUNKS, chunkOf(name, number)) as Chunk<Id>;
  for (const id of chunk.ids) records.delete(PLACES, placeOf(name, id));
  return unlink(records, name, { ...deque, ids: chunk.ids }, number, chunk);
}

function unlink<Id extends string>(
  records: Records,
  name: string,
  deque: Deque<Id>,
  number: number,
  chunk: Chunk<Id>,
): Deque<Id> {
  records.delete(CHUNKS, chunkOf(name, number));
  const { previous, next } = chunk;
  if (previous !== undefined) relink(records, name, previous, { next });
  if (next !== undefined) relink(records, name, next, { previous });
  const first = deque.first === number ? next : deque.first;
  const last = deque.last === number ? previous : deque.last;
  const { ids, size } = deque;
  return first === undefined || last === undefined ? { ids, size } : { ids, size, first, last };
}

function relink(
  records: Records,
  name: string,
  number: number,
  links: { previous?: number | undefined; next?: number | undefined },
): void {
  const { ids, ...rest } = records.get(CHUNKS, chunkOf(name, number)) as Chunk;
  const { previous, next } = { ...rest, ...links };
  const chunk: Chunk = { ids, ...defined({ previous, next }) };
  records.set(CHUNKS, chunkOf(name, number), chunk);
}

/** All ids of a deque, oldest first. Reads every chunk's record, so it is only for work that handles every id anyway. */
export function* all<Id extends string>(
  records: Pick<Records, "get">,
  name: string,
  deque: Deque<Id> | undefined,
): Generator<Id> {
  if (!deque) return;
  yield* deque.ids;
  for (let number = deque.first; number !== undefined;) {
    const chunk = records.get(CHUNKS, chunkOf(name, number)) as Chunk<Id>;
    yield* chunk.ids;
    number = chunk.next;
  }
}
