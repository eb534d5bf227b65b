// Opening
// Opens the store and the journal at a start, and makes the loop that continues at the store's cursor.
//
//   Owns:          the order of the steps: converting the store, finding the cursor, recording missing entries, recording which
//                  build applies the next entries (turn/proof), looking for a poison entry.
//   Does not own:  when the engine is ready (engine), what each step of the opening does (the file of that step).
//
// ENGINE-OPENING-1. If the journal does not answer, the start can be repeated. The store stays open meanwhile, and is not opened
//     a second time.

import { checkOpening, readingAtSeams } from "../cluster/seam.ts";
import type { Known } from "../cluster/term.ts";
import type { Committer } from "./commit.ts";
import type { EngineOptions } from "./engine-options.ts";
import { Loop } from "./loop.ts";
import { keys } from "../rows/keys.ts";
import { type Meta, openMeta, readMeta } from "../rows/meta.ts";
import { migrate } from "./migration.ts";
import { PoisonDetector } from "./poison-detector.ts";
import { refuseDiffering } from "../agreement/differing.ts";
import { beginProofs, type BuildRow } from "../turn/proof.ts";
import { type Lost, recordLoss } from "../turn/missing.ts";
import type { StoreJournal } from "./store-journal.ts";
import type { WorkingSet } from "../rows/working-set.ts";

export const GROUP_MAX = 64;

interface Opening {
  readonly options: EngineOptions;
  readonly journal: StoreJournal;
  readonly rows: WorkingSet;
  readonly committer: Committer;
}

export interface Opened {
  readonly meta: Meta;
  readonly lost: Lost | undefined;
  /** True if the journal is the same one from which the store read before this start. */
  readonly isSame: boolean;
}

/** Must be called once the store itself is open. @throws FatalError, RetryableError as the ports do. */
export async function openRows({ options, journal, rows, committer }: Opening): Promise<Opened> {
  const { store, clock, adoptJournal = false, onMigrating = () => undefined, build = "" } = options;
  refuseDiffering(rows);
  await migrate(store, onMigrating);
  const known = openMeta(rows);
  if (known) checkOpening(known, build, rows.get(keys.build) as BuildRow | undefined);
  const { meta, lack } = await journal.open(known, adoptJournal, clock.now());
  const { group } = committer;
  if (meta !== readMeta(rows)) group.set(keys.meta, meta);
  beginProofs(group, { isFresh: !known, position: meta.position, build });
  const lost = lack && recordLoss(group, known ?? meta, { lack, isStopped: !rows.get(keys.starts) });
  return { meta, lost, isSame: lack?.isSame ?? true };
}

interface Going extends Pick<Opening, "options" | "journal" | "committer"> {
  readonly epoch: number;
  /** Called when a commit failed. */
  readonly fail: (error: unknown) => void;
}

/** @returns the loop that continues after the opened position, and the detector of entries that crash the engine. */
export function loopFrom(
  { meta: { position }, isSame }: Opened,
  { options, journal, committer, epoch, fail }: Going,
): { readonly loop: Loop; readonly detector: PoisonDetector } {
  const { store, clock, digest, translate, clients, onDefect = () => undefined } = options;
  const { groupMax = GROUP_MAX, cluster: { hold } = {}, build = "" } = options;
  const detector = new PoisonDetector({ store, committer, groupMax, position, isSame });
  const isPoison = (at: number): boolean => at === detector.poison || hold?.isPoison(at) === true;
  const deps = { digest, translate, clients, epoch, isPoison, build };
  const known = (): Known => readMeta(committer.group) ?? {};
  const place = { build, openedAt: position, land: () => committer.land() };
  const read = readingAtSeams(hold?.reading(journal, known) ?? journal, journal, known, place);
  return {
    loop: new Loop(position, { journal: read, clock, committer, detector, deps, onDefect, fail }),
    detector,
  };
}
