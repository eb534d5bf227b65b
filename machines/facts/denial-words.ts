// Denial words
// Combines several reports on who denied one call.
//
//   Owns:          which of two reports on who denied a call is kept.
//   Does not own:  the meaning of a source's report (routing/outcomes), which event leads to which state (tool-call).
//
// C4.   A report on who denied a call replaces an inferred denial. A more exact report replaces a vaguer one.

import { type CallContext, type CallEvent, type Denial, isTentative } from "./call-facts.ts";

/** What a further report adds to the data of a denied call. */
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

/** True if the denial is this engine's own answer. A client reports such an answer only as the answer of some hook. */
const isOurs = ({ cause, approvalId }: Denial): boolean => cause === "direct" && approvalId !== undefined;

/** C4: the more exact of two reports on who denied the call. */
function better(known: Denial, word: Denial): Denial {
  // Any other report is more exact than an inferred denial, or than a denial read from the text of a failure.
  if (known.cause === "inferred" || (known.cause !== "cascade" && isTentative(known))) return word;
  if (known.predicted && !word.predicted && word.cause === "hook") return word;
  if (known.by === LISTED && word.cause !== "cascade") return { ...known, cause: word.cause, ...by(word) };
  if (known.by === LISTED) return word.predicted ? known : word;
  if (known.cause === "cascade" && word.by === LISTED) return word;
  return known.cause === "direct" && word.cause === "hook" ? { ...known, cause: "hook" } : known;
}

const by = (denial: Denial): Pick<Denial, "by"> => (denial.by === undefined ? {} : { by: denial.by });

/** What is recorded as who denied a call of the client's list of denials, because that list names no person or rule. */
export const LISTED = "client";
