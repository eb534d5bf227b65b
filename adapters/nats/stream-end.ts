// Stream end
// Asks the server that leads the stream of inputs where the stream ends now.
//
//   Owns:          the questions, whether the leader is still the leader.
//   Does not own:  what a reader does with the answer (runtime/cluster/fresh).
//   Decided in:    docs/decisions/0099-no-read-is-old.md.
//
// STREAM-END-1. An answer counts only if its server has just heard from a majority of the stream's copies: without a majority,
//     another server may lead the stream by now, and may have stored further messages.
// STREAM-END-2. A server that is just giving up the lead, or has just taken it, still answers for a moment: it names no leader,
//     or has not heard from the other copies yet. Such an answer does not count.

import { type ClusterInfo, type JetStreamManager, nanos } from "nats";
import { ENGINE } from "../../runtime/message.ts";
import { RetryableError } from "../../runtime/errors/errors.ts";
import type { JournalEnd } from "../../runtime/ports.ts";
import { subjects } from "../../runtime/rows/subjects.ts";
import { answered, orAbsent } from "./stream-extent.ts";
import { STREAMS } from "./streams.ts";

/** The leader hears from each copy once a second. No other server is elected within 4 s of the leader's last message to it. */
const HEARD_NS = nanos(3_000);

const TERMS = subjects.own(ENGINE.workspace, ENGINE.session, "term.begun");

/** @throws RetryableError NATS_UNAVAILABLE, NO_MAJORITY. */
export async function streamEnd({ streams }: JetStreamManager): Promise<JournalEnd> {
  const { state, cluster } = await answered(streams.info(STREAMS.journal));
  if (!hasMajority(cluster)) throw noMajority();
  // This request is the second: its answer does not name the server, but the first answer has shown that this server leads.
  const term = await orAbsent(streams.getMessage(STREAMS.journal, { last_by_subj: TERMS }));
  return { tail: state.last_seq, term: term?.seq ?? 0 };
}

/**
 * True if the server reaches most copies of the stream (STREAM-END-1, STREAM-END-2). @param cluster what the server knows of
 * the stream's copies; undefined if it is alone.
 */
export function hasMajority(cluster: Pick<ClusterInfo, "leader" | "replicas"> | undefined): boolean {
  if (!cluster) return true;
  const { leader = "", replicas: others = [] } = cluster;
  // 0: the server has not heard from that copy since it became the leader.
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
