// Copies
// Checks whether a server's version may keep a stream in several copies.
//
//   Owns:          which versions may keep several copies; the message about a version that may not; checking again after a lost
//                  connection.
//   Does not own:  how many copies a stream gets (streams.ts).
//
// COPIES-1. A stream has copies only if every server that the connection reaches decides compare-and-set correctly. In clusters
//     of older servers, two writers with one expected sequence were both told that they won.

import { Events, type NatsConnection } from "nats";
import { RefusedError } from "../../runtime/errors/errors.ts";

/** The first version in which exactly one of several writers wins. */
const SOUND = [2, 10, 27] as const;

/** @returns the refusal if a server of this version may not keep so many copies. */
export function copiesRefused(version: string, copies: number): RefusedError | undefined {
  if (copies <= 1 || isSound(version)) return undefined;
  return new RefusedError(
    "NATS_TOO_OLD",
    `A stream was asked for in ${copies} copies, and this server is nats-server ${version || "of an unknown version"}. In a cluster older than ${SOUND.join(".")}, two engines that write at once can both be told that they won, so an approval could be answered twice.`,
    `Bring every server of the cluster to ${SOUND.join(".")} or newer, or ask for one copy, which an older server may keep, too.`,
  );
}

/** A pre-release of that version, such as `2.10.27-RC.1`, is not sound. */
function isSound(version: string): boolean {
  const [, numbers = "", before = ""] = /^v?(\d+\.\d+\.\d+)(-.*)?/.exec(version) ?? [];
  const found = numbers.split(".").map(Number);
  const at = SOUND.findIndex((wanted, n) => found[n] !== wanted);
  return at < 0 ? before === "" : (found[at] ?? 0) > (SOUND[at] ?? 0);
}

/** Checks each server that the connection reaches. @param onFatal called with a server that may not be used. */
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
