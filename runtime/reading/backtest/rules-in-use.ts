// Rules in use
// The state of the tried rules at each moment of a trial, which computes how the rules would have answered past approvals: how
// often each rule was used, when each rule ends.
//
//   Owns:          counting the uses of a rule during a trial.
//   Does not own:  the effect of a rule's limits (machines/rules/terms), which rule answers (ruling).
//
// RULES-IN-USE-1. In a trial each rule begins unused and not dry, whatever its real state is. Each answer of a rule counts as a
//     use, as in reality. A call that a rule leaves to a person does not count as a use.
// RULES-IN-USE-2. If a rule was made for a length of time, such as two hours, this length of time begins at the beginning of the
//     time that the trial covers.

import { afterUse, type RuleTerms, type Ruling, type Usable } from "../../../machines/index.ts";

/** A rule that is tried. Only a stored rule has an id. `forMs`: how long after the beginning of the trial the rule ends. */
export type Tried = RuleTerms & { readonly id?: string; readonly forMs?: number };

type InUse = Usable & { readonly id?: string };

export class RulesInUse {
  readonly #rules: InUse[];
  /** The tried rules without their limits of time and of uses; undefined if no rule has such a limit. */
  readonly unlimited: readonly InUse[] | undefined;

  constructor(tried: readonly Tried[], beginsAt: number) {
    this.#rules = tried.map((rule) => begun(rule, beginsAt));
    this.unlimited = this.#rules.some(isLimited) ? this.#rules.map(withoutLimits) : undefined;
  }

  get rules(): readonly InUse[] {
    return this.#rules;
  }

  /** Counts that a rule answered (RULES-IN-USE-1). @param at when the rule answered, ms. */
  use(ruling: Ruling<InUse> | undefined, at: number): void {
    if (!ruling || ruling.effect === "ask" || !isLimited(ruling.rule)) return;
    this.#rules[this.#rules.indexOf(ruling.rule)] = afterUse(ruling.rule, at);
  }
}

function begun({ id, forMs, expiresAt, dry: _, ...terms }: Tried, beginsAt: number): InUse {
  const end = forMs === undefined ? expiresAt : beginsAt + forMs;
  const { used: _used, usedAt: _at, lately: _lately, ...unused }: InUse = terms;
  return { ...unused, ...(id !== undefined && { id }), ...(end !== undefined && { expiresAt: end }) };
}

const isLimited = ({ uses, perHour, expiresAt }: InUse): boolean =>
  uses !== undefined || perHour !== undefined || expiresAt !== undefined;

const withoutLimits = ({ uses: _, perHour: _perHour, expiresAt: _end, ...rule }: InUse): InUse => rule;
