// Published
// Tool calls of sessions, fifty unless told, as a service publishes them to JetStream.
//
//   Owns:          subjects and envelopes, publishing in order.
//   Does not own:  the payloads (workload), what is measured.

import type { JetStreamClient } from "nats";
import { subjects } from "../runtime/rows/subjects.ts";
import { post, pre, sessionId, WORKSPACE } from "./workload.ts";

export const SESSIONS = 50;
/** How many are on their way at once. */
export const WINDOW = 256;

type Said = ReturnType<typeof pre>;

const envelopeOf = ({ id, source, type, data, session }: Said): string =>
  JSON.stringify({ specversion: "1.0", id, source, type, subject: `${WORKSPACE}/${session}`, data });

/** Publishes in order, 256 in flight. */
export async function publishAll(
  stream: JetStreamClient,
  messages: readonly (readonly [string, string])[],
): Promise<void> {
  const inFlight = new Set<Promise<unknown>>();
  for (const [subject, body] of messages) {
    const ack = stream.publish(subject, body, { timeout: 60_000 });
    inFlight.add(ack);
    void ack.finally(() => inFlight.delete(ack));
    if (inFlight.size >= WINDOW) await Promise.race(inFlight);
  }
  await Promise.all(inFlight);
}

const subjectOf = ({ session, type }: Said): string => subjects.input(WORKSPACE, session, type);

/** @param from the number of the first call. @param calls of each session. */
export function callsOf(
  from: number,
  calls: number,
  sessions = SESSIONS,
): readonly (readonly [string, string])[] {
  return Array.from({ length: calls * 2 * sessions }, (_, n) => {
    const session = sessionId(n % sessions);
    const call = from + Math.floor(n / (2 * sessions));
    const said = Math.floor(n / sessions) % 2 === 0 ? pre(session, call) : post(session, call);
    return [subjectOf(said), envelopeOf(said)];
  });
}
