// Missing
// Handles journal entries that were lost before they were read, and a journal that was replaced by another one.
//
//   Owns:          the dead letter JOURNAL_GAP; skipping lost entries; refusing to approve what was requested before the loss.
//   Does not own:  detecting the loss (journals, cursor); whether the engine goes on after a loss (store-journal, operator).
//   Decided in:    docs/decisions/0017-named-gaps.md.
//
// G1. Each loss of entries is recorded, with the positions of the entries if they are known, so no entry is skipped silently.
// G8. A lost entry may have been a denial. So an approval that was requested before the loss can no longer be approved through
//     Signalbox. Such an approval can still be denied, can expire, and can be answered at the client that requested it.

import type { TurnResult } from "./turn-result.ts";
import { type Address, type ApprovalContext, childAddress } from "../../machines/index.ts";
import { actorRow } from "../rows/actors/actor-rows.ts";
import { Rejection } from "./delivery.ts";
import { countOf, type JournalRegressed, missingText } from "../errors/errors.ts";
import { keys } from "../rows/keys.ts";
import { type Meta, meta, setMeta } from "../rows/meta.ts";
import type { Layer, Readable } from "../rows/overlay.ts";
import type { JournalEntry, Missing } from "../ports.ts";

const CODE = "JOURNAL_GAP";
const RANGES_MAX = 1_000;

/** The entries that were lost, and without which a starting engine continues. */
export interface Lost {
  readonly reason: string;
  readonly count: number;
  /** The journal positions of the lost entries, at most a thousand ranges. */
  readonly missing: readonly Missing[];
}

/** Why a store changes to another journal, or continues with its journal in spite of an error. */
interface Left {
  readonly lack: JournalRegressed;
  /** True if the last process on this store ended with a clean stop. */
  readonly isStopped: boolean;
}

/**
 * Records which entries were lost.
 * @param known the meta row at the start.
 * @returns undefined if nothing is lost: the store had read everything, and nobody else could write.
 */
export function recordLoss(layer: Layer, known: Meta, { lack, isStopped }: Left): Lost | undefined {
  const { position, at, hash } = known;
  if (!lack.isSame && lack.missing.length === 0 && hash === undefined && isStopped) return undefined;
  const { message, isSame, missing } = lack;
  const others = missing.length > 0 ? ` This one lacks ${missingText(missing)}.` : "";
  const lost = {
    reason: isSame ? message : `${message} What it held after position ${position} is not known.${others}`,
    count: countOf(missing),
    missing: missing.slice(0, RANGES_MAX),
  };
  const n = meta(layer).deads + 1;
  const { reason, ...body } = lost;
  layer.set(keys.dead(n), { n, position, at, code: CODE, reason, body: JSON.stringify(body) });
  setMeta(layer, { deads: n });
  // Marks the loss now, so that no approval from before it can be approved. If the same journal lacks known entries, the loss
  // is marked only when the engine reaches and skips them (passMissing).
  if (!isSame || lost.count === 0) markLost(layer, 0);
  return lost;
}

export function passMissing(layer: Layer, { position }: JournalEntry, first: number): TurnResult {
  const { hash: _, ...kept } = meta(layer);
  const missing = [{ first, last: position }];
  layer.set(keys.meta, kept);
  setMeta(layer, { position });
  markLost(layer, countOf(missing));
  const reason = `Entries of the journal are gone: ${missingText(missing)}.`;
  return { position, at: kept.at, outcome: "dead", code: CODE, reason, changes: [], answers: [] };
}

function markLost(layer: Layer, count: number): void {
  const { at, lost } = meta(layer);
  setMeta(layer, { lost: { at, entries: (lost?.entries ?? 0) + count } });
}

/**
 * Checks that approvals were requested after the last loss of entries.
 * @param ids the approvals that the turn would approve.
 * @throws Rejection for an approval that was requested before a loss.
 */
export function checkAskedSince(rows: Layer & Readable, home: Address, ids: readonly string[]): void {
  const { lost } = meta(rows);
  if (!lost) return;
  const askedAt = (id: string): number => {
    const context = actorRow(rows, childAddress(home, "approval", id))?.snapshot.context;
    return (context as ApprovalContext | undefined)?.askedAt ?? 0;
  };
  if (ids.every((id) => askedAt(id) > lost.at)) return;
  throw new Rejection(
    "it was asked before entries of the journal were lost, which may have denied it: deny it, answer it where it was asked, or have it asked again",
  );
}
