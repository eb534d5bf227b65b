// Same partition
// Refuses a start if the engine is to serve another partition than the one that its journal belongs to.
//
//   Owns:          comparing the partition that a start names with the journal's partition; whether a journal without a partition
//                  may get one.
//   Does not own:  the hash (cluster/partition), writing the partition into the journal (speaking).
//   Decided in:    docs/decisions/0102-a-partition-is-an-account.md.
//
// SAME-PARTITION-1. A journal belongs to one partition for ever. A start that names none uses the journal's partition.
// SAME-PARTITION-2. A journal without a partition gets the partition of the start only if the thousand oldest stored sessions
//     belong to that partition.

import { type Address, parseAddress } from "../../machines/index.ts";
import type { Configuration } from "../config.ts";
import { type Partition, partitionOf } from "../cluster/partition.ts";
import { RefusedError } from "../errors/errors.ts";
import type { Store } from "../ports.ts";
import { after, keys } from "../rows/keys.ts";
import { listBy } from "../rows/listing.ts";

const SESSIONS_MAX = 1_000;

type Having = Pick<Configuration, "partition">;

/** @param store the store, once it has applied the whole journal. @throws RefusedError PARTITION_DIFFERS */
export function checkSamePartition(
  { partition: known }: Having,
  store: Pick<Store, "range">,
  { partition: given }: Having = {},
): void {
  if (given === undefined) return;
  if (known !== undefined) {
    if (textOf(known) !== textOf(given)) throw differs(`partition ${textOf(known)}`, given);
    return;
  }
  const prefix = keys.list(listBy("session", {}));
  for (const [, address] of store.range({ gte: prefix, lt: after(prefix), limit: SESSIONS_MAX })) {
    const { workspace } = parseAddress(JSON.parse(address) as Address);
    const number = partitionOf(workspace, given.of);
    if (number !== given.number)
      throw differs(`a session of the workspace ${workspace}, which is in partition ${number}`, given);
  }
}

const textOf = ({ number, of }: Partition): string => `${number}/${of}`;

const differs = (has: string, given: Partition): RefusedError =>
  new RefusedError(
    "PARTITION_DIFFERS",
    `The engine was started for partition ${textOf(given)}, but its journal has ${has}. The engine would refuse messages to workspaces that are in its journal.`,
    "Start the engine with the partition of its journal, or without --partition. For another partition, name its own data folder and its own account on the NATS server.",
    "partition",
  );
