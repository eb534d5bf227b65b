// Copies
// Checks whether a server's version may keep a stream in several copies.
//
//   Owns:          which versions may keep several copies; checking the versions again after a lost connection.
//   Does not own:  how many copies a stream gets (streams.ts).
//
// COPIES-1. A stream gets several copies only if every server that the connection reaches does compare-and-set correctly. In
//     clusters of older servers, two writers that expected the same sequence were both told that they had succeeded.

import { Events, type NatsConnection } from "nats";
import { RefusedError } from "../../runtime/errors/errors.ts";

/** The first version of nats-server in which, in a cluster, exactly one of several simultaneous writers succeeds. */
const SOUND = [2, 10, 27] as const;

/** @returns the refusal if a server of this version may not keep so many copies; undefined if it may. */
export function copiesRefused(version: string, copies: number): RefusedError | undefined {
  if (copies <= 1 || isSound(version)) return undefined;
  const found = version === "" ? "a server of an unknown version" : `nats-server ${version}`;
  return new RefusedError(
    "NATS_TOO_OLD",
    `The engine does not keep ${copies} copies of its stream on ${found}. In a cluster older than ${SOUND.join(".")}, two engines that write at once can both be told that they succeeded, so an approval could be answered twice.`,
    `Update every server of the cluster to ${SOUND.join(".")} or newer, or ask for one copy (\`--nats-replicas 1\`), which an older server may keep, too.`,
  );
}

/** True from version 2.10.27 on; a pre-release of this version, such as `2.10.27-RC.1`, is not sound. */
function isSound(version: string): boolean {
  const [, numbers = "", before = ""] = /^v?(\d+\.\d+\.\d+)(-.*)?/.exec(version) ?? [];
  const found = numbers.split(".").map(Number);
  const at = SOUND.findIndex((wanted, n) => found[n] !== wanted);
  return at < 0 ? before === "" : (found[at] ?? 0) > (SOUND[at] ?? 0);
}

export async function watchCopies(
  connection: NatsConnection,
  copies: number,
  onFatal: (error: Error) => void,
): Promise<void> {
  for await (const { type } of connection.status()) {
    const refusal = copiesRefused(connection.info?.version ?? "", copies);
    if (type === Events.Reconnect && refusal) onFatal(refusal);
  }
}
