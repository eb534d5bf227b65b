// More
// What a person is told of an approval that was told before: better words for why, and that it can be answered here.
//
//   Owns:          which of what becomes known is told.
//   Does not own:  hearing it (follow.ts), the lines (telling.ts).

import { isWatched } from "../../../runtime/channels.ts";
import type { Found } from "../approval/index.ts";

export interface More {
  /** Why the call is made is known better. */
  readonly words: boolean;
  /** Somebody waits for an answer given here now. */
  readonly reach: boolean;
}

export const moreOf = (known: Found, now: Found): More => ({
  words: now.call?.intent !== undefined && now.call.intent.text !== known.call?.intent?.text,
  reach: isWatched(known.approval) && !isWatched(now.approval),
});

/** Whether its call was found, or has other words, or words of another source. */
export const isMoreKnown = ({ call: before }: Found, { call }: Found): boolean =>
  before?.intent?.text !== call?.intent?.text || before?.intent?.source !== call?.intent?.source;
