// Stream end
// Asks the server that leads the stream of inputs where the stream ends now.
//
//   Owns:          the requests for the stream's end, checking whether the leader is still the leader.
//   Does not own:  what a reader does with the answer (runtime/cluster/fresh).
//   Decided in:    docs/decisions/0099-no-read-is-old.md.
//
// STREAM-END-1. An answer counts only if its server has just heard from a majority of the stream's copies: otherwise another
//     server may lead the stream by now, and have stored further messages.
// STREAM-END-2. An answer does not count if its server is just giving up the lead or has just taken it: the answer names no
//     leader, or its server has not heard from the other copies yet.

import { type ClusterInfo, type JetStreamManager, nanos } from "nats";
import { ENGINE } from "../../runtime/message.ts";
import { RetryableError } from "../../runtime/errors/errors.ts";
import type { JournalEnd } from "../../runtime/ports.ts";
import { subjects } from "../../runtime/rows/subjects.ts";
import { orAbsent, orPortError } from "./client-errors.ts";
import { STREAMS } from "./streams.ts";

/** How recently the leader must have heard from a copy. Each reports every second, and elects no other leader within 4 s. */
const HEARD_NS = nanos(3_000);

const TERMS = subjects.own(ENGINE.workspace, ENGINE.session, "term.begun");

/** @throws RetryableError NATS_UNAVAILABLE, NO_MAJORITY. */
export async function streamEnd({ streams }: JetStreamManager): Promise<JournalEnd> {
  const { state, cluster } = await orPortError(streams.info(STREAMS.journal));
  if (!hasMajority(cluster)) throw noMajority();
  // Only the server that leads the stream answers `getMessage`. Its answer does not say whether it still has a majority, but its
  // answer to `info` has just shown that.
  const term = await orAbsent(streams.getMessage(STREAMS.journal, { last_by_subj: TERMS }));
  return { tail: state.last_seq, term: term?.seq ?? 0 };
}

/**
 * Whether the server has just heard from a majority of the copies (STREAM-END-1, STREAM-END-2).
 * @param cluster what the server knows of the stream's copies; undefined if the server is alone.
 */
export function hasMajority(cluster: Pick<ClusterInfo, "leader" | "replicas"> | undefined): boolean {
  if (!cluster) return true;
  const { leader = "", replicas: others = [] } = cluster;
  // `active` is 0 for a copy that the leader has not heard from since it became the leader.
  const heard = others.filter(({ active, offline }) => !offline && active > 0 && active < HEARD_NS).length;
  return leader !== "" && (heard + 1) * 2 > others.length + 1;
}

const noMajority = (): RetryableError =>
  new RetryableError(
    "NO_MAJORITY",
    "The NATS server that leads the journal does not reach most of the journal's copies, so its newest entries are not known.",
    "Ask again shortly, or ask another engine. If this lasts, see which NATS servers are away.",
    1_000,
  );
