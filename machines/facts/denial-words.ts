// Denial words
// Decides which of several reports on who denied one call is kept.
//
//   Owns:          which of two reports on who denied a call is kept.
//   Does not own:  the meaning of a source's report (routing/outcomes), which event leads to which state (tool-call).
//
// C4. A report on who denied a call replaces a denial that was only inferred. A more exact report replaces a vaguer report.

import { type CallContext, type CallEvent, type Denial, isTentative } from "./call-facts.ts";

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

const isOurs = ({ cause, approvalId }: Denial): boolean => cause === "direct" && approvalId !== undefined;

function better(known: Denial, word: Denial): Denial {
  // An inferred denial, or one read from the text of a failure, is less exact than any other report of a denial.
  if (known.cause === "inferred" || (known.cause !== "cascade" && isTentative(known))) return word;
  if (known.predicted && !word.predicted && word.cause === "hook") return word;
  if (known.by === LISTED && word.cause !== "cascade") return { ...known, cause: word.cause, ...by(word) };
  if (known.by === LISTED) return word.predicted ? known : word;
  if (known.cause === "cascade" && word.by === LISTED) return word;
  return known.cause === "direct" && word.cause === "hook" ? { ...known, cause: "hook" } : known;
}

const by = (denial: Denial): Pick<Denial, "by"> => (denial.by === undefined ? {} : { by: denial.by });

/** The name for whoever denied a call that the client's list of denials contains, because the list does not say who denied it. */
export const LISTED = "client";
