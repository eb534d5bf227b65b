// Hold-back rows
// The rows for messages that wait for an earlier sequence number: one row for each source, one for each message, one summary.
//
//   Owns:          the shape of the hold-back's rows, reading the hold-back's rows of builds before release 0.1.0, the session's
//                  deadline for the waiting messages.
//   Does not own:  which message waits for which other message (holdback).
//
// S0.13 Messages with the same sequence number are all stored, in order of arrival.
// I-34. When a further message comes to wait, the deadline for waiting messages is set again only if its time changes.
//     Otherwise new messages could prolong the wait: a firing (the engine's own message) that is in the journal but not
//     applied yet has no effect once its deadline is set again.

import type { Address } from "../../machines/index.ts";
import { setAlarm } from "./alarms.ts";
import { keys } from "./keys.ts";
import { type SourceMessage, writeMessage } from "../message.ts";
import type { Layer } from "./overlay.ts";

/** How long a message waits at most, by journal time, ms. */
export const HELD_MS = 30_000;
export const HOLD_TIMER = "holdback";

/** A waiting message: its sequence number, its journal position, when it came (ms), its size. */
export type Held = readonly [sequence: number, position: number, at: number, bytes: number];

export interface Line {
  /** The sequence number of the message that is applied next; messages with higher numbers wait for it. It never decreases. */
  readonly next: number;
  /** The waiting messages, ordered by number, then by position. */
  readonly held: readonly Held[];
}

/** A summary of one source's waiting messages: how many, how large, since which entry, and since when (ms). */
export interface Waiting {
  readonly count: number;
  readonly bytes: number;
  readonly position: number;
  readonly since: number;
}

/** The waiting messages by their source. A source without waiting messages has no key in this record. */
export type AllWaiting = Readonly<Record<string, Waiting>>;

interface Summary {
  readonly waiting: AllWaiting;
}

/**
 * The row of builds before release 0.1.0: one for all sources of a session, with each sequence number only once. Later versions
 * leave such a row until the session's next numbered message.
 */
type OldLines = Readonly<Record<string, { next: number; held: readonly number[]; since: number }>>;

export function allWaiting(layer: Layer, home: Address): AllWaiting {
  const row = layer.get(keys.holdback(home)) as Summary | OldLines | undefined;
  if (row === undefined) return {};
  if (!isOld(row)) return row.waiting;
  return takeOver(layer, home, row);
}

/** True for a row of a build before release 0.1.0. The sources in such a row are digests, so none is called `waiting`. */
const isOld = (row: Summary | OldLines): row is OldLines => !("waiting" in row);

function takeOver(layer: Layer, home: Address, lines: OldLines): AllWaiting {
  layer.set(keys.holdback(home), { waiting: {} } satisfies Summary);
  for (const [source, { next, held, since }] of Object.entries(lines)) {
    const kept = [...new Set(held)].flatMap((sequence) => {
      const key = keys.heldBefore(home, source, sequence);
      const message = layer.get(key) as SourceMessage | undefined;
      layer.delete(key);
      return message ? [put(layer, home, source, sequence, { position: 0, at: since }, message)] : [];
    });
    writeLine(layer, home, source, { next, held: kept });
  }
  return allWaiting(layer, home);
}

/** The waiting messages of a source. The caller must first call `allWaiting`, which converts old rows. */
export const lineOf = (layer: Layer, home: Address, source: string): Line | undefined =>
  layer.get(keys.line(home, source)) as Line | undefined;

export function writeLine(layer: Layer, home: Address, source: string, line: Line): void {
  layer.set(keys.line(home, source), line);
  const before = allWaiting(layer, home);
  const { [source]: known, ...others } = before;
  if (known === undefined && line.held.length === 0) return;
  const waiting = line.held.length === 0 ? others : { ...others, [source]: sum(line.held) };
  layer.set(keys.holdback(home), { waiting } satisfies Summary);
  const since = earliest(waiting);
  if (since === earliest(before)) return;
  setAlarm(layer, home, HOLD_TIMER, since === Infinity ? undefined : since + HELD_MS);
}

const sum = (held: readonly Held[]): Waiting => ({
  count: held.length,
  bytes: held.reduce((bytes, each) => bytes + each[3], 0),
  position: held.reduce((position, each) => Math.min(position, each[1]), Infinity),
  since: held.reduce((since, each) => Math.min(since, each[2]), Infinity),
});

const earliest = (waiting: AllWaiting): number =>
  Object.values(waiting).reduce((since, each) => Math.min(since, each.since), Infinity);

/** Stores a message that has to wait. The caller must then call `writeLine`. */
export function put(
  layer: Layer,
  home: Address,
  source: string,
  sequence: number,
  { position, at }: { readonly position: number; readonly at: number },
  message: SourceMessage,
): Held {
  layer.set(keys.held(home, source, sequence, position), message);
  return [sequence, position, at, Buffer.byteLength(writeMessage(message))];
}

/** Removes waiting messages, and returns them in order. The caller must then call `writeLine`. */
export function take(
  layer: Layer,
  home: Address,
  source: string,
  held: readonly Held[],
): readonly SourceMessage[] {
  return held.flatMap(([sequence, position]) => {
    const key = keys.held(home, source, sequence, position);
    const message = layer.get(key) as SourceMessage | undefined;
    layer.delete(key);
    return message ? [message] : [];
  });
}
