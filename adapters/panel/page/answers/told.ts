// Told
// Says the figures of the answers view in sentences.
//
//   Owns:          the wording of sentences about the answers.
//   Does not own:  the figures in the sentences (the engine), tables of the figures (rows.tsx).

import type { Answers, AnswersRow } from "../../../../runtime/reading/figures/answers.ts";
import type { AfterDenials } from "../../../../runtime/reading/figures/after-denial.ts";
import { counted } from "../parts/counted.ts";
import { duration } from "../parts/time.tsx";

type Ender = "person" | "client" | "rule" | "model" | "nobody" | "waiting";

/** Who can settle an approval, in the order of the parts of a bar. */
export const ENDERS: readonly { readonly key: Ender; readonly name: string }[] = [
  { key: "person", name: "A person here" },
  { key: "client", name: "At the client" },
  { key: "rule", name: "A rule" },
  { key: "model", name: "A model" },
  { key: "nobody", name: "Nobody" },
  { key: "waiting", name: "Waits" },
];

/** Lists the counts that are not zero, as in `12 answered by rules, 3 answered by a model`. */
const someOf = (parts: readonly (readonly [count: number, what: string])[]): string =>
  parts
    .filter(([n]) => n > 0)
    .map(([n, what]) => `${n.toLocaleString()} ${what}`)
    .join(", ");

/** A sentence that sums up the answers. @param when the days in words, such as `in the last 30 days`. */
export function summaryOf({ all, more }: Pick<Answers, "all" | "more">, when: string): string {
  const asked = `${more ? "More than " : ""}${counted(all.asked, "approval")} came ${when}`;
  const whom = someOf([
    [all.person, "answered here"],
    [all.client, "answered at the client"],
    [all.rule, "answered by rules"],
    [all.model, "answered by a model"],
    [all.nobody, "answered by nobody"],
    [all.waiting, "waiting"],
  ]);
  return `${asked}: ${whom}. ${waitsOf(all)}`;
}

function waitsOf({ waitMs: { count: known, p50, p90, longest } }: AnswersRow): string {
  if (known === 0) return "How long people took to answer is not known.";
  if (p50 === undefined || p90 === undefined) return `The longest answer here took ${duration(longest)}.`;
  return `Half of the answers here came within ${duration(p50)}, nine of ten within ${duration(p90)}; the longest took ${duration(longest)}.`;
}

/**
 * Says what agents did after a denial. @param denied the number of all denials; `denials` counts only those whose call is still
 * stored, because only for these is it known what the agent did next.
 */
export function afterText({ denials, same, changed, other, none }: AfterDenials, denied: number): string {
  const next = [
    [same, "the same call again"],
    [changed, "the same tool with another input"],
    [other, "another tool"],
    [none, "nothing more"],
  ] as const;
  const told = next.filter(([n]) => n > 0).map(([n, what]) => `${what} (${n.toLocaleString()})`);
  const known = denials < denied ? `${denials.toLocaleString()} of ` : "";
  return `What agents did after ${known}${counted(Math.max(denials, denied), "denial")}: ${told.join(", ")}.`;
}
