// Suggestions
// Prints suggested rules, and makes the request body that turns a suggestion into a rule.
//
//   Owns:          the words about a suggested rule; which fields of the engine's answer are read.
//   Does not own:  finding suggestions (the engine), sending the request (commands/rules).

import { z } from "zod";
import { inputText, scopeText } from "../../../machines/index.ts";
import { oneLine } from "../../../runtime/text/visible.ts";
import { agoOf, plural } from "../wording.ts";
import { CONDITION_ANSWERS } from "./terms.ts";
import { trialAnswer } from "./trial.ts";

const suggestionAnswer = z.looseObject({
  id: z.string(),
  rule: z.looseObject({
    effect: z.literal("allow"),
    ...CONDITION_ANSWERS,
    forMs: z.number(),
    note: z.string().exactOptional(),
  }),
  why: z.string(),
  evidence: z.looseObject({
    sessions: z.number(),
    by: z.array(z.looseObject({ name: z.string(), answers: z.number() })),
    first: z.number(),
    last: z.number(),
    examples: z.array(z.string()),
  }),
  trial: trialAnswer,
  width: z.array(z.string()),
});
type SuggestionAnswer = z.infer<typeof suggestionAnswer>;

export const suggestionsAnswer = z.looseObject({ items: z.array(suggestionAnswer), more: z.boolean() });

export const bodyOf = ({ rule: { match, ...rule } }: SuggestionAnswer): object => ({
  ...rule,
  ...(match && { match: match.kind === "exact" ? { kind: "exact", inputHash: match.inputHash } : match }),
});

function suggestionLines(suggestion: SuggestionAnswer, now: number): string {
  const { id, rule, why, evidence, trial, width } = suggestion;
  const { sessions, by, first, last, examples } = evidence;
  const names = by.map(({ name, answers }) => `${name} ${answers}`).join(", ");
  const { asked, allow, differing } = trial;
  const lines = [
    `${id}: ${rule.effect} ${rule.tool} ${inputText(rule)} (${scopeText(rule)}; for ${agoOf(0, rule.forMs)})`,
    `  why: ${why}`,
    `  by: ${names}; in ${plural(sessions, "session")}, from ${agoOf(first, now)} to ${agoOf(last, now)} ago`,
    `  such as: ${examples.join(" | ")}`,
    `  tried: it would have allowed ${allow} of ${plural(asked, "approval")}, otherwise than a person ${plural(differing, "time")}`,
    `  would also allow: ${width.join(" | ")}`,
  ];
  return lines.map((line) => oneLine(line)).join("\n");
}

export function suggestionsText(items: readonly SuggestionAnswer[], now: number): string {
  if (items.length === 0)
    return "No rule is suggested: fewer than five answers agree, or rules answer them already.";
  return `${items.map((each) => suggestionLines(each, now)).join("\n\n")}\n\nTake one: \`npx signalbox rules suggest --take ID\`, or with --dry to let it count first.`;
}
