// Time
// Writes durations and times in words.
//
//   Owns:          the wording of durations and times.
//   Does not own:  the clock (engine).

import { now } from "../engine/engine.ts";
import { useValue } from "../engine/value.ts";

/** Writes a duration in its largest whole unit. @returns "4 s", "3 min", "2 h", "5 d". */
function span(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}

/** Writes how long something took. @returns "12 ms", "0.9 s", "8.0 s", and from 10 s on what `span` returns. */
export function duration(ms: number): string {
  if (ms < 100) return `${Math.max(0, Math.round(ms))} ms`;
  const tenths = Math.round(ms / 100);
  return tenths < 100 ? `${(tenths / 10).toFixed(1)} s` : span(ms);
}

/** A time as a clock shows it. @param at ms. */
export const clockOf = (at: number): string =>
  new Date(at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });

/** Shows how long ago something was, and goes on counting. @param at ms. */
export function Since({ at }: { readonly at: number }) {
  return <At at={at} words={span(useValue(now) - at)} />;
}

/** Shows how long it is until a time, and goes on counting; in the last two minutes by seconds. @param at ms. */
export function Until({ at }: { readonly at: number }) {
  return <At at={at} words={leftOf(at - useValue(now))} />;
}

const At = ({ at, words }: { readonly at: number; readonly words: string }) => (
  <time dateTime={new Date(at).toISOString()} title={new Date(at).toLocaleString()}>
    {words}
  </time>
);

function leftOf(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  return seconds < 120 && minutes > 0 ? `${minutes} min ${rest} s` : span(seconds * 1000);
}

/** Shows how long something unfinished has taken so far, and goes on counting. @param from ms. */
export function Lasting({ from }: { readonly from: number }) {
  const current = useValue(now);
  return <span>{duration(Math.max(0, current - from))}</span>;
}
