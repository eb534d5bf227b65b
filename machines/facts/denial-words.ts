// Denial words
// What a further word about a denied call adds to what is known of its denial.
//
//   Owns:          which of two words about who denied a call is kept.
//   Does not own:  what a source's words mean (routing/outcomes), which event leads to which state (tool-call).
//
// C4.   Any word of who denied a call takes the place of a denial that was inferred; a more exact one that of a vaguer.

import { type CallContext, type CallEvent, type Denial, isTentative } from "./call-facts.ts";

/** What a further word about a denied call adds. */
export function confirmDenial(
  context: CallContext,
  event: CallEvent,
): Pick<Partial<CallContext>, "denial" | "observed"> {
  const known = context.denial;
  if (event.type !== "denied" || !known) return {};
  const word = event.denial;
  const message = known.message ?? word.message;
  return {
    denial: {
      ...(isOurs(known) ? known : better(known, word)),
      ...(message !== undefined && { message }),
      predicted: known.predicted && word.predicted,
    },
    ...(!word.predicted && context.observed !== "ran" && { observed: "not-run" }),
  };
}

/** To the client an answer from here is a hook's, like any other: that is no news. */
const isOurs = ({ cause, approvalId }: Denial): boolean => cause === "direct" && approvalId !== undefined;

/** C4: who denied it, by what was known and by a further word. */
function better(known: Denial, word: Denial): Denial {
  // Nobody had said who denied it, so any statement is better, and better than one read from the text of a failure.
  if (known.cause === "inferred" || (known.cause !== "cascade" && isTentative(known))) return word;
  if (known.predicted && !word.predicted && word.cause === "hook") return word;
  if (known.by === LISTED && word.cause !== "cascade") return { ...known, cause: word.cause, ...by(word) };
  if (known.by === LISTED) return word.predicted ? known : word;
  if (known.cause === "cascade" && word.by === LISTED) return word;
  return known.cause === "direct" && word.cause === "hook" ? { ...known, cause: "hook" } : known;
}

const by = (denial: Denial): Pick<Denial, "by"> => (denial.by === undefined ? {} : { by: denial.by });

/** Who denied a call that the client's list of denials names: it does not say. */
export const LISTED = "client";
