// Tally
// Counts what a trial of rules has found so far, and stores the cases that its result shows: approvals that the rules would
// have answered or asked about, and calls that they would have denied or asked about.
//
//   Owns:          the counts of a trial, in all and by day; choosing the cases that the result shows.
//   Does not own:  running the trial (rule-trial).
//
// BACKTEST-TALLY-1. The result shows first the cases where a person answered otherwise than the rules, newest first; then the
//     other cases, newest first.

import { defined, type RuleEffect } from "../../../machines/index.ts";
import { answeredBy, type PastApproval } from "../../rows/past-approvals.ts";
import type { UnaskedCall } from "./moments.ts";

export interface TrialItem {
  readonly approvalId: string;
  readonly sessionId: string;
  readonly tool: string;
  readonly askedAt: number;
  /** How the tool input begins. */
  readonly input: string;
  /** What the rules would have answered. */
  readonly would: RuleEffect;
  /** The id of the rule that would have answered; absent if the rule is only tried, not stored. */
  readonly rule?: string;
  readonly state: string;
  readonly by?: string;
  /** True if a person answered otherwise than the rules. */
  readonly differs: boolean;
}

/** A call that ran without an approval, and that the rules would have denied or asked about. */
export interface UnaskedItem {
  readonly callId: string;
  readonly sessionId: string;
  readonly tool: string;
  readonly at: number;
  readonly input: string;
  readonly would: "deny" | "ask";
  readonly rule?: string;
}

export interface TrialDay {
  readonly day: string;
  readonly asked: number;
  readonly answered: number;
}

export interface Unasked {
  /** How many calls without an approval were read. */
  readonly calls: number;
  readonly deny: number;
  readonly ask: number;
  /** The calls that the rules would have denied or asked about, newest first. */
  readonly items: readonly UnaskedItem[];
  /** True if there are older calls that were not read. */
  readonly more: boolean;
}

export interface Trial {
  /** How many approvals were read. */
  readonly asked: number;
  readonly allow: number;
  readonly deny: number;
  readonly ask: number;
  readonly differing: number;
  /** How many more approvals the rules would have answered without their limits of uses, of uses within an hour, and of time. */
  readonly limited: number;
  /** How many approvals were requested each day (UTC), and how many of these the rules would have answered; newest first. */
  readonly days: readonly TrialDay[];
  /**
   * The approvals that the rules would have answered or asked about: first those that a person answered otherwise, then the
   * others; both newest first.
   */
  readonly items: readonly TrialItem[];
  /** True if there are older approvals that were not read. */
  readonly more: boolean;
  /** What the trial found about calls without an approval; absent if the trial did not read these calls. */
  readonly unasked?: Unasked;
}

export interface Said {
  readonly effect: RuleEffect;
  readonly rule: { readonly id?: string };
}

const INPUT_SHOWN = 300;
const DAY_MS = 24 * 60 * 60 * 1000;

export class Tally {
  readonly #counts = { asked: 0, allow: 0, deny: 0, ask: 0, differing: 0, limited: 0 };
  /** The counts of each day, by the number of days since 1970 (UTC). */
  readonly #days = new Map<number, { asked: number; answered: number }>();
  readonly #differing: Newest<TrialItem>;
  readonly #others: Newest<TrialItem>;
  readonly #unasked = { calls: 0, deny: 0, ask: 0 };
  readonly #unaskedItems: Newest<UnaskedItem>;
  readonly #limit: number;

  /** @param limit how many cases of each kind are stored. @param isNewestFirst true if cases are added newest first. */
  constructor(limit: number, isNewestFirst = false) {
    this.#limit = limit;
    this.#differing = new Newest(limit, isNewestFirst);
    this.#others = new Newest(limit, isNewestFirst);
    this.#unaskedItems = new Newest(limit, false);
  }

  /**
   * Counts an approval.
   * @param said what the rules would have answered; undefined if no rule answers.
   * @param isLimited true if a rule would answer if it had no limits.
   */
  asked(past: PastApproval, said: Said | undefined, isLimited: boolean): void {
    this.#counts.asked += 1;
    const its = this.#dayOf(past.at);
    its.asked += 1;
    if (isLimited) this.#counts.limited += 1;
    if (!said) return;
    const item = itemOf(past, said);
    this.#counts[item.would] += 1;
    if (item.would !== "ask") its.answered += 1;
    if (item.differs) this.#counts.differing += 1;
    (item.differs ? this.#differing : this.#others).add(item);
  }

  #dayOf(at: number): { asked: number; answered: number } {
    const day = Math.floor(at / DAY_MS);
    const known = this.#days.get(day);
    if (known) return known;
    const its = { asked: 0, answered: 0 };
    this.#days.set(day, its);
    return its;
  }

  unasked(call: UnaskedCall, said: Said | undefined): void {
    this.#unasked.calls += 1;
    if (!said || said.effect === "allow") return;
    this.#unasked[said.effect] += 1;
    const { callId, sessionId, tool, at } = call;
    const its = { callId, sessionId, tool, at, input: inputOf(call), would: said.effect };
    this.#unaskedItems.add({ ...its, ...defined({ rule: said.rule.id }) });
  }

  /** @param moreCalls true if there are older calls that were not read; undefined if no calls were read. */
  result(more: boolean, moreCalls: boolean | undefined): Trial {
    return {
      ...this.#counts,
      days: [...this.#days]
        .sort(([one], [other]) => other - one)
        .map(([day, its]) => ({ day: new Date(day * DAY_MS).toISOString().slice(0, 10), ...its })),
      items: [...this.#differing.all, ...this.#others.all].slice(0, this.#limit),
      more,
      ...(moreCalls !== undefined && {
        unasked: { ...this.#unasked, items: this.#unaskedItems.all, more: moreCalls },
      }),
    };
  }
}

/** Collects the newest cases. */
class Newest<T> {
  readonly #max: number;
  readonly #isNewestFirst: boolean;
  #items: T[] = [];

  /** @param isNewestFirst true if the newest case is added first, false if it is added last. */
  constructor(max: number, isNewestFirst: boolean) {
    this.#max = max;
    this.#isNewestFirst = isNewestFirst;
  }

  add(item: T): void {
    if (this.#isNewestFirst && this.#items.length >= this.#max) return;
    if (this.#items.push(item) >= 2 * this.#max) this.#items = this.#items.slice(-this.#max);
  }

  get all(): readonly T[] {
    return this.#isNewestFirst ? this.#items : this.#items.slice(-this.#max).toReversed();
  }
}

const inputOf = ({ input }: Pick<UnaskedCall, "input">): string =>
  input && "text" in input ? input.text.slice(0, INPUT_SHOWN) : "";

function itemOf(past: PastApproval, { effect: would, rule }: Said): TrialItem {
  const { approvalId, sessionId, tool, at: askedAt, state, by } = past;
  const answered = answeredBy(past);
  return {
    approvalId,
    sessionId,
    tool,
    askedAt,
    input: inputOf(past),
    would,
    ...defined({ rule: rule.id }),
    state,
    ...defined({ by }),
    differs: answered !== undefined && would !== "ask" && answered !== would,
  };
}
