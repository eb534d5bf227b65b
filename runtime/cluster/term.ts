// Term
// Decides which of several engines on one journal is the journal's owner: the engine whose start began the newest term in the
// journal.
//
//   Owns:          which terms count, counting messages that name another term than the current one.
//   Does not own:  which messages need a term (says), when an engine wants a term (role), storing the term (engine/mandate).
//   Decided in:    docs/decisions/0092-a-spare-takes-over-by-a-term.md.
//
// CLUSTER-TERM-1. A term counts if its number is the current term's number plus one. Of two terms with the same number, the one
//     that comes first in the journal counts, in every engine that reads the journal. A term names one start of a process: only
//     that process owns the term.
// CLUSTER-TERM-2. A term names the entries that its engine set aside as poison. Every engine that reads the term sets these
//     entries aside, too.
// CLUSTER-TERM-3. Once a term has ended, the next term counts only if it names the entry that ended the earlier term (seam). So
//     only an engine that has read that entry can begin the next term.

import { defined } from "../../machines/defined.ts";

/** The newest term, as the meta row stores it. */
export interface Term {
  readonly n: number;
  /** The random id of the start of the process that owns the term. No other start has this id. */
  readonly start: string;
  /** The address of the engine that owns the term. */
  readonly node: string;
  readonly build: string;
  /**
   * True if the owner's build can end its term by an entry, after which another build may begin the next term (seam). Older
   * versions cannot.
   */
  readonly mayEnd?: true;
  /**
   * Present once the owner has ended the term: the entry that ended it, and how long this build waits for another build to
   * begin the next term.
   */
  readonly ended?: { readonly position: number; readonly waitMs: number };
}

/** An engine begins a term: from this entry on it is the owner, if the term counts. */
export interface TermBegun {
  readonly type: "term.begun";
  readonly term: number;
  readonly start: string;
  readonly node: string;
  readonly build: string;
  readonly mayEnd?: true;
  /** The entry that ended the previous term, if that term's owner ended it. */
  readonly behind?: number;
  /** The positions of the entries that this engine set aside as poison, the newest ones (CLUSTER-TERM-2). */
  readonly poison?: readonly number[];
}

/** The owner ends its term, so that all engines can change to another build at this entry (seam). */
export interface TermEnded {
  readonly type: "term.ended";
  /** How long engines of this build wait for another build to begin the next term, ms. */
  readonly waitMs: number;
}

/** What the meta row says about terms. */
export interface Known {
  /** The newest term; undefined if none ever began. */
  readonly term?: Term | undefined;
  /** How many messages changed nothing, because the term that they named was not the current one. */
  readonly stale?: number | undefined;
}

/**
 * The positions of the entries that newer terms name as poison (CLUSTER-TERM-2).
 * @param said the beginnings of terms, in the journal's order.
 */
export function namedBy(known: Known, said: readonly TermBegun[]): readonly number[] {
  let newest = known;
  return said.flatMap((one) => {
    const next = begun(newest, one);
    newest = next ?? newest;
    return next ? (one.poison ?? []) : [];
  });
}

export const numberOf = ({ term }: Pick<Known, "term">): number => term?.n ?? 0;

/**
 * Applies the beginning of a term.
 * @returns what the meta row then says of terms; undefined for a term that does not count (CLUSTER-TERM-1, CLUSTER-TERM-3).
 */
export function begun(
  known: Known,
  { term: n, start, node, build, mayEnd, behind }: TermBegun,
): Known | undefined {
  if (n !== numberOf(known) + 1 || behind !== known.term?.ended?.position) return undefined;
  return { term: { n, start, node, build, ...defined({ mayEnd }) } };
}

/** Ends the newest term. @returns undefined if there is no term, or if the newest term has ended already. */
export function ended({ term }: Known, { waitMs }: TermEnded, position: number): Known | undefined {
  return term && !term.ended ? { term: { ...term, ended: { position, waitMs } } } : undefined;
}

/** Counts one more message whose term was not the current one. */
export const counted = ({ stale = 0 }: Known): Known => ({ stale: stale + 1 });
