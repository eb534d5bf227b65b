// Changed
// Which rows of a store an action changed.
//
//   Owns:          comparing a store before and after.
//   Does not own:  which rows should have changed.

import type { Rig } from "../engine/rig.ts";

/** Which rows differ between two states of a store. */
export function changed(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly string[] {
  const all = new Set([...before.keys(), ...after.keys()]);
  return [...all].filter((key) => before.get(key) !== after.get(key)).sort();
}

/** The rows that an action changed; seen ids and proofs without what follows. */
export async function changedBy(rig: Rig, action: () => Promise<unknown>): Promise<readonly string[]> {
  const before = rig.rows();
  await action();
  await rig.quiet();
  return changed(before, rig.rows()).map((key) => key.replace(/^(seen\/\w+\/\w+|proof)\/.*/, "$1"));
}
