// More
// News of an approval after it was printed: better words that say why, that it can be answered here now, whom it is assigned to.
//
//   Owns:          which news is reported.
//   Does not own:  receiving changes (follow.ts), the printed lines (telling.ts).

import { isWatched } from "../../../runtime/channels.ts";
import type { Found } from "../approval/index.ts";

export interface More {
  /** Whether better words say why the call is made. */
  readonly words: boolean;
  /** Whether an answer given here now reaches the agent. */
  readonly reach: boolean;
  /** Whether it was assigned, or that was taken back. */
  readonly assigned: boolean;
}

export const moreOf = (known: Found, now: Found): More => ({
  words: now.call?.intent !== undefined && now.call.intent.text !== known.call?.intent?.text,
  reach: isWatched(known.approval) && !isWatched(now.approval),
  assigned: known.approval.assigned?.at !== now.approval.assigned?.at,
});

/** Whether its call was found, or has other words, or words of another source. */
export const isMoreKnown = ({ call: before }: Found, { call }: Found): boolean =>
  before?.intent?.text !== call?.intent?.text || before?.intent?.source !== call?.intent?.source;
