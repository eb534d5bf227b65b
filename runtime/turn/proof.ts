// Proof
// Stores a digest of the result of each entry in eight bytes. `verify` replays the journal and compares the digests.
//
//   Owns:          what a proof covers, the rows that hold proofs, which build of the engine ran from which entry on.
//   Does not own:  finding stored proofs (verify/kept-proofs), comparing proofs (verify), removing old proofs (sweep).
//   Decided in:    docs/decisions/0044-proof-by-replay.md.
//
// PROOF-1. A proof covers the outcome of an entry, the reply, the audit rows, the dead letters, and the actor, the state and the
//     reason of each change. A proof leaves out numbers, epochs, positions and the engine's times, because these differ in a
//     replay.
// PROOF-2. If an entry was treated as poison, the proof records this, because neither the entry nor the other rows show it.
// PROOF-3. A turn with changes stores its proof in the row of these changes, so this proof needs no row of its own.

import { hash } from "node:crypto";
import type { StateChange } from "../rows/changes.ts";
import { keys } from "../rows/keys.ts";
import { type Meta, meta } from "../rows/meta.ts";
import type { Layer } from "../rows/overlay.ts";
import type { TurnChanges } from "../rows/turn-changes.ts";
import type { TurnResult } from "./turn-result.ts";
import { POISON } from "./set-aside/poison.ts";
import { allEnded } from "./unended.ts";

/** The proofs of how many entries share a row. The row changes with each entry, but is written only once for each group. */
const AT_ONCE = 16;
const LENGTH = 16;

/** A row with the proofs of up to `AT_ONCE` consecutive entries, as far as these entries changed nothing. */
export interface ProofRow {
  readonly at: number;
  readonly first: number;
  /** The proofs, one for each entry; empty for a missing entry, or if the proof is stored with the entry's changes. */
  readonly of: readonly string[];
}

export interface BuildRow {
  readonly build: string;
}

const NEW = "n";
const AWAY = "a";
const POISONED = "p";

export interface Proof {
  readonly digest: string;
  readonly isNew: boolean;
  /** True if the message was refused because of the quota. */
  readonly isAway: boolean;
  readonly isPoison: boolean;
}

/**
 * Stores which build runs from `position` on. In a new store, stores also that no actor lacks a deadline, as actors in stores
 * of builds before release 0.1.0 may (unended).
 */
export function beginProofs(
  layer: Layer,
  {
    isFresh,
    position,
    build,
  }: { readonly isFresh: boolean; readonly position: number; readonly build: string },
): void {
  if (isFresh) allEnded(layer);
  if ((layer.get(keys.build) as BuildRow | undefined)?.build === build) return;
  layer.set(keys.build, { build } satisfies BuildRow);
  layer.set(keys.buildFrom(position + 1), { build } satisfies BuildRow);
}

export function prove(layer: Layer, before: Meta, result: TurnResult): void {
  const proof = proofOf(layer, before, result);
  const { position, at, changes } = result;
  const last = changes.at(-1);
  if (last) {
    const row = keys.change(last.n);
    // The cast is safe: the turn itself has just written the row of its changes.
    layer.set(row, { ...(layer.get(row) as TurnChanges), proof } satisfies TurnChanges);
    return;
  }
  const key = keys.proof(position - (position % AT_ONCE));
  const row = layer.get(key) as ProofRow | undefined;
  const first = row?.first ?? position;
  const kept = row?.of ?? [];
  const skipped = Array.from({ length: position - first - kept.length }, () => "");
  layer.set(key, { at, first, of: [...kept, ...skipped, proof] } satisfies ProofRow);
}

function proofOf(layer: Layer, before: Meta, result: TurnResult): string {
  const { outcome, reason, code, path, waitsFor, content, swept, answers, changes, away } = result;
  const now = meta(layer);
  const said = [
    [outcome, reason, code, path, waitsFor, content, swept, answers],
    changes.map(ofChange),
    rowsBetween(layer, keys.audit, before.audits, now.audits),
    rowsBetween(layer, keys.dead, before.deads, now.deads),
  ];
  const flags =
    (changes[0]?.version === 1 ? NEW : "") + (away ? AWAY : "") + (code === POISON ? POISONED : "");
  return hash("sha256", JSON.stringify(said), "hex").slice(0, LENGTH) + flags;
}

const ofChange = ({ workspace, sessionId, version, entity, id, from, to, cause }: StateChange): unknown => [
  workspace,
  sessionId,
  version,
  entity,
  id,
  from,
  to,
  cause,
];

function rowsBetween(
  layer: Layer,
  keyOf: (n: number) => string,
  from: number,
  to: number,
): readonly unknown[] {
  const found: unknown[] = [];
  for (let n = from + 1; n <= to; n += 1) {
    const { n: _n, at: _at, position: _position, ...row } = layer.get(keyOf(n)) as Record<string, unknown>;
    found.push(row);
  }
  return found;
}

export function proofMade(layer: Layer, { position, changes }: TurnResult): Proof | undefined {
  const last = changes.at(-1);
  if (!last) return proofIn(layer.get(proofKey(position)) as ProofRow | undefined, position);
  return proofFrom((layer.get(keys.change(last.n)) as TurnChanges).proof);
}

/** @returns undefined if the row has no proof for that entry. */
export const proofIn = (row: ProofRow | undefined, position: number): Proof | undefined =>
  proofFrom(row?.of[position - row.first]);

export function proofFrom(text: string | undefined): Proof | undefined {
  if (text === undefined || text === "") return undefined;
  const flags = text.slice(LENGTH);
  return {
    digest: text.slice(0, LENGTH),
    isNew: flags.includes(NEW),
    isAway: flags.includes(AWAY),
    isPoison: flags.includes(POISONED),
  };
}

export const proofKey = (position: number): string => keys.proof(position - (position % AT_ONCE));
