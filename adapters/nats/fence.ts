// Fence
// Whether the engine's account on the server is one of its own.
//
//   Owns:          asking the server which account it is.
//   Does not own:  the accounts (ops/nats), what is said to whoever runs the server (cli).
//
// FENCE-1. Every server has an account that all share who were given none. Whoever is in the engine's account may have
//     an acknowledgement sent to any subject of it, whatever the permissions say: as a purge of the journal, as a
//     change.

import { StringCodec, type NatsConnection } from "nats";
import { z } from "zod";

/** Answered for the asker's own account, by every server since 2.9. */
const ASK = "$SYS.REQ.ACCOUNT.PING.STATZ";
const ANSWER_MS = 2_000;
const COMMON = "$G";

const answer = z.object({
  data: z.object({ account_statz: z.array(z.object({ acc: z.string() })).length(1) }),
});

/** @returns true where the engine's account is the one of all who were given none; undefined where that cannot be known. */
export async function isUnfenced(connection: NatsConnection): Promise<boolean | undefined> {
  try {
    const { data } = await connection.request(ASK, "", { timeout: ANSWER_MS });
    const told = answer.safeParse(JSON.parse(StringCodec().decode(data))).data;
    return told && told.data.account_statz[0]?.acc === COMMON;
  } catch {
    return undefined; // It has no system account, forbids the question, or is away.
  }
}
