// Rules in use
// The rules of a trial as they would be at each moment of the history: how often each was used, when each ends.
//
//   Owns:          the state of the rules during a trial.
//   Does not own:  the effect of a limit (machines/rules/terms), which rule answers (ruling).
//
// RULES-IN-USE-1. Each rule begins unused and enforced, whatever happened to it in reality. Each answer uses up the rule
//     as in reality. A call that is left to a person uses up nothing.
// RULES-IN-USE-2. The length of time that a rule was given begins with the history.

import { afterUse, type RuleTerms, type Ruling, type Usable } from "../../../machines/index.ts";

/** A rule of a trial. Only a rule that was made has an id. `forMs`: the rule ends so long after the history begins. */
export type Tried = RuleTerms & { readonly id?: string; readonly forMs?: number };

type InUse = Usable & { readonly id?: string };

export class RulesInUse {
  readonly #rules: InUse[];
  /** The same rules without limits in time and number; undefined if no rule has one. */
  readonly unlimited: readonly InUse[] | undefined;

  constructor(tried: readonly Tried[], beginsAt: number) {
    this.#rules = tried.map((rule) => begun(rule, beginsAt));
    this.unlimited = this.#rules.some(isLimited) ? this.#rules.map(withoutLimits) : undefined;
  }

  /** The rules as they are now, in the order given. */
  get rules(): readonly InUse[] {
    return this.#rules;
  }

  /** Counts an answer of a rule (RULES-IN-USE-1). @param at ms. */
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
