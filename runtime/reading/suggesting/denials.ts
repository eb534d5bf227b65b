// Denials
// Stores people's denials, and drops each candidate (a rule that may be suggested) that contradicts one of them.
//
//   Owns:          when a candidate contradicts a denial.
//   Does not own:  what a rule allows or denies (machines/rules), how far back denials are read (suggestions).
//   Decided in:    docs/decisions/0080-rules-are-suggested-from-answers.md.
//
// SUGGESTING-DENIALS-1. A candidate is dropped if it would allow a call that a person denied, whatever the call's folder, and
//     whether or not the call has risk marks.
// SUGGESTING-DENIALS-2. A candidate is dropped if a rule to deny with the candidate's pattern would match a call that a person
//     denied. If the pattern has an open word, the candidate is dropped even if only the words before the open word agree with
//     the denied command. Denied calls with a risk mark do not count for this claim, because no suggested rule allows calls with
//     a risk mark.
// SUGGESTING-DENIALS-3. If the input of a denied call is not stored, every candidate for the same tool whose pattern has an open
//     part is dropped.

import { setImmediate as nextTick } from "node:timers/promises";
import { NOTHING_GUARDED, type RuleTerms, rulingsOfEach } from "../../../machines/index.ts";
import { isSameKind, subjectsOf } from "../../../machines/rules/subject.ts";
import { SHELL } from "../../../machines/rules/terms.ts";
import type { PastApproval } from "../../rows/past-approvals.ts";
import type { Candidate } from "./candidates.ts";
import type { Marking } from "../backtest/once.ts";

const AT_ONCE = 20;

export class Denials {
  readonly #readable = new Map<string, PastApproval>();
  readonly #lost = new Set<string>();
  readonly #marking: Marking;

  constructor(marking: Marking) {
    this.#marking = marking;
  }

  add(past: PastApproval): void {
    const { tool, input, shell, cwd } = past;
    if (!input || !("text" in input)) this.#lost.add(shell ? SHELL : tool);
    else this.#readable.set(JSON.stringify([tool, input.hash, cwd]), { ...past, isAmbiguous: false });
  }

  /** @returns the candidates that contradict no denial, in the given order. */
  async leave(candidates: readonly Candidate[]): Promise<readonly Candidate[]> {
    let left: readonly Candidate[] = candidates.filter(
      ({ terms, pattern }) => pattern.open.length === 0 || !this.#isLost(terms),
    );
    let seen = 0;
    for (const denial of this.#readable.values()) {
      if ((seen += 1) % AT_ONCE === 0) await nextTick();
      left = withoutDenied(left, denial, this.#marking(denial).isMarked());
    }
    return left;
  }

  #isLost({ tool }: RuleTerms): boolean {
    return [...this.#lost].some((lost) => isSameKind(lost, tool));
  }
}

function withoutDenied(
  candidates: readonly Candidate[],
  denial: PastApproval,
  isMarked: boolean,
): readonly Candidate[] {
  const forms = candidates.map((each) => formsOf(each, isMarked));
  // No rule in force allows a call that reaches Signalbox's own files or ports. This comparison leaves that protection out
  // (NOTHING_GUARDED), so that a denial of such a call also drops a candidate whose terms alone would allow the call.
  const said = rulingsOfEach(forms.flat(), denial, NOTHING_GUARDED);
  let from = 0;
  return candidates.filter((each, n) => {
    const its = said.slice(from, (from += forms[n]?.length ?? 0));
    return (
      its.every((ruling) => ruling === undefined || ruling.effect === "ask") && !isSameText(each, denial)
    );
  });
}

function formsOf({ terms, pattern }: Candidate, isMarked: boolean): readonly RuleTerms[] {
  const { project: _, unmarked: _unmarked, ...anywhere } = terms;
  if (isMarked) return [anywhere];
  const denying: RuleTerms = { ...anywhere, effect: "deny" };
  if (pattern.head === undefined) return [anywhere, denying];
  return [anywhere, denying, { ...denying, match: { kind: "prefix", text: pattern.head } }];
}

/**
 * True if the denied command or path is also one of the candidate's, although the inputs differ, for example in a description.
 */
function isSameText({ terms, groups }: Candidate, { tool, input }: PastApproval): boolean {
  if (terms.match?.kind !== "exact" || terms.tool !== tool || !input || !("text" in input)) return false;
  const denied = ownTextOf(tool, input.text);
  if (denied === undefined) return false;
  return groups.some(({ texts }) => [...texts].some((text) => ownTextOf(tool, text) === denied));
}

function ownTextOf(tool: string, text: string): string | undefined {
  const { own, commands } = subjectsOf(tool, JSON.parse(text));
  return own?.text ?? commands[0];
}
