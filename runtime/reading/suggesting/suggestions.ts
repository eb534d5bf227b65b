// Suggestions
// Suggests rules that would have answered as people did: finds these rules in people's answers, and tries them on past approvals.
//
//   Owns:          the search from past approvals to suggestions, the limits of this search, when a suggested rule ends, the text
//                  of a suggestion.
//   Does not own:  the single steps (answer, candidates, denials, width), the trial (rule-trial), making a rule (door/rule-door).
//   Decided in:    docs/decisions/0080-rules-are-suggested-from-answers.md.
//
// SUGGESTIONS-1. The search changes nothing. A suggestion becomes a rule only if a person makes the rule.
// SUGGESTIONS-2. No suggested rule allows a call with a risk mark, or a call that a person denied, as far as denials are stored.
// SUGGESTIONS-3. The same answers give the same suggestions, byte for byte, in whatever order the answers are read.
// SUGGESTIONS-4. The result that is shown with a suggestion is what a trial of the suggested rule would give.
// SUGGESTIONS-5. The search learns from at most 100,000 approvals, as many as a trial reads, and says if there are older ones.
//     Denials are read beyond that limit, too. (checked by review: a test of so many takes too long)
// SUGGESTIONS-6. A suggested rule for exactly one input contains only the hash of the input. The rule's note shows how the input
//     begins.

import { type Guarded, isIn, type Rule, type RuleTerms, rulingOf } from "../../../machines/index.ts";
import { toolInput } from "../../canonical.ts";
import { answeredBy, type PastApproval } from "../../rows/past-approvals.ts";
import { oneLine } from "../../text/visible.ts";
import { askedBefore } from "../asked-before.ts";
import type { Reader } from "../reader.ts";
import type { Trial } from "../rule-trial.ts";
import { answersBy } from "./answer.ts";
import { type Candidate, Candidates, chosen, type Evidence, evidenceOf } from "./candidates.ts";
import { Denials } from "./denials.ts";
import { type Marking, marksOnce } from "../backtest/once.ts";
import { trialOfEach } from "./trials.ts";
import { widestOf } from "./width.ts";
import { RefusedError } from "../../errors/errors.ts";

export interface Suggestion {
  /** The id, made from the rule: equal rules have equal ids. */
  readonly id: string;
  /** The rule in the form in which a request to make a rule contains it. */
  readonly rule: RuleTerms & { readonly forMs: number };
  readonly why: string;
  readonly evidence: Evidence;
  readonly trial: Trial;
  /** Examples of the widest calls that the rule would allow. */
  readonly width: readonly string[];
}

export interface Suggestions {
  /** The suggestions. Those that save the most approvals come first. */
  readonly items: readonly Suggestion[];
  /** True if there are older approvals that were not read. */
  readonly more: boolean;
}

export interface SuggestionWish {
  readonly workspace: string;
  /** Learns only from sessions that worked in this folder. */
  readonly project?: string;
  /** Learns only from approvals that were requested since this time, ms. */
  readonly since: number;
  readonly limit: number;
  /** The engine's own folders and addresses, which no rule allows a call to reach. */
  readonly guarded: Guarded;
  /** The rules in force. The search does not learn from an approval that one of them would answer. */
  readonly rules: readonly Rule[];
  /** The journal time, ms. */
  readonly at: number;
}

const LEARNT_FROM_MAX = 100_000;
const COMPARED_MAX = 100;
const ITEMS_SHOWN = 3;
const INPUT_WIDTH_MAX = 150;
const FOR_MS = 30 * 24 * 60 * 60 * 1000;

export async function suggestions(reader: Reader, wish: SuggestionWish): Promise<Suggestions> {
  const { workspace, limit, guarded, since } = wish;
  const marking = marksOnce();
  const { candidates, denials, more } = await gathered(reader, wish, marking);
  const left = await undenied(await candidates.most(COMPARED_MAX), denials, limit);
  const scope = { workspace, since, limit: ITEMS_SHOWN, guarded };
  const trials = await trialOfEach(
    reader,
    left.map(({ terms }) => terms),
    scope,
    marking,
  );
  const items = left.flatMap((candidate, n) => {
    const trial = trials[n];
    return trial && trial.differing === 0 && trial.allow > 0 ? [told(candidate, trial, wish)] : [];
  });
  return { items, more };
}

/**
 * SUGGESTIONS-2: chooses candidates, drops those that contradict a denial, and chooses again, so that only chosen candidates need
 * to be compared with denials.
 */
async function undenied(
  candidates: readonly Candidate[],
  denials: Denials,
  limit: number,
): Promise<readonly Candidate[]> {
  const compared = new Set<Candidate>();
  for (let among = candidates; ;) {
    const best = chosen(among, limit);
    const unsure = best.filter((each) => !compared.has(each));
    if (unsure.length === 0) return best;
    const left = new Set(await denials.leave(unsure));
    for (const each of unsure) compared.add(each);
    among = among.filter((each) => !unsure.includes(each) || left.has(each));
  }
}

async function gathered(
  reader: Reader,
  { workspace, project, since, rules, guarded, at }: SuggestionWish,
  marking: Marking,
): Promise<{ readonly candidates: Candidates; readonly denials: Denials; readonly more: boolean }> {
  const [candidates, denials] = [new Candidates(), new Denials(marking)];
  const answerOf = answersBy(marking);
  const known = rules.map(({ dry: _, ...rule }) => rule);
  const isAnswered = (past: PastApproval): boolean =>
    known.length > 0 && rulingOf(known, marking({ ...past, at }), guarded) !== undefined;
  let seen = 0;
  for await (const past of askedBefore(reader, { workspace, since: 0 })) {
    if (answeredBy(past) === "deny") denials.add(past);
    if (past.at < since || (seen += 1) > LEARNT_FROM_MAX) continue;
    if (project !== undefined && !isIn(project, past.cwd)) continue;
    const answer = answerOf(past);
    if (answer && !isAnswered(past)) candidates.add(answer);
  }
  return { candidates, denials, more: seen > LEARNT_FROM_MAX };
}

/** A sentence for the note of a rule that has only the hash of its input (SUGGESTIONS-6). */
const inputTold = ({ match }: RuleTerms, input: string): string =>
  match?.kind === "exact" ? ` The input: ${oneLine(input, INPUT_WIDTH_MAX)}` : "";

function told(candidate: Candidate, trial: Trial, { workspace, guarded }: SuggestionWish): Suggestion {
  const { terms, pattern } = candidate;
  const evidence = evidenceOf(candidate);
  const [example = ""] = evidence.examples;
  const people = evidence.by.length === 1 ? "one person" : `${evidence.by.length} people`;
  const same = pattern.open.length === 0 ? "to the same call" : `to ${evidence.different} similar calls`;
  const why = `${evidence.answers} answers by ${people}, ${same}, all allowed; no similar call was denied.`;
  return {
    id: `s_${toolInput({ workspace, ...terms }).hash.slice(0, 12)}`,
    rule: { ...terms, forMs: FOR_MS, note: `Suggested: ${why}${inputTold(terms, example)}` },
    why,
    evidence,
    trial,
    width: widestOf(terms, example, guarded),
  };
}

const DEFAULT = 25;
const MOST = 50;

/** @throws RefusedError BAD_LIMIT */
export function suggestedMost(limit = DEFAULT): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= MOST) return limit;
  throw new RefusedError(
    "BAD_LIMIT",
    `limit must be 1 to ${MOST}.`,
    "Correct the parameter, or leave it out.",
    "limit",
  );
}
