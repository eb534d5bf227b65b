// Term
// Which of several engines on one journal is its owner: the one whose start began the newest term there.
//
//   Owns:          which terms count, which own messages need the owner's term, what becomes of all others.
//   Does not own:  when an engine wants a term (role), keeping it (engine/mandate), what a message does (turn).
//   Decided in:    docs/decisions/0092-a-spare-takes-over-by-a-term.md.
//
// CLUSTER-TERM-1. A term counts if it is the current one and one more. Of two that say the same number the first in the journal
//     counts, on every replica. A term names a start of a process: only that process owns it.
// CLUSTER-TERM-2. What only an owner says changes nothing under another term than its own, and is counted.
// CLUSTER-TERM-3. What people and sources say belongs to no term.
// CLUSTER-TERM-4. A journal without a term is as it was before there were any: everything said without one counts.

import type { OwnMessage } from "../message.ts";
import type { Meta } from "../rows/meta.ts";

/** A term, as the meta row keeps the newest. */
export interface Term {
  readonly n: number;
  /** Of the process that owns it: random, so no other start has it. */
  readonly start: string;
  /** Where that engine is reached. */
  readonly node: string;
  readonly build: string;
}

/** An engine begins a term: it is the owner from here on, if the term counts. */
export interface TermBegun {
  readonly type: "term.begun";
  readonly term: number;
  readonly start: string;
  readonly node: string;
  readonly build: string;
}

export type Known = Pick<Meta, "term" | "stale">;

type Said = OwnMessage["said"];

/** Whose word each own message is: the owner's alone, or a person's at any engine's door. `begins` decides for itself. */
const BY: { readonly [T in Said["type"]]: "owner" | "door" | "begins" } = {
  "term.begun": "begins",
  "timer.fired": "owner",
  "process.gone": "owner",
  "waiter.gone": "owner",
  configured: "owner",
  swept: "owner",
  tallied: "owner",
  measured: "owner",
  "policy.set": "owner",
  "policy.dropped": "owner",
  "policy.ruled": "owner",
  decision: "door",
  "clock.accepted": "door",
  refused: "door",
  retried: "door",
  dismissed: "door",
  "session.forgotten": "door",
  "rule.added": "door",
  "rule.removed": "door",
  "rules.applied": "door",
  "rule.enforced": "door",
};

/** True for what only the owner may say. */
export const isOwners = (said: Pick<Said, "type">): boolean => BY[said.type] === "owner";

export const numberOf = ({ term }: Pick<Meta, "term">): number => term?.n ?? 0;

/** CLUSTER-TERM-2. @returns true for a message that must change nothing. */
export const isStale = (known: Known, { said, term = 0 }: Pick<OwnMessage, "said" | "term">): boolean =>
  isOwners(said) && term !== numberOf(known);

/** CLUSTER-TERM-1. @returns what the meta row says then; undefined for a term that does not count. */
export function begun(known: Known, { term: n, start, node, build }: TermBegun): Known | undefined {
  if (n !== numberOf(known) + 1) return undefined;
  return { term: { n, start, node, build } };
}

/** What the meta row says after a message without effect. */
export const counted = ({ stale = 0 }: Known): Known => ({ stale: stale + 1 });
