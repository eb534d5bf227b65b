// Hold-back
// Messages with a source sequence, put back in order.
//
//   Owns:          which message waits for which; how long, and how many.
//   Does not own:  messages without a sequence: they keep the order they arrived in.
//
// S0.13 Per session and source, numbered messages are applied in the order of their numbers.
// I-37. At most 1,024 wait, for at most 30 s of journal time; then the gap is recorded and the rest goes on.
// I-23. Within that bound, the order of arrival changes nothing. Numbers begin at 1, or at 0 where that comes first.

import { type Address, type Digest } from "../machines/index.ts";
import { setAlarm } from "./alarms.ts";
import { keys } from "./keys.ts";
import type { SourceMessage } from "./message.ts";
import type { Layer } from "./overlay.ts";

const HELD_MAX = 1_024;
const HELD_MS = 30_000;
export const HOLD_TIMER = "holdback";

interface Line {
  /** The number that may be applied next. */
  readonly next: number;
  /** The numbers that wait, ascending. */
  readonly held: readonly number[];
  readonly since: number;
}

interface Lines {
  readonly [source: string]: Line;
}

export interface Released {
  readonly messages: readonly SourceMessage[];
  /** The numbers that never came, first and last, where waiting for them was given up. */
  readonly gap?: readonly [number, number];
  /** Set when the message that came waits itself: the number its source has to send first. */
  readonly waitsFor?: number;
}

const read = (layer: Layer, home: Address): Lines =>
  (layer.get(keys.holdback(home)) as Lines | undefined) ?? {};

function write(layer: Layer, home: Address, lines: Lines): void {
  layer.set(keys.holdback(home), lines);
  const waiting = Object.values(lines).filter(({ held }) => held.length > 0);
  const first = waiting.reduce((since, line) => Math.min(since, line.since), Infinity);
  setAlarm(layer, home, HOLD_TIMER, waiting.length > 0 ? first + HELD_MS : undefined);
}

/** What may be applied now that a message has come: itself and those that waited for it; not itself if it must wait. */
export function inOrder(
  layer: Layer,
  home: Address,
  at: number,
  message: SourceMessage,
  digest: Digest,
): Released {
  const { sequence } = message;
  if (sequence === undefined) return { messages: [message] };
  const source = digest("q_", [message.source]);
  const lines = read(layer, home);
  const line = lines[source] ?? { next: Math.min(sequence, 1), held: [], since: at };
  if (sequence < line.next) return { messages: [message] };
  if (sequence === line.next) {
    const run = runFrom(line.held, sequence + 1);
    const released = take(layer, home, source, run);
    const held = line.held.slice(run.length);
    write(layer, home, { ...lines, [source]: { next: sequence + 1 + run.length, held, since: at } });
    return { messages: [message, ...released] };
  }
  layer.set(keys.held(home, source, sequence), message);
  const held = [...line.held, sequence].sort((a, b) => a - b);
  const since = line.held.length === 0 ? at : line.since;
  write(layer, home, { ...lines, [source]: { ...line, held, since } });
  const released = held.length > HELD_MAX ? skip(layer, home, source) : { messages: [] };
  const next = read(layer, home)[source]?.next ?? line.next;
  return sequence < next ? released : { ...released, waitsFor: next };
}

/** What has waited long enough: it goes on without the numbers that never came. */
export function overdue(layer: Layer, home: Address, at: number): readonly Released[] {
  return Object.entries(read(layer, home)).flatMap(([source, line]) =>
    line.held.length > 0 && at - line.since >= HELD_MS ? [skip(layer, home, source)] : [],
  );
}

/** Gives up waiting for what stands before the first number held. */
function skip(layer: Layer, home: Address, source: string): Released {
  const lines = read(layer, home);
  const line = lines[source];
  const first = line?.held[0];
  if (!line || first === undefined) return { messages: [] };
  const run = runFrom(line.held, first);
  const messages = take(layer, home, source, run);
  const held = line.held.slice(run.length);
  write(layer, home, { ...lines, [source]: { next: first + run.length, held, since: line.since } });
  return { messages, gap: [line.next, first - 1] };
}

/** The numbers that follow one another without a gap from `first`. */
function runFrom(held: readonly number[], first: number): readonly number[] {
  const end = held.findIndex((sequence, index) => sequence !== first + index);
  return end < 0 ? held : held.slice(0, end);
}

function take(layer: Layer, home: Address, source: string, run: readonly number[]): readonly SourceMessage[] {
  return run.flatMap((sequence) => {
    const key = keys.held(home, source, sequence);
    const message = layer.get(key) as SourceMessage | undefined;
    layer.delete(key);
    return message ? [message] : [];
  });
}
