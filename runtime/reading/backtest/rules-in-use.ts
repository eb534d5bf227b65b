// Rules in use
// The rules that are tried, as they would be at each moment of the history: how often each was used, when it ends.
//
//   Owns:          their state while a trial goes on.
//   Does not own:  what a limit does (machines/rules/terms), which rule answers (ruling).
//
// RULES-IN-USE-1. A rule begins unused and enforced, whatever became of it. Each answer that it gives uses it as it
//     would be used up for real; a call that is left to a person uses none.
// RULES-IN-USE-2. Whatever length of time a rule was given begins with the history.

import { afterUse, type RuleTerms, type Ruling, type Usable } from "../../../machines/index.ts";

/** A rule that was made has an id. `forMs`: it ends so long after the history begins. */
export type Tried = RuleTerms & { readonly id?: string; readonly forMs?: number };

type InUse = Usable & { readonly id?: string };

export class RulesInUse {
  readonly #rules: InUse[];
  /** The same rules without what limits them in time and number; undefined where nothing does. */
  readonly unlimited: readonly InUse[] | undefined;

  /** @param beginsAt when the history begins, ms. */
  constructor(tried: readonly Tried[], beginsAt: number) {
    this.#rules = tried.map((rule) => begun(rule, beginsAt));
    this.unlimited = this.#rules.some(isLimited) ? this.#rules.map(withoutLimits) : undefined;
  }

  /** As they are now, in the order in which they were given. */
  get rules(): readonly InUse[] {
    return this.#rules;
  }

  /** Counts an answer (RULES-IN-USE-1). @param at ms. */
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
