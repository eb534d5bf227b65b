// Alarms
// Stores the deadlines of actors as rows, called alarms, in the order of their time. (A call's alarm, in views and lists, is
// another thing: it says that the call ran although it should not have run, machines/evidence/alarm.)
//
//   Owns:          setting, replacing and cancelling the deadline of an actor; recognising a stale firing.
//   Does not own:  watching the clock (timers), whether the engine trusts a stamp (journal-time).
//   Decided in:    docs/decisions/0010-alarms-are-rows.md.
//
// I-34. A deadline fires at most once. A firing is the engine's own message that the time of a deadline has come. A firing is
//     stale, and has no effect, if the deadline was set again or cancelled before the firing was applied.
// ALARMS-1. No deadline fires before the journal time has reached it, whatever the clock of a sender shows.
// ALARMS-2. A machine sets a deadline as a journal time. When an operator accepts a clock that jumped, the journal time skips
//     some time, which does not count for deadlines (JOURNAL-TIME-4). So an alarm's row stores its time less all time that was
//     skipped before.

import { type Address, type AddressParts, type OwnInput, parseAddress } from "../../machines/index.ts";
import { dueOf } from "../journal/journal-time.ts";
import { keys } from "./keys.ts";
import { meta } from "./meta.ts";
import type { Layer } from "./overlay.ts";

type TimerFired = Extract<OwnInput, { type: "timer.fired" }>;

interface Alarm {
  readonly at: number;
  readonly generation: number;
  readonly set: boolean;
}

export interface AlarmRow {
  readonly address: string;
  readonly timer: string;
  readonly at: number;
  readonly generation: number;
}

/** @throws Error if the text is not what `setAlarm` wrote. */
export function readAlarm(text: string): AlarmRow & { readonly where: AddressParts } {
  const row = JSON.parse(text) as Partial<AlarmRow> | null;
  const { address, timer, at, generation } = row ?? {};
  if (typeof address !== "string" || typeof timer !== "string" || !isWhole(at) || !isWhole(generation))
    throw new Error("The row is not a deadline.");
  return { address, timer, at, generation, where: parseAddress(address) };
}

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value);

/**
 * Sets or cancels a deadline.
 * @param wanted a journal time, ms; `now` to let the deadline fire immediately; undefined to cancel it.
 */
export function setAlarm(
  layer: Layer,
  address: Address,
  timer: string,
  wanted: number | "now" | undefined,
): void {
  const key = keys.alarm(address, timer);
  const before = layer.get(key) as Alarm | undefined;
  if (before?.set) layer.delete(keys.timer(before.at, address, timer));
  if (wanted === undefined) {
    if (before?.set) layer.set(key, { ...before, set: false } satisfies Alarm);
    return;
  }
  const time = meta(layer);
  const at = wanted === "now" ? dueOf(time) : wanted - (time.clock?.skipped ?? 0);
  const generation = (before?.generation ?? 0) + 1;
  layer.set(key, { at, generation, set: true } satisfies Alarm);
  layer.set(keys.timer(at, address, timer), { address, timer, at, generation } satisfies AlarmRow);
}

/** Marks a deadline as fired. @returns whether the firing counts: a stale or early firing changes nothing. */
export function spendAlarm(
  layer: Layer,
  address: Address,
  { timer, generation }: Pick<TimerFired, "timer" | "generation">,
): "spent" | "stale" | "early" {
  const alarm = layer.get(keys.alarm(address, timer)) as Alarm | undefined;
  if (!alarm?.set || alarm.generation !== generation) return "stale";
  if (dueOf(meta(layer)) < alarm.at) return "early";
  setAlarm(layer, address, timer, undefined);
  return "spent";
}

/**
 * After a firing that had no effect: sets the deadline again, so that it fires immediately.
 * @returns the generation of the deadline; undefined if the deadline was set meanwhile, or its actor was removed.
 */
export function rearm(layer: Layer, address: Address, timer: string): number | undefined {
  const before = layer.get(keys.alarm(address, timer)) as Alarm | undefined;
  if (before === undefined || before.set) return undefined;
  setAlarm(layer, address, timer, "now");
  return before.generation + 1;
}

/** Fires a deadline in the present turn. @returns the firing, which the same turn applies. */
export function fireNow(layer: Layer, address: Address, timer: string): TimerFired {
  setAlarm(layer, address, timer, "now");
  const { generation } = layer.get(keys.alarm(address, timer)) as Alarm;
  return { type: "timer.fired", address, timer, generation };
}

export function dropAlarms(layer: Layer, address: Address, timers: readonly string[]): void {
  for (const timer of timers) {
    const alarm = layer.get(keys.alarm(address, timer)) as Alarm | undefined;
    if (alarm?.set) layer.delete(keys.timer(alarm.at, address, timer));
    if (alarm) layer.delete(keys.alarm(address, timer));
  }
}
