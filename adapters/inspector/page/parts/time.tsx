// Time
// Spans as people say them.
//
//   Owns:          the words.
//   Does not own:  the clock (engine).

import { now } from "../engine/engine.ts";
import { useValue } from "../engine/value.ts";

/** @param ms a span. @returns "4 s", "3 min", "2 h", "5 d". */
export function span(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}

/** How long ago, going on by itself. @param at ms. */
export function Since({ at }: { readonly at: number }) {
  const current = useValue(now);
  return (
    <time dateTime={new Date(at).toISOString()} title={new Date(at).toLocaleString()}>
      {span(current - at)}
    </time>
  );
}
