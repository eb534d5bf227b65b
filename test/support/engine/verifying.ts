// Verifying
// Verifies what an engine in memory has on its disk.
//
//   Owns:          reading the disk without taking it over.
//   Does not own:  verifying (runtime/engine/verify).

import { MemoryDisk, MemoryStore } from "../../../adapters/memory/index.ts";
import { digestId } from "../../../runtime/foreign-id.ts";
import { type Verified, verify, type Verifying } from "../../../runtime/engine/verify.ts";
import { translate } from "./rig.ts";

export function verified(disk: MemoryDisk, other: Partial<Verifying> = {}): Promise<Verified> {
  return verify({
    found: { get: (key) => disk.rows.get(key), range: (range) => disk.rows.range(range) },
    entry: (position) => Promise.resolve(disk.entries[position - disk.trimmed - 1]),
    into: new MemoryStore(new MemoryDisk("replay")),
    digest: digestId,
    translate,
    build: "",
    ...other,
  });
}
