// Terms
// The fields of a rule that a person sets, and whether a rule is still in force.
//
//   Owns:          the fields that a person sets.
//   Does not own:  what each field does (conditions), the fields that the engine adds (rule).

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
  /** The person's approval counts only this long after the approval was requested, ms; at once if left out. */
  readonly afterMs?: number;
}

/** What a rule to ask demands beyond one person's approval. */
export interface Demand {
  readonly rule: string;
  /** How many different approvers must approve. */
  readonly approvals: number;
  /** The only people whose approval counts; anybody's if left out. */
  readonly approvers?: readonly Approver[];
}

export interface RuleTerms {
  readonly effect: RuleEffect;
  /** The name of a tool. A rule to deny or to ask may have the beginning of a name and `*`. */
  readonly tool: string;
  /** Which inputs match; any input if left out. */
  readonly match?: Matcher;
  /** `main`, the type of a subagent, or an agent's id; any agent if left out. */
  readonly agent?: string;
  readonly session?: SessionId;
  /** A folder: the rule applies to sessions that work in this folder or below it. */
  readonly project?: string;
  /** When the rule ends, by journal time, ms. */
  readonly expiresAt?: number;
  /** True if the rule matches only calls without a risk mark. Only for a rule to allow. */
  readonly unmarked?: true;
  /** How many approvals the rule may answer. */
  readonly uses?: number;
  /** How many approvals the rule may answer within any hour. */
  readonly perHour?: number;
  /** The hours of a week in which the rule applies (HOURS-1): `Mon-Fri 09:00-17:00+01:00`. */
  readonly hours?: string;
  /** How many different people must approve. Only for a rule to ask. */
  readonly approvals?: number;
  /** Who may approve. Only for a rule to ask. */
  readonly approvers?: readonly Approver[];
  readonly note?: string;
  /** True if the rule only counts the answers that it would have given, and answers nothing (RULING-8). */
  readonly dry?: true;
}

/** The fields that limit a rule to some calls. */
export type ConditionKind = Exclude<keyof RuleTerms, "effect" | "note" | "dry">;

/** A stored rule, or one that is only tried. `used`: how often it was used; `lately`: when, if it has an hourly limit. */
export type Usable = RuleTerms & {
  readonly used?: number;
  readonly usedAt?: number;
  readonly lately?: readonly number[];
};

const HOUR_MS = 3_600_000;

const withinHour = (lately: readonly number[], at: number): readonly number[] =>
  lately.filter((each) => each > at - HOUR_MS);

/** The rule, after one more answer of it is counted. @param at ms. */
export function afterUse<R extends Usable>(rule: R, at: number): R & { readonly used: number } {
  const { perHour, used = 0, lately = [] } = rule;
  const recent = perHour === undefined ? {} : { lately: [...withinHour(lately, at), at] };
  return { ...rule, used: used + 1, usedAt: at, ...recent };
}

/** RULING-4: true if the hourly limit of the rule is not reached. */
export const hasRoom = ({ perHour, lately = [] }: Pick<Usable, "perHour" | "lately">, at: number): boolean =>
  perHour === undefined || withinHour(lately, at).length < perHour;

/** RULING-4: true if the rule has not expired. */
export const isBeforeEnd = ({ expiresAt }: Pick<Usable, "expiresAt">, at: number): boolean =>
  expiresAt === undefined || at < expiresAt;

/** RULING-4: true if the rule may answer further approvals. */
export const hasUses = ({ uses, used = 0 }: Pick<Usable, "uses" | "used">): boolean =>
  uses === undefined || used < uses;

export const isInForce = (rule: Usable, at: number): boolean => isBeforeEnd(rule, at) && hasUses(rule);
