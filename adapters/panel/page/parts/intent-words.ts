// Intent words
// Sentences about an intent: where the agent's words about a call come from.
//
//   Owns:          the sentences. The inbox needs only these, so they are apart from the other words (words.ts).
//   Does not own:  finding the intent (adapters/intent).

import type { CallView } from "../../../../runtime/rows/views.ts";

type Intent = NonNullable<CallView["intent"]>;

const SOURCES: Readonly<Record<Intent["source"], string>> = {
  message: "said by the agent before the call",
  parent: "said by the agent before, in the same turn",
  display: "as the client shows it",
  description: "the call's own description",
  prompt: "from what was asked for",
};

/** Where the words about a call come from, and how certain it is that they are about this call. */
export const meaningOfIntent = ({ source, confidence }: Intent): string =>
  `${SOURCES[source]}${confidence === "certain" ? "" : `, ${confidence}`}`;

/** The same sentence, always with the certainty, and with the line of the transcript that has the words. */
export const placeOfIntent = ({ source, confidence, line }: Intent): string =>
  `${SOURCES[source]}, ${confidence}${line === undefined ? "" : `, line ${line} of the transcript`}`;
