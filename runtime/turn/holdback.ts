// Hold-back
// Messages with a source sequence, put back in order.
//
//   Owns:          which message waits for which; how long, how many, how much.
//   Does not own:  messages without a sequence: they keep the order they arrived in; the rows (holdback-rows).
//   Decided in:    docs/decisions/0013-hold-back.md.
//
// S0.13 Per session and source, numbered messages are applied in the order of their numbers; several under one number
//       in the order they arrived. Numbers begin at 1, or at 0 where that comes first.
// G1.   What was taken in is applied once, whatever its number. One below the next number is late, whether it was sent
//       twice, given up, or its source counts anew: it is applied at once. The next number never goes back.
// I-37. Of a session at most 1,024 messages and 1 MiB wait; beyond that the source with the most gives up waiting. Each
//       waits for at most 30 s of journal time, and none when its session is to be removed.
// I-23. Within that bound, the order of arrival changes nothing. A gap names only numbers that were not applied.

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

/** Numbers that a source had not sent when waiting for them ended, first and last. */
export interface Gap {
  readonly source: string;
  readonly first: number;
  readonly last: number;
}

export interface Released {
  readonly messages: readonly SourceMessage[];
  readonly gaps: readonly Gap[];
  /** Set when the message that came waits itself: the number its source has to send first. */
  readonly waitsFor?: number;
}

/** What may be applied now that a message has come: itself and those that waited for it; not itself if it must wait. */
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

/** A message is not to be applied at all. @returns what waited for it alone. */
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

/** What has waited long enough: it goes on without the numbers that did not come. */
export const overdue = (layer: Layer, home: Address, at: number): Released =>
  giveUp(layer, home, (all) => oldest(all, ({ since }) => since + HELD_MS <= at));

/** All that waits in a session: nothing is to come there any more. */
export const everything = (layer: Layer, home: Address): Released =>
  giveUp(layer, home, (all) => oldest(all, () => true));

/** Ends the waiting of one source after another, until none is chosen. */
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

/** Writes a line down, without what need not wait at its next number. @returns that, in order. */
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

/** @returns gaps in words; of many, the first. */
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

/** The source of which most waits, where it is too much in all. */
function heaviest(all: AllWaiting): string | undefined {
  const count = Object.values(all).reduce((sum, waiting) => sum + waiting.count, 0);
  const bytes = Object.values(all).reduce((sum, waiting) => sum + waiting.bytes, 0);
  if (count <= COUNT_MAX && bytes <= BYTES_MAX) return undefined;
  const [first] = Object.entries(all).sort((a, b) => b[1].bytes - a[1].bytes || byAge(a, b));
  return first?.[0];
}

const byNumber = (a: Held, b: Held): number => a[0] - b[0] || a[1] - b[1];
