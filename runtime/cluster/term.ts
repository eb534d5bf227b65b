// Term
// Which of several engines on one journal is its owner: the one whose start began the newest term there.
//
//   Owns:          which terms count, counting messages under another term.
//   Does not own:  which messages need a term (says), when an engine wants one (role), storing the term (engine/mandate).
//   Decided in:    docs/decisions/0092-a-spare-takes-over-by-a-term.md.
//
// CLUSTER-TERM-1. A term counts if its number is the current term's number plus one. Of two terms with the same number the first
//     in the journal counts, on every replica. A term names one start of a process: only that process owns the term.
// CLUSTER-TERM-2. A term names the entries that its engine set aside as poison. Whoever reads it sets them aside, too.

/** A term, as the meta row keeps the newest. */
export interface Term {
  readonly n: number;
  /** The random id of the start of the process that owns the term. No other start has this id. */
  readonly start: string;
  /** The address of that engine. */
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
  /** The positions of the entries that this engine set aside as poison, the newest ones (CLUSTER-TERM-2). */
  readonly poison?: readonly number[];
}

/** What the meta row says of terms. */
export interface Known {
  /** The newest term; undefined if none ever began. */
  readonly term?: Term | undefined;
  /** How many messages came under another term than the newest, and so changed nothing. */
  readonly stale?: number | undefined;
}

/** CLUSTER-TERM-2. @returns the positions that terms after the known one name. @param said in the journal's order. */
export function namedBy(known: Known, said: readonly TermBegun[]): readonly number[] {
  let newest = known;
  return said.flatMap((one) => {
    const next = begun(newest, one);
    newest = next ?? newest;
    return next ? (one.poison ?? []) : [];
  });
}

export const numberOf = ({ term }: Pick<Known, "term">): number => term?.n ?? 0;

/** CLUSTER-TERM-1. @returns what the meta row says once the term began; undefined for a term that does not count. */
export function begun(known: Known, { term: n, start, node, build }: TermBegun): Known | undefined {
  if (n !== numberOf(known) + 1) return undefined;
  return { term: { n, start, node, build } };
}

/** What the meta row says after one more message under another term. */
export const counted = ({ stale = 0 }: Known): Known => ({ stale: stale + 1 });
