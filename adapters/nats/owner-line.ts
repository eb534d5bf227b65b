// Owner line
// The messages by which the owner of a journal tells the spares that it is there, and that it leaves.
//
//   Owns:          the subjects, the text, answering and asking.
//   Does not own:  what follows from an answer (runtime/cluster), who may ask (the server's permissions).
//
// NATS-OWNER-LINE-1. Only an engine that owns the journal answers. An engine that stands by, starts or stops sends nothing.
// NATS-OWNER-LINE-2. An answer in another form than Signalbox's is ignored. A forged answer can only make a spare wait, and a
//     forged farewell can only make it try to take over: the journal alone decides who owns it.
// NATS-OWNER-LINE-3. A question names stretches of history, and the owner's answer contains their digests. A question in another
//     form is answered, too, without digests: the answer shows that an owner is there.

import { ErrorCode, NatsError, type NatsConnection, StringCodec } from "nats";
import { z } from "zod";
import { jsonIn } from "../../machines/json.ts";
import type { OwnerLine } from "../../runtime/cluster/spare.ts";
import type { Asked, OwnerSaid } from "../../runtime/cluster/standing.ts";
import { subjects } from "../../runtime/rows/subjects.ts";
import { known } from "./services/known.ts";

const ANSWER_MS = 1_000;
/** The most stretches in a question: one of each history. */
const STRETCHES_MAX = 2;
const TEXT_MAX = 4_096;

const position = z.int().nonnegative();
const stretch = z.object({
  of: z.enum(["changes", "quiet"]),
  after: position,
  upTo: position,
  since: position,
});
const asked = z.object({
  node: z.string().max(512),
  compare: z.array(stretch).max(STRETCHES_MAX),
  differs: z.object({ of: stretch.shape.of, n: position, position }).exactOptional(),
}) satisfies z.ZodType<Asked>;
const ownerSaid = z.object({
  node: z.string().max(512),
  term: position,
  applied: position,
  log: z.string().max(512),
  published: position,
  posted: position,
  compared: z
    .array(stretch.extend({ digest: z.string().max(64), build: z.string().max(64) }))
    .max(STRETCHES_MAX)
    .exactOptional(),
}) satisfies z.ZodType<OwnerSaid>;

/**
 * @param isHere whether the server is there: without it, a question is only kept.
 * @param node this engine's address.
 * @returns the way to the journal's owner.
 */
export function ownerLine(connection: NatsConnection, isHere: () => boolean, node: () => string): OwnerLine {
  return {
    async ask(question) {
      if (!isHere()) return "cut";
      try {
        const { data } = await connection.request(
          subjects.owner,
          JSON.stringify({ node: node(), ...question } satisfies Asked),
          { timeout: ANSWER_MS },
        );
        return data.length > TEXT_MAX ? "nobody" : ownerSaid.parse(JSON.parse(StringCodec().decode(data)));
      } catch (error) {
        return isHere() && isUnanswered(error) ? "nobody" : "cut";
      }
    },
    onLeaving(callback) {
      const heard = connection.subscribe(subjects.leaving, { callback: (error) => !error && callback() });
      return () => heard.unsubscribe();
    },
  };
}

/** Stands for a question in another form: the answer only shows that an owner is there (NATS-OWNER-LINE-3). */
const NOTHING: Asked = { node: "", compare: [] };

function askedIn(data: Uint8Array): Asked {
  const text = data.length > TEXT_MAX ? "" : StringCodec().decode(data);
  return asked.safeParse(jsonIn(text)).data ?? NOTHING;
}

/** Answers spares with what `said` returns, until `stop`, which tells them that the owner leaves. @throws the client's error. */
export async function serveOwner(
  connection: NatsConnection,
  said: (asked: Asked) => OwnerSaid | undefined,
): Promise<{ stop(): Promise<void> }> {
  const answering = connection.subscribe(subjects.owner, {
    callback(error, message) {
      const word = error ? undefined : said(askedIn(message.data));
      if (word) message.respond(JSON.stringify(word));
    },
  });
  await known(connection);
  return {
    async stop() {
      if (answering.isClosed()) return;
      answering.unsubscribe();
      connection.publish(subjects.leaving);
      await connection.flush();
    },
  };
}

const UNANSWERED: readonly string[] = [ErrorCode.NoResponders, ErrorCode.Timeout];

/** True if nobody listens, if nobody answered in time, or if the answer cannot be read. */
const isUnanswered = (error: unknown): boolean =>
  !(error instanceof NatsError) || UNANSWERED.includes(error.code);
