// Intent words
// What stands around an intent: whose words they are, and how certain it is that they are about the call.
//
//   Owns:          these words. The inbox needs only these, so they are apart from the other words (words.ts).
//   Does not own:  finding the intent (adapters/intent).

import type { CallView } from "../../../../runtime/rows/views.ts";

type Intent = NonNullable<CallView["intent"]>;

const LEADS: Readonly<Record<Intent["source"], string>> = {
  message: "The agent says",
  parent: "The agent said before, in the same turn",
  display: "The client shows",
  description: "The call describes itself",
  prompt: "Asked for",
};

/** What stands before the words about a call: whose they are. */
export const leadOfIntent = ({ source }: Intent): string => `${LEADS[source]}: `;

/** How certain it is that the words are about this call; empty if it is certain. */
export const doubtOfIntent = ({ confidence }: Intent): string =>
  confidence === "certain" ? "" : ` (${confidence})`;

/** How certain the words are, and which line of the transcript has them. */
export const placeOfIntent = (intent: Intent): string =>
  doubtOfIntent(intent) + (intent.line === undefined ? "" : ` · line ${intent.line} of the transcript`);
