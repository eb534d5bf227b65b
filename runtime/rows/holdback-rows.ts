// Hold-back rows
// The rows of messages that wait for an earlier number: a line for each numbered source, each message, a summary.
//
//   Owns:          the shape of these rows, reading those of version 0.1.0, the session's deadline for waiting.
//   Does not own:  which message waits for which (holdback).
//
// S0.13 Several messages with the same number are kept side by side, in the order of their arrival.
// I-34. The deadline is set only when it changes, so a firing under way stays valid while more messages come in.

import type { Address } from "../../machines/index.ts";
import { setAlarm } from "./alarms.ts";
import { keys } from "./keys.ts";
import { type SourceMessage, writeMessage } from "../message.ts";
import type { Layer } from "./overlay.ts";

/** The longest wait of a message, by the journal's clock. */
export const HELD_MS = 30_000;
export const HOLD_TIMER = "holdback";

/** A waiting message: its number, its journal position, when it came (ms), its size. */
export type Held = readonly [sequence: number, position: number, at: number, bytes: number];

export interface Line {
  /** The number to be applied next, which never decreases. */
  readonly next: number;
  /** Ordered by number, then by position. */
  readonly held: readonly Held[];
}

/** The waiting messages of one source: how many, how large, since which entry and since when (ms). */
export interface Waiting {
  readonly count: number;
  readonly bytes: number;
  readonly position: number;
  readonly since: number;
}

/** By source; only sources with waiting messages. */
export type AllWaiting = Readonly<Record<string, Waiting>>;

interface Summary {
  readonly waiting: AllWaiting;
}

/** Version 0.1.0 had all lines of a session in one row, and each number once. */
type OldLines = Readonly<Record<string, { next: number; held: readonly number[]; since: number }>>;

export function allWaiting(layer: Layer, home: Address): AllWaiting {
  const row = layer.get(keys.holdback(home)) as Summary | OldLines | undefined;
  if (row === undefined) return {};
  if (!isOld(row)) return row.waiting;
  return takeOver(layer, home, row);
}

/** Sources in the old row are digests, so none is called `waiting`. */
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

/** Call it after `allWaiting`. */
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

/** Stores a message that has to wait; the caller then calls `writeLine`. */
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

/** Takes messages out, in their order; the caller then calls `writeLine`. */
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
