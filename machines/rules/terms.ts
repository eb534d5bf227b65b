// Terms
// What a person says of a rule, and whether a rule is still in force.
//
//   Owns:          the fields of a rule that a person chooses.
//   Does not own:  what each of them does (conditions), what the engine adds to them (rule).

import type { SessionId } from "../ids.ts";

/** The tool whose rules hold for every shell. */
export const SHELL = "Bash";

export type RuleEffect = "deny" | "ask" | "allow";

export type Matcher =
  /** Exactly this input. `input` is its canonical text, if that is short enough to show. */
  | { readonly kind: "exact"; readonly inputHash: string; readonly input?: string }
  /** The first words of a command, or a folder. */
  | { readonly kind: "prefix"; readonly text: string }
  | { readonly kind: "glob"; readonly text: string };

/** Who may approve, and from when on. */
export interface Approver {
  /** As they are named where they decide: by their token, or by their NATS subject. */
  readonly name: string;
  /** How long after the approval was asked for it begins to count, ms; at once if left out. */
  readonly afterMs?: number;
}

/** What a rule to ask wants beyond one person's approval. */
export interface Demand {
  /** The rule's id. */
  readonly rule: string;
  /** How many different people must approve. */
  readonly approvals: number;
  /** Only these; anybody if it is left out. */
  readonly approvers?: readonly Approver[];
}

/** What a person says of a rule. */
export interface RuleTerms {
  readonly effect: RuleEffect;
  /** A tool's name; for a rule to deny or to ask also its beginning and `*`. */
  readonly tool: string;
  /** Any input if it is left out. */
  readonly match?: Matcher;
  /** `main`, a subagent's type, or its id; any agent if it is left out. */
  readonly agent?: string;
  readonly session?: SessionId;
  /** A folder: the session works in it, or below it. */
  readonly project?: string;
  /** On the journal's clock, ms. */
  readonly expiresAt?: number;
  /** Only a call that bears no risk's mark. Only to allow. */
  readonly unmarked?: true;
  /** How many approvals it may answer. */
  readonly uses?: number;
  /** How many it may answer within any hour. */
  readonly perHour?: number;
  /** The hours of a week in which it holds (HOURS-1): `Mon-Fri 09:00-17:00+01:00`. */
  readonly hours?: string;
  /** How many different people must approve what it asks about. Only to ask. */
  readonly approvals?: number;
  /** Who may approve what it asks about. Only to ask. */
  readonly approvers?: readonly Approver[];
  readonly note?: string;
  /** It answers nothing: what it would have answered is counted (RULING-8). */
  readonly dry?: true;
}

/** What limits a rule to some calls: all that is said of it, but what it does, and why. */
export type ConditionKind = Exclude<keyof RuleTerms, "effect" | "note" | "dry">;

/** A rule, or one that is tried: `used` says how often it was, `lately` when, where it has a limit for an hour. */
export type Usable = RuleTerms & {
  readonly used?: number;
  readonly usedAt?: number;
  readonly lately?: readonly number[];
};

const HOUR_MS = 3_600_000;

/** Those of these moments that count towards the limit for an hour. @param at ms. */
const withinHour = (lately: readonly number[], at: number): readonly number[] =>
  lately.filter((each) => each > at - HOUR_MS);

/** The rule once it has answered. @param at ms. */
export function afterUse<R extends Usable>(rule: R, at: number): R & { readonly used: number } {
  const { perHour, used = 0, lately = [] } = rule;
  const recent = perHour === undefined ? {} : { lately: [...withinHour(lately, at), at] };
  return { ...rule, used: used + 1, usedAt: at, ...recent };
}

/** RULING-4 */
export const hasRoom = ({ perHour, lately = [] }: Pick<Usable, "perHour" | "lately">, at: number): boolean =>
  perHour === undefined || withinHour(lately, at).length < perHour;

/** RULING-4 */
export const isBeforeEnd = ({ expiresAt }: Pick<Usable, "expiresAt">, at: number): boolean =>
  expiresAt === undefined || at < expiresAt;

/** RULING-4 */
export const hasUses = ({ uses, used = 0 }: Pick<Usable, "uses" | "used">): boolean =>
  uses === undefined || used < uses;

export const isInForce = (rule: Usable, at: number): boolean => isBeforeEnd(rule, at) && hasUses(rule);
