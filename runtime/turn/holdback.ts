// Hold-back
// Puts the messages of a source back in the order of their sequence numbers.
//
//   Owns:          which message waits for which other message; how long, how many and how large waiting messages may be.
//   Does not own:  messages without a sequence number, which are applied in order of arrival; the rows of waiting messages
//                  (holdback-rows).
//   Decided in:    docs/decisions/0013-hold-back.md.
//
// S0.13 The numbered messages of one session and source are applied in the order of their numbers. Messages with the same
//       number are applied in order of arrival. Numbers begin at 1, or at 0 if the source's first number is 0.
// G1. Each accepted message is applied once, whatever its number. A message with a lower number than the next expected number is
//       late (it was sent twice, or given up, or its source began to count again), and is applied immediately. The next expected
//       number never decreases.
// I-37. At most 1,024 messages and 1 MiB wait in a session. Beyond these limits, the waiting messages of the source with the most
//       waiting messages are applied. Each message waits at most 30 s of journal time, and at most until its session is removed.
// I-23. If a source gives its messages different numbers from 1 on, they are applied in the order of the numbers, whatever the
//     order of arrival, unless a wait ends first (I-37). A gap contains only numbers whose messages had not come when the wait
//     ended.

import { type Address, type Digest } from "../../machines/index.ts";
import {
  type AllWaiting,
  allWaiting,
  HELD_MS,
  type Held,
  type Line,
  lineOf,
  put,
  take,
  type Waiting,
  writeLine,
} from "../rows/holdback-rows.ts";
import type { SourceMessage } from "../message.ts";
import type { Layer } from "../rows/overlay.ts";
import type { JournalEntry } from "../ports.ts";

const COUNT_MAX = 1_024;
const BYTES_MAX = 1024 ** 2;

/** The first and the last sequence number that were still missing when the wait for them ended. */
export interface Gap {
  readonly source: string;
  readonly first: number;
  readonly last: number;
}

export interface Released {
  readonly messages: readonly SourceMessage[];
  readonly gaps: readonly Gap[];
  /** Present if the new message must wait: the number that its source must send before it. */
  readonly waitsFor?: number;
}

/**
 * The messages that can be applied now: the new message and those that waited for it; none if the new message must wait itself.
 */
export function inOrder(
  layer: Layer,
  home: Address,
  entry: JournalEntry,
  message: SourceMessage,
  digest: Digest,
): Released {
  const { sequence } = message;
  const atOnce = { messages: [message], gaps: [] };
  if (sequence === undefined) return atOnce;
  const source = digest("q_", [message.source]);
  allWaiting(layer, home);
  const line = lineOf(layer, home, source) ?? { next: Math.min(sequence, 1), held: [] };
  if (sequence < line.next) return atOnce;
  if (sequence === line.next) {
    const released = advance(layer, home, source, { ...line, next: sequence + 1 });
    return { messages: [message, ...released], gaps: [] };
  }
  const held = [...line.held, put(layer, home, source, sequence, entry, message)];
  writeLine(layer, home, source, { ...line, held: held.sort(byNumber) });
  const released = giveUp(layer, home, heaviest);
  const next = lineOf(layer, home, source)?.next ?? line.next;
  return sequence < next ? released : { ...released, waitsFor: next };
}

/**
 * Skips a message that must not be applied: later messages of its source then no longer wait for its number.
 * @returns the messages that waited only for this message.
 */
export function passOver(
  layer: Layer,
  home: Address,
  message: SourceMessage,
  digest: Digest,
): readonly SourceMessage[] {
  const { sequence } = message;
  if (sequence === undefined) return [];
  const source = digest("q_", [message.source]);
  allWaiting(layer, home);
  const line = lineOf(layer, home, source) ?? { next: Math.min(sequence, 1), held: [] };
  if (sequence !== line.next) return [];
  return advance(layer, home, source, { ...line, next: sequence + 1 });
}

/** Releases the messages that have waited long enough. The numbers that they waited for become gaps. */
export const overdue = (layer: Layer, home: Address, at: number): Released =>
  giveUp(layer, home, (all) => oldest(all, ({ since }) => since + HELD_MS <= at));

/** Releases every waiting message of a session, because no further message will come. */
export const everything = (layer: Layer, home: Address): Released =>
  giveUp(layer, home, (all) => oldest(all, () => true));

function giveUp(layer: Layer, home: Address, choose: (all: AllWaiting) => string | undefined): Released {
  const messages: SourceMessage[] = [];
  const gaps: Gap[] = [];
  for (;;) {
    const source = choose(allWaiting(layer, home));
    const line = source === undefined ? undefined : lineOf(layer, home, source);
    const next = line?.held[0]?.[0];
    if (source === undefined || !line || next === undefined) return { messages, gaps };
    const released = advance(layer, home, source, { ...line, next });
    messages.push(...released);
    const [message] = released;
    if (message) gaps.push({ source: message.source, first: line.next, last: next - 1 });
  }
}

/** Removes the waiting messages of a source that can be applied now. @returns these messages, in order. */
function advance(layer: Layer, home: Address, source: string, line: Line): readonly SourceMessage[] {
  let { next } = line;
  let count = 0;
  for (const [sequence] of line.held) {
    if (sequence > next) break;
    next = sequence + 1;
    count += 1;
  }
  const released = take(layer, home, source, line.held.slice(0, count));
  writeLine(layer, home, source, { next, held: line.held.slice(count) });
  return released;
}

const GAPS_TOLD = 8;

export function gapText(gaps: readonly Gap[]): string {
  const told = gaps
    .slice(0, GAPS_TOLD)
    .map(({ source, first, last }) => `${first}${last > first ? `–${last}` : ""} of ${source}`);
  const rest = gaps.length - told.length;
  return `not sent when waiting for it ended: ${[...told, ...(rest > 0 ? [`${rest} more`] : [])].join(", ")}`;
}

type Entry = readonly [source: string, waiting: Waiting];

const byAge = ([, one]: Entry, [, other]: Entry): number =>
  one.since - other.since || one.position - other.position;

function oldest(all: AllWaiting, fits: (waiting: Waiting) => boolean): string | undefined {
  const [first] = Object.entries(all).sort(byAge);
  return first && fits(first[1]) ? first[0] : undefined;
}

function heaviest(all: AllWaiting): string | undefined {
  const count = Object.values(all).reduce((sum, waiting) => sum + waiting.count, 0);
  const bytes = Object.values(all).reduce((sum, waiting) => sum + waiting.bytes, 0);
  if (count <= COUNT_MAX && bytes <= BYTES_MAX) return undefined;
  const [first] = Object.entries(all).sort((a, b) => b[1].bytes - a[1].bytes || byAge(a, b));
  return first?.[0];
}

const byNumber = (a: Held, b: Held): number => a[0] - b[0] || a[1] - b[1];
