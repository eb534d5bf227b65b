// Told
// Sentences about a suggestion.
//
//   Owns:          the wording of the sentences about a suggestion.
//   Does not own:  where the sentences are on the page (suggestion.tsx), the figures (the engine).

import type { Suggestion } from "../../../../runtime/reading/suggesting/suggestions.ts";

const DAY_MS = 86_400_000;

export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString()} ${noun}${count === 1 ? "" : "s"}`;

/**
 * The trial of the rule as a sentence: how many approvals it would have answered, how many a day, and whether a person
 * answered otherwise.
 */
export function trialText({ asked, allow, differing, more, days }: Suggestion["trial"]): string {
  const of = `${more ? "the newest " : ""}${counted(asked, "question")}`;
  const saved = `It would have answered ${allow.toLocaleString()} of ${of}${perDay(days)}.`;
  return `${saved} ${differing === 0 ? "No person answered otherwise" : `People answered otherwise ${counted(differing, "time")}`}.`;
}

/** Says how many approvals a day the rule would have answered. Days without an approval do not count. */
function perDay(days: Suggestion["trial"]["days"]): string {
  if (days.length === 0) return "";
  const sum = (name: "asked" | "answered"): number => days.reduce((all, day) => all + day[name], 0);
  const mean = (name: "asked" | "answered"): string =>
    (sum(name) / days.length).toLocaleString(undefined, { maximumFractionDigits: 1 });
  return `: ${mean("answered")} of ${mean("asked")} a day`;
}

/** The text that the rule matches. A rule for one exact input has only a hash, so an example shows that input. */
export function aboutOf({ rule: { match }, evidence }: Suggestion): string {
  return match && match.kind !== "exact" ? match.text : (evidence.examples[0] ?? "");
}

/** The most far-reaching calls that the rule would allow, without the call that the rule itself names. */
export const furtherOf = (suggestion: Suggestion): readonly string[] =>
  suggestion.width.filter((each) => each !== aboutOf(suggestion));

export const endText = ({ forMs }: Suggestion["rule"]): string =>
  `${counted(Math.round(forMs / DAY_MS), "day")} after it is taken.`;
