// Intent words
// The words around an intent: who said it, and how certain it is that it is about the call.
//
//   Owns:          the words around an intent. They are not in words.ts, so that the inbox need not load words.ts.
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

export const leadOfIntent = ({ source }: Intent): string => `${LEADS[source]}: `;

/** How certain it is that the words are about this call; empty if it is certain. */
export const doubtOfIntent = ({ confidence }: Intent): string =>
  confidence === "certain" ? "" : ` (${confidence})`;

/** How certain the words are, and which line of the transcript has them. */
export const placeOfIntent = (intent: Intent): string =>
  doubtOfIntent(intent) + (intent.line === undefined ? "" : ` · line ${intent.line} of the transcript`);
