// Seam
// The place in the journal where the build may change: the entry with which an owner ends its term.
//
//   Owns:          which build applies what follows, how long the old build waits there for the next one.
//   Does not own:  which terms count (term), writing the entry (engine), starting the process again (adapters).
//   Decided in:    docs/decisions/0105-a-build-changes-between-two-terms.md.
//
// CLUSTER-SEAM-1. Only the build that began a term applies the term's entries, on every replica. What lies between the end of a
//     term and the next term belongs to the next one. This does not hold for terms of versions that cannot end a term.
// CLUSTER-SEAM-2. An engine that comes to the end of a term ends there, unless it finds that the next term is of its own build:
//     its next process may be of another build.
// CLUSTER-SEAM-3. An engine that was opened at the end of a term waits for the next term. If the next term is of another build,
//     the engine ends, and its store stays where it is for that build.
// CLUSTER-SEAM-4. If the last entry in a store is within a term, only the build that applied that entry opens the store.
// CLUSTER-SEAM-5. At a seam, an engine of another build than the last term's takes over at once. An engine of the same build
//     first waits for the time that the owner named, so that an engine of another build can take over.

import { FatalError } from "../errors/errors.ts";
import type { Journal } from "../ports.ts";
import { termIn } from "./hold.ts";
import { begun, type Known, type Term } from "./term.ts";

/** An owner that is silent for this long counts as gone: a failed process is started again sooner, unless its machine is busy. */
export const SILENCE_MS = 3_000;

interface Place {
  readonly build: string;
  /** The entry after which this start of the engine began. */
  readonly openedAt: number;
  /** Makes everything durable that was applied. */
  readonly land: () => Promise<void>;
}

/** True for the entry that ended the newest term. */
export const isSeam = ({ term }: Known, position: number): boolean => term?.ended?.position === position;

/** Reads on at a seam only with the right build. @param known returns the terms as of the last applied entry. */
export function readingAtSeams(
  reader: Pick<Journal, "read">,
  journal: Pick<Journal, "read" | "tail">,
  known: () => Known,
  place: Place,
): Pick<Journal, "read"> {
  return {
    async read(after, limit, signal) {
      if (isSeam(known(), after)) await pass(journal, { known: known(), after, limit, signal }, place);
      return signal.aborted ? [] : reader.read(after, limit, signal);
    },
  };
}

interface Reading {
  readonly known: Known;
  readonly after: number;
  readonly limit: number;
  readonly signal: AbortSignal;
}

/** Waits until the next term is known, and is of this build. @throws FatalError TERM_ENDED, BUILD_DIFFERS */
async function pass(
  journal: Pick<Journal, "read" | "tail">,
  { known, after, limit, signal }: Reading,
  { build, openedAt, land }: Place,
): Promise<void> {
  for (let at = after; !signal.aborted;) {
    if (at >= journal.tail() && after !== openedAt) break;
    const entries = await journal.read(at, limit, signal);
    const next = entries.flatMap(termIn).flatMap((said) => begun(known, said) ?? [])[0];
    if (next?.term?.build === build) return;
    if (next && after === openedAt) {
      checkTerm(next, build);
      return;
    }
    if (next) break;
    at = entries.at(-1)?.position ?? at;
  }
  if (signal.aborted) return;
  await land();
  throw termEnded(after);
}

/** Checks that this build may apply the newest term's entries (CLUSTER-SEAM-1). @throws FatalError BUILD_DIFFERS */
export function checkTerm({ term }: Known, build: string | undefined): void {
  if (term?.mayEnd === true && build !== undefined && build !== term.build) throw buildDiffers(term, build);
}

/**
 * Checks that this build may open a store (CLUSTER-SEAM-4).
 * @param appliedBy the build that applied the store's last entry. @throws FatalError BUILD_DIFFERS
 */
export function checkOpening(
  known: Known & { readonly position: number },
  build: string,
  appliedBy: { readonly build: string } | undefined,
): void {
  if (!known.term || isSeam(known, known.position)) return;
  checkTerm({ term: { ...known.term, ...appliedBy } }, build);
}

/** How long the owner may be silent before an engine of this build takes over, ms (CLUSTER-SEAM-5). */
export function patienceMs({ term }: Known, build: string): number {
  if (!term?.ended) return SILENCE_MS;
  return term.build === build ? Math.max(SILENCE_MS, term.ended.waitMs) : 0;
}

const termEnded = (position: number): FatalError =>
  new FatalError(
    "TERM_ENDED",
    `The owner has ended its term at entry ${position}, so that the version of all engines can change.`,
    "Start the engine again, with the new version.",
  );

const buildDiffers = ({ n, build: other }: Term, build: string): FatalError =>
  new FatalError(
    "BUILD_DIFFERS",
    `Term ${n} of the journal is of version ${other}, and this engine is version ${build}.`,
    `Start version ${other} here. To change the version of all engines, run \`npx signalbox handover --upgrade\` at the owner.`,
  );
