// Intent words
// Where the words about a call come from, as people read it.
//
//   Owns:          the sentences. The inbox needs them at once, and of the other words none (words.ts).
//   Does not own:  finding the words (adapters/intent).

import type { CallView } from "../../../../runtime/rows/views.ts";

type Intent = NonNullable<CallView["intent"]>;

const SOURCES: Readonly<Record<Intent["source"], string>> = {
  message: "said by the agent before the call",
  parent: "said by the agent before, in the same turn",
  display: "as the client shows it",
  description: "the call's own description",
  prompt: "from what was asked for",
};

/** Where the words about a call come from, and how sure it is that they are about this one. */
export const meaningOfIntent = ({ source, confidence }: Intent): string =>
  `${SOURCES[source]}${confidence === "certain" ? "" : `, ${confidence}`}`;

/** The same for who looks closely: how sure in each case, and where the words stand in the transcript. */
export const placeOfIntent = ({ source, confidence, line }: Intent): string =>
  `${SOURCES[source]}, ${confidence}${line === undefined ? "" : `, line ${line} of the transcript`}`;
