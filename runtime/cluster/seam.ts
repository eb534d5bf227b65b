// Seam
// Handles a seam: the entry with which an owner ends its term, so that engines of another build (version of Signalbox) may go
// on after it.
//
//   Owns:          which build applies the entries after a seam, how long the old build waits at the seam for the next build.
//   Does not own:  which terms count (term), writing the entry (engine), starting the process again (adapters).
//   Decided in:    docs/decisions/0105-a-build-changes-between-two-terms.md.
//
// CLUSTER-SEAM-1. In every engine on the journal, a term's entries are applied only by the build that began the term. Entries
//     between the end of a term and the next term belong to the next term. These two rules do not apply to terms of versions
//     that cannot end a term.
// CLUSTER-SEAM-2. An engine that reads the end of a term ends its process, so that the next process can run another build. The
//     engine goes on in the same process only if the journal shows that its own build began the next term.
// CLUSTER-SEAM-3. An engine that was opened at the end of a term waits for the next term. If another build began the next term,
//     the engine ends, and applies nothing more, so that this other build can open its store.
// CLUSTER-SEAM-4. Unless the last entry in a store ended a term, only the build that applied this entry opens the store.
// CLUSTER-SEAM-5. At a seam, an engine whose build differs from that of the ended term takes over immediately. An engine of the
//     same build first waits as long as the owner demanded, but at least 3 s, so that one of the new build can take over.

import { FatalError } from "../errors/errors.ts";
import type { Journal } from "../ports.ts";
import { termIn } from "./hold.ts";
import { begun, type Known, type Term } from "./term.ts";

/**
 * An owner that is silent for this long, ms, counts as gone. A process that failed is started again in less time, unless its
 * machine is busy.
 */
export const SILENCE_MS = 3_000;

interface Place {
  readonly build: string;
  /** The entry after which this start of the engine began. */
  readonly openedAt: number;
  /** Commits everything that was applied, so that it is durable. */
  readonly land: () => Promise<void>;
}

/** True for the entry that ended the newest term. */
export const isSeam = ({ term }: Known, position: number): boolean => term?.ended?.position === position;

/**
 * Makes a reader that reads past the end of a term only if the next term is of this build.
 * @param known returns what is known of terms after the last applied entry.
 */
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

/** Waits until the next term is known, and checks that it is of this build. @throws FatalError TERM_ENDED, BUILD_DIFFERS */
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
    `The owner stopped all engines at journal entry ${position}, so that their version can change.`,
    "Start the engine again, with the new version.",
  );

const buildDiffers = ({ n, build: other }: Term, build: string): FatalError =>
  new FatalError(
    "BUILD_DIFFERS",
    `The journal's owner (term ${n}) has version ${other}, and this engine is version ${build}.`,
    `Start version ${other} of Signalbox on this machine. To change the version of all engines, run \`npx signalbox handover --upgrade\` at the owner. If this engine's data folder is new, restore a backup of the owner into an empty folder (docs/how-to/scale.md).`,
  );
