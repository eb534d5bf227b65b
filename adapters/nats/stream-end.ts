// Stream end
// Asks the server that leads the stream of inputs where the stream ends now.
//
//   Owns:          the questions, whether the leader is still the leader.
//   Does not own:  what a reader does with the answer (runtime/cluster/fresh).
//   Decided in:    docs/decisions/0099-no-read-is-old.md.
//
// STREAM-END-1. Only an answer counts whose server has just heard of a majority of the stream's copies: without a majority,
//     another server may lead the stream by now, and it may have taken further messages.

import { type ClusterInfo, type JetStreamManager, nanos } from "nats";
import { ENGINE } from "../../runtime/message.ts";
import { RetryableError } from "../../runtime/errors/errors.ts";
import type { JournalEnd } from "../../runtime/ports.ts";
import { subjects } from "../../runtime/rows/subjects.ts";
import { answered, orAbsent } from "./stream-extent.ts";
import { STREAMS } from "./streams.ts";

/** The leader hears of each copy once a second. No other server is elected within 4 s of the leader's last word to it. */
const HEARD_NS = nanos(3_000);

const TERMS = subjects.own(ENGINE.workspace, ENGINE.session, "term.begun");

/** @throws RetryableError NATS_UNAVAILABLE, NO_MAJORITY. */
export async function streamEnd({ streams }: JetStreamManager): Promise<JournalEnd> {
  const newest = orAbsent(streams.getMessage(STREAMS.journal, { last_by_subj: TERMS }));
  const asked = answered(streams.info(STREAMS.journal));
  const [{ state, cluster }, term] = await Promise.all([asked, newest]);
  if (!hasMajority(cluster)) throw noMajority();
  return { tail: state.last_seq, term: term?.seq ?? 0 };
}

/** STREAM-END-1. @param cluster what a stream's leader knows of its copies; undefined for a server that is alone. */
export function hasMajority(cluster: Pick<ClusterInfo, "replicas"> | undefined): boolean {
  const others = cluster?.replicas ?? [];
  const heard = others.filter(({ active, offline }) => !offline && active < HEARD_NS).length;
  return (heard + 1) * 2 > others.length + 1;
}

const noMajority = (): RetryableError =>
  new RetryableError(
    "NO_MAJORITY",
    "The NATS server that leads the journal does not reach most of the journal's copies, so its newest entries are not known.",
    "Ask again shortly, or ask another engine. If this lasts, see which NATS servers are away.",
    1_000,
  );
