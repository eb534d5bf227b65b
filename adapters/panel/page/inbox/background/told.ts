// Told
// Sentences about precedents: earlier answers to the same call.
//
//   Owns:          the wording of these sentences.
//   Does not own:  the figures (runtime/reading/precedents), where the sentences are on the page (background.tsx).

import type { Precedents } from "../../../../../runtime/reading/precedents/precedents.ts";

const times = (count: number): string => (count === 1 ? "once" : `${count.toLocaleString()} times`);

/** @param mine the reader's own name. @returns how often people allowed and denied the same call, and who did. */
export function answeredText({ allowed, denied, byRules, by }: Precedents, mine?: string): string {
  const rules = byRules === 0 ? "" : ` Rules or models answered it ${times(byRules)}.`;
  if (allowed + denied === 0) return `No person has answered it.${rules}`;
  const parts =
    denied === 0
      ? [`Allowed ${times(allowed)}`, "never denied"]
      : allowed === 0
        ? [`Denied ${times(denied)}`, "never allowed"]
        : [`Allowed ${times(allowed)}`, `denied ${times(denied)}`];
  const isOne = by.length === 1;
  const names = by.map(({ name, ...of }) => {
    const who = name === mine ? "you" : name === "" ? "somebody at the agent's own dialog" : name;
    return isOne ? who : `${who} (${of.allowed + of.denied})`;
  });
  return `${parts.join(", ")}: by ${names.join(", ")}.${rules}`;
}

/** @returns a sentence: among how many answers the precedents were counted. */
export const lookedText = ({ looked, more }: Precedents): string =>
  `Counted in this folder, among the ${more ? "newest" : "workspace's"} ${looked.toLocaleString()} ${looked === 1 ? "answer" : "answers"}${more ? " of the workspace" : ""}.`;

/** @returns a sentence: what the rule that these answers agree on is about, and how many of them it would have given. */
export function ruleText({ terms: { tool, match }, allow }: NonNullable<Precedents["rule"]>): string {
  const about = !match
    ? ""
    : match.kind === "exact"
      ? " with this very input"
      : ` ${match.kind === "prefix" ? "that begins with " : ""}“${match.text}”`;
  return `A rule to allow ${tool}${about} here would have given ${allow.toLocaleString()} of these answers, and no other one.`;
}
