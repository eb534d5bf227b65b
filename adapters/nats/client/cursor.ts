// Cursor
// Where a subscriber stands in the stream of changes, as a text it can keep.
//
//   Owns:          its form.
//   Does not own:  keeping it (the subscriber), whether it still holds (feed).

import { RefusedError } from "../../../runtime/errors.ts";

export interface Position {
  /** When the stream was made: another one starts counting again. */
  readonly created: string;
  /** The last sequence number before which nothing is to be read any more. */
  readonly sequence: number;
}

export const writeCursor = ({ created, sequence }: Position): string => `${sequence}@${created}`;

/** @throws RefusedError BAD_CURSOR */
export function readCursor(text: string): Position {
  const [, sequence, created] = /^(\d{1,15})@([\d:.TZ-]{20,35})$/.exec(text) ?? [];
  if (sequence !== undefined && created !== undefined) return { created, sequence: Number(sequence) };
  throw new RefusedError(
    "BAD_CURSOR",
    `${JSON.stringify(text.slice(0, 60))} is no cursor of a change.`,
    'Give the cursor of the last change as it came, or "start", or "now".',
    "from",
  );
}
