// Partition
// One engine's share of the workspaces, if several engines divide the workspaces among them.
//
//   Owns:          the form of a partition (`3/16`), the hash of a workspace, refusing the workspaces of other partitions.
//   Does not own:  where workspaces are checked (door, turn), a journal's partition (engine/same-partition), NATS (ops/nats).
//   Decided in:    docs/decisions/0102-a-partition-is-an-account.md.
//
// CLUSTER-PARTITION-1. A workspace is in the partition that a NATS server computes for the workspace's name (the function
//     `partition` of a subject mapping). So the server can send each message to the right engine.

import { RefusedError } from "../errors/errors.ts";

/** One of `of` partitions. The partitions have the numbers from 0 to `of - 1`. */
export interface Partition {
  readonly number: number;
  readonly of: number;
}

export const OTHER_PARTITION = "OTHER_PARTITION";

/** Reads a partition such as `3/16`: number 3 of the partitions 0 to 15. @returns undefined for another text. */
export function partitionIn(text: string): Partition | undefined {
  const [, number = NaN, of = NaN] = (/^(\d{1,5})\/(\d{1,5})$/.exec(text) ?? []).map(Number);
  return number < of ? { number, of } : undefined;
}

/** @throws RefusedError BAD_PARTITION */
export function readPartition(text: string): Partition {
  const partition = partitionIn(text);
  if (partition) return partition;
  throw new RefusedError(
    "BAD_PARTITION",
    `"${text}" is no partition.`,
    "Write the number of the partition, a slash, and how many partitions there are. Numbers begin with 0: the last of four partitions is 3/4.",
    "partition",
  );
}

const FNV_BASIS = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * The number of a workspace's partition: FNV-1a with 32 bits, modulo the number of partitions (CLUSTER-PARTITION-1).
 * @param workspace an id, so each of its characters is one byte.
 */
export function partitionOf(workspace: string, of: number): number {
  let hash = FNV_BASIS;
  for (let at = 0; at < workspace.length; at += 1)
    hash = Math.imul(hash ^ workspace.charCodeAt(at), FNV_PRIME) >>> 0;
  return hash % of;
}

/** @param own undefined for an engine with all workspaces. @throws RefusedError OTHER_PARTITION */
export function checkPartition(own: Partition | undefined, workspace: string): void {
  if (own === undefined) return;
  const number = partitionOf(workspace, own.of);
  if (number === own.number) return;
  throw new RefusedError(
    OTHER_PARTITION,
    `The workspace ${workspace} is in partition ${number} of ${own.of}, and this engine has partition ${own.number}.`,
    `Send the message to the engine of partition ${number}.`,
    "workspace",
  );
}
