// Changed
// Which rows of a store an action changed.
//
//   Owns:          comparing a store before and after.
//   Does not own:  which rows should have changed.

import type { Rig } from "../engine/rig.ts";

/** Every entry leaves one, whatever it led to. */
const PROOF = /^proof\//;

/** Which rows differ between two states of a store, proofs aside. */
export function changed(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly string[] {
  const all = new Set([...before.keys(), ...after.keys()]);
  return [...all].filter((key) => !PROOF.test(key) && before.get(key) !== after.get(key)).sort();
}

/** The rows that an action changed; seen ids without what follows. */
export async function changedBy(rig: Rig, action: () => Promise<unknown>): Promise<readonly string[]> {
  const before = rig.rows();
  await action();
  await rig.quiet();
  return changed(before, rig.rows()).map((key) => key.replace(/^(seen\/\w+\/\w+)\/.*/, "$1"));
}
