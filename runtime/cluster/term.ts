// Term
// Which of several engines on one journal is its owner: the one whose start began the newest term there.
//
//   Owns:          which terms count, counting what came under another one.
//   Does not own:  what needs a term (says), when an engine wants one (role), keeping it (engine/mandate).
//   Decided in:    docs/decisions/0092-a-spare-takes-over-by-a-term.md.
//
// CLUSTER-TERM-1. A term counts if it is the current one and one more. Of two that say the same number the first in the journal
//     counts, on every replica. A term names a start of a process: only that process owns it.

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

/** What the meta row says of terms. */
export interface Known {
  /** The newest term, where one was ever begun. */
  readonly term?: Term | undefined;
  /** How many messages came under another term than the newest, and changed nothing. */
  readonly stale?: number | undefined;
}

export const numberOf = ({ term }: Pick<Known, "term">): number => term?.n ?? 0;

/** CLUSTER-TERM-1. @returns what the meta row says then; undefined for a term that does not count. */
export function begun(known: Known, { term: n, start, node, build }: TermBegun): Known | undefined {
  if (n !== numberOf(known) + 1) return undefined;
  return { term: { n, start, node, build } };
}

/** What the meta row says after a message without effect. */
export const counted = ({ stale = 0 }: Known): Known => ({ stale: stale + 1 });
