// Terms
// The fields of a rule that a person sets, and whether a rule is still in force.
//
//   Owns:          the shape of the fields that a person sets in a rule.
//   Does not own:  what each field does (conditions), the fields that the engine adds to a rule (rule).

import type { SessionId } from "../ids.ts";

/** The tool whose rules also apply to the shells of all clients. */
export const SHELL = "Bash";

export type RuleEffect = "deny" | "ask" | "allow";

export type Matcher =
  /** Matches exactly one input. `input` is its canonical text, if that is short enough to show. */
  | { readonly kind: "exact"; readonly inputHash: string; readonly input?: string }
  /** Matches the first words of a command, or a folder and everything in it. */
  | { readonly kind: "prefix"; readonly text: string }
  | { readonly kind: "glob"; readonly text: string };

/** A person who may approve, and the time from which that person's approval counts. */
export interface Approver {
  /** The name under which the person decides: the name of a token, or a NATS subject. */
  readonly name: string;
  /** The person's approval counts only after this long since the approval was requested, ms; if left out, from the beginning. */
  readonly afterMs?: number;
}

export interface Demand {
  readonly rule: string;
  readonly approvals: number;
  /** The only people whose approval counts; if left out, anybody's counts. */
  readonly approvers?: readonly Approver[];
}

export interface RuleTerms {
  readonly effect: RuleEffect;
  /** The name of a tool. A rule to deny or to ask may have the beginning of a name and `*`. */
  readonly tool: string;
  readonly match?: Matcher;
  /** The agent whose calls the rule matches: `main`, the type of a subagent, or an agent's id; if left out, any agent. */
  readonly agent?: string;
  readonly session?: SessionId;
  /** A folder: the rule applies to sessions that work in this folder or below it. */
  readonly project?: string;
  /** When the rule ends, by journal time, ms. */
  readonly expiresAt?: number;
  /** True if the rule matches only calls without a risk mark. Only for a rule to allow. */
  readonly unmarked?: true;
  readonly uses?: number;
  readonly perHour?: number;
  /** The hours of a week in which the rule applies (HOURS-1): `Mon-Fri 09:00-17:00+01:00`. */
  readonly hours?: string;
  /** How many different people must approve. Only for a rule to ask. */
  readonly approvals?: number;
  /** Who may approve. Only for a rule to ask. */
  readonly approvers?: readonly Approver[];
  readonly note?: string;
  /** True if the rule answers nothing, and the engine only counts the answers that it would have given (RULING-8). */
  readonly dry?: true;
}

/** The fields that limit a rule to some calls. */
export type ConditionKind = Exclude<keyof RuleTerms, "effect" | "note" | "dry">;

/** A rule that is stored, or only tried. `used`: how often it answered. `lately`: when, if it has an hourly limit. */
export type Usable = RuleTerms & {
  readonly used?: number;
  readonly usedAt?: number;
  readonly lately?: readonly number[];
};

const HOUR_MS = 3_600_000;

const withinHour = (lately: readonly number[], at: number): readonly number[] =>
  lately.filter((each) => each > at - HOUR_MS);

export function afterUse<R extends Usable>(rule: R, at: number): R & { readonly used: number } {
  const { perHour, used = 0, lately = [] } = rule;
  const recent = perHour === undefined ? {} : { lately: [...withinHour(lately, at), at] };
  return { ...rule, used: used + 1, usedAt: at, ...recent };
}

export const hasRoom = ({ perHour, lately = [] }: Pick<Usable, "perHour" | "lately">, at: number): boolean =>
  perHour === undefined || withinHour(lately, at).length < perHour;

export const isBeforeEnd = ({ expiresAt }: Pick<Usable, "expiresAt">, at: number): boolean =>
  expiresAt === undefined || at < expiresAt;

export const hasUses = ({ uses, used = 0 }: Pick<Usable, "uses" | "used">): boolean =>
  uses === undefined || used < uses;

export const isInForce = (rule: Usable, at: number): boolean => isBeforeEnd(rule, at) && hasUses(rule);
