// Tally
// What a trial has counted so far, and which cases it tells.
//
//   Owns:          the counts, the days, the cases that are told.
//   Does not own:  the counting (rule-trial).
//
// BACKTEST-TALLY-1. Those where a person answered otherwise are told first, the newest first, then the others.

import { defined, type RuleEffect } from "../../../machines/index.ts";
import { answeredBy, type PastApproval } from "../../rows/past-approvals.ts";
import type { UnaskedCall } from "./moments.ts";

export interface TrialItem {
  readonly approvalId: string;
  readonly sessionId: string;
  readonly tool: string;
  readonly askedAt: number;
  /** The beginning of its input. */
  readonly input: string;
  readonly would: RuleEffect;
  /** The rule that would, if it has been made. */
  readonly rule?: string;
  readonly state: string;
  readonly by?: string;
  /** A person answered otherwise. */
  readonly differs: boolean;
}

/** A call that ran, and that the rules would have denied or asked about. */
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

/** Calls that nobody was asked about. */
export interface Unasked {
  /** How many were looked at. */
  readonly calls: number;
  readonly deny: number;
  readonly ask: number;
  /** The newest first. */
  readonly items: readonly UnaskedItem[];
  /** There are older ones. */
  readonly more: boolean;
}

export interface Trial {
  /** How many approvals were looked at. */
  readonly asked: number;
  readonly allow: number;
  readonly deny: number;
  readonly ask: number;
  readonly differing: number;
  /** How many more they would have answered, but for their uses, their limit for an hour, or their end. */
  readonly limited: number;
  /** By day (UTC), the newest first: how many were asked, and how many of them the rules would have answered. */
  readonly days: readonly TrialDay[];
  /** Those where a person answered otherwise first, then the others, newest first. */
  readonly items: readonly TrialItem[];
  /** There are older ones. */
  readonly more: boolean;
  /** Absent where only approvals were looked at. */
  readonly unasked?: Unasked;
}

/** What a rule says, and which. */
export interface Said {
  readonly effect: RuleEffect;
  readonly rule: { readonly id?: string };
}

const INPUT_SHOWN = 300;
const DAY_MS = 24 * 60 * 60 * 1000;

export class Tally {
  readonly #counts = { asked: 0, allow: 0, deny: 0, ask: 0, differing: 0, limited: 0 };
  /** By the number of days since 1970 (UTC). */
  readonly #days = new Map<number, { asked: number; answered: number }>();
  readonly #differing: Few<TrialItem>;
  readonly #others: Few<TrialItem>;
  readonly #unasked = { calls: 0, deny: 0, ask: 0 };
  readonly #unaskedItems: Last<UnaskedItem>;
  readonly #limit: number;

  /**
   * @param limit how many cases of each kind are told at most.
   * @param isNewestFirst they come the newest first; else the oldest.
   */
  constructor(limit: number, isNewestFirst = false) {
    this.#limit = limit;
    this.#differing = isNewestFirst ? new First(limit) : new Last(limit);
    this.#others = isNewestFirst ? new First(limit) : new Last(limit);
    this.#unaskedItems = new Last(limit);
  }

  /** @param said undefined where no rule says anything. @param isLimited one would, but for what limits it. */
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

  /** @param moreCalls whether there are older calls; undefined where none were looked at. */
  result(more: boolean, moreCalls: boolean | undefined): Trial {
    return {
      ...this.#counts,
      days: [...this.#days]
        .sort(([one], [other]) => other - one)
        .map(([day, its]) => ({ day: new Date(day * DAY_MS).toISOString().slice(0, 10), ...its })),
      items: [...this.#differing.newest(), ...this.#others.newest()].slice(0, this.#limit),
      more,
      ...(moreCalls !== undefined && {
        unasked: { ...this.#unasked, items: this.#unaskedItems.newest(), more: moreCalls },
      }),
    };
  }
}

/** A few of many, the newest. */
interface Few<T> {
  add(item: T): void;
  newest(): readonly T[];
}

class First<T> implements Few<T> {
  readonly #max: number;
  readonly #items: T[] = [];

  constructor(max: number) {
    this.#max = max;
  }

  add(item: T): void {
    if (this.#items.length < this.#max) this.#items.push(item);
  }

  newest(): readonly T[] {
    return this.#items;
  }
}

class Last<T> implements Few<T> {
  readonly #max: number;
  #items: T[] = [];

  constructor(max: number) {
    this.#max = max;
  }

  add(item: T): void {
    if (this.#items.push(item) >= 2 * this.#max) this.#items = this.newest().toReversed();
  }

  /** The last one first. */
  newest(): readonly T[] {
    return this.#items.slice(-this.#max).toReversed();
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
