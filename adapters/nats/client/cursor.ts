// Cursor
// A subscriber's place in the log of changes, as a text that the subscriber stores.
//
//   Owns:          which texts may be a cursor; the cursor of each change in a page.
//   Does not own:  storing the cursor (the subscriber), whether it is still valid (the engine).

import { RefusedError } from "../../../runtime/errors/errors.ts";

const PLACE = /^[A-Za-z0-9_-]{1,200}-\d{1,15}$/;
/** A cursor of an earlier client, into the stream. It fits no log, so the feed gets a gap and starts at the beginning. */
const OF_STREAM = /^\d{1,15}@[\d:.TZ-]{20,35}$/;
const NOWHERE = "stream-0";

export function readCursor(text: string): string {
  if (PLACE.test(text)) return text;
  if (OF_STREAM.test(text)) return NOWHERE;
  throw new RefusedError(
    "BAD_CURSOR",
    `${JSON.stringify(text.slice(0, 60))} is no cursor of a change.`,
    'Give the cursor of the last change as it came, or "start", or "now".',
    "from",
  );
}

/** @param page any place in the same log. @param n the change's number in the log. */
export const cursorAt = (page: string, n: number): string => `${page.slice(0, page.lastIndexOf("-"))}-${n}`;
