// Verifying
// Verifies what an engine in memory has on its disk.
//
//   Owns:          reading the disk without taking it over, putting a wrong proof in an entry's place.
//   Does not own:  verifying (runtime/verify).

import { MemoryDisk, MemoryStore } from "../../../adapters/memory/index.ts";
import { digestId } from "../../../runtime/foreign-id.ts";
import type { Verified, Verifying } from "../../../runtime/verify/verified.ts";
import { verify } from "../../../runtime/verify/verify.ts";
import { after, keys } from "../../../runtime/rows/keys.ts";
import type { ProofRow } from "../../../runtime/turn/proof.ts";
import { translate } from "./rig.ts";
import { clients } from "../../../adapters/composition/clients.ts";

const OTHER = "0".repeat(16);

/** The keys of the rows of changes that have a proof. */
export const rowsWithProofs = ({ rows }: MemoryDisk): readonly string[] =>
  [...rows.range({ gte: keys.changes, lt: after(keys.changes) })]
    .filter(([, text]) => "proof" in (JSON.parse(text) as object))
    .map(([key]) => key);

/** Puts a wrong proof in the place of an entry's. @returns what takes that back. */
export function planted(disk: MemoryDisk, position: number): () => void {
  const { rows } = disk;
  const ofChanges = rowsWithProofs(disk).find(
    (key) => (JSON.parse(rows.get(key) ?? "") as { readonly turn: number }).turn === position,
  );
  const key = ofChanges ?? keys.proof(position - (position % 16));
  const before = rows.get(key) ?? "";
  const row = JSON.parse(before) as ProofRow;
  const wrong = ofChanges === undefined ? { of: row.of.with(position - row.first, OTHER) } : { proof: OTHER };
  rows.set(key, JSON.stringify({ ...row, ...wrong }));
  return () => {
    rows.set(key, before);
  };
}

export function verified(disk: MemoryDisk, other: Partial<Verifying> = {}): Promise<Verified> {
  return verify({
    found: { get: (key) => disk.rows.get(key), range: (range) => disk.rows.range(range) },
    entry: (position) => Promise.resolve(disk.entries[position - disk.trimmed - 1]),
    first: () => Promise.resolve(disk.trimmed + 1),
    into: new MemoryStore(new MemoryDisk("replay")),
    digest: digestId,
    clients,
    translate,
    build: "",
    ...other,
  });
}
