// Missing
// Handles journal entries that were lost before they were read, and a journal that was replaced by another one.
//
//   Owns:          the dead letter JOURNAL_GAP; skipping lost entries; refusing to approve approvals from before the loss.
//   Does not own:  detecting the loss (journals, cursor); deciding to go on (store-journal, the operator).
//   Decided in:    docs/decisions/0017-named-gaps.md.
//
// G1. Each loss is recorded, with its positions if they are known, so no entry is skipped silently.
// G8. A lost entry may have been a denial of any approval. So the engine no longer approves an approval that was requested
//     before the loss. Such an approval can be denied, can expire, and can be answered at the client that requested it. Later
//     approvals are not affected.

import type { TurnResult } from "./turn-result.ts";
import { type Address, type ApprovalContext, childAddress } from "../../machines/index.ts";
import { actorRow } from "../rows/actors/actor-rows.ts";
import { Rejection } from "./delivery.ts";
import type { JournalRegressed } from "../errors/errors.ts";
import { keys } from "../rows/keys.ts";
import { type Meta, meta, setMeta } from "../rows/meta.ts";
import { countOf, missingText } from "../errors/missing-text.ts";
import type { Layer, Readable } from "../rows/overlay.ts";
import type { JournalEntry, Missing } from "../ports.ts";

const CODE = "JOURNAL_GAP";
const RANGES_MAX = 1_000;

/** The entries that were lost, and that a starting engine goes on without. */
export interface Lost {
  readonly reason: string;
  /** How many entries are known to be lost. */
  readonly count: number;
  /** The journal positions of the lost entries, at most a thousand ranges. */
  readonly missing: readonly Missing[];
}

/** Why a store leaves its journal for another one, or goes on with it in spite of an error. */
interface Left {
  readonly lack: JournalRegressed;
  readonly isStopped: boolean;
}

/**
 * Records the journal's entries that are missing when an engine starts and goes on without them.
 * @param known the meta row at the start.
 * @returns undefined if nothing can be lost: nobody else could write to the old journal, and all of it was read.
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
  // The engine skips a known gap when it comes to the gap. Any other loss can only be recorded here.
  if (!isSame || lost.count === 0) markLost(layer, 0);
  return lost;
}

/** Skips the missing entries, from `first` to the position of the entry that reports that they are missing. */
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

/** @param ids approvals that the turn would approve. @throws Rejection for one that was requested before a loss. */
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
