// Fence
// Finds out whether the engine has an account of its own on the server.
//
//   Owns:          asking the server for the engine's account.
//   Does not own:  the accounts (ops/nats), what the operator is told (cli).
//
// FENCE-1. A server puts all users without an account into one default account. If the engine is in this account, too, the other
//     users can name any of the engine's subjects as the reply subject of a message. The server then sends an acknowledgement to
//     that subject, whatever the permissions say. So these users could purge the journal or fake a change.

import { StringCodec, type NatsConnection } from "nats";
import { z } from "zod";

/** The subject of a request that every server since 2.9 answers with the sender's own account. */
const ASK = "$SYS.REQ.ACCOUNT.PING.STATZ";
const ANSWER_MS = 2_000;
const COMMON = "$G";

const answer = z.object({
  data: z.object({ account_statz: z.array(z.object({ acc: z.string() })).length(1) }),
});

/** @returns true if the engine uses the server's default account; undefined if the server does not tell. */
export async function isUnfenced(connection: NatsConnection): Promise<boolean | undefined> {
  try {
    const { data } = await connection.request(ASK, "", { timeout: ANSWER_MS });
    const told = answer.safeParse(JSON.parse(StringCodec().decode(data))).data;
    return told && told.data.account_statz[0]?.acc === COMMON;
  } catch {
    return undefined; // The server has no system account, forbids the request, or does not answer.
  }
}
