// Owner line
// The messages by which the owner of a journal tells the spares that it is there, and that it leaves.
//
//   Owns:          the subjects, the text, answering and asking.
//   Does not own:  what follows from an answer (runtime/cluster), the seal (seal.ts).
//
// NATS-OWNER-LINE-1. Only an engine that owns the journal answers. An engine that stands by, starts or stops sends nothing.
// NATS-OWNER-LINE-2. An answer in another form than Signalbox's is ignored. A forged answer can only make a spare wait, and a
//     forged farewell can only make it try to take over: the journal alone decides who owns it.
// NATS-OWNER-LINE-3. A question names stretches of history, and the owner's answer contains their digests. A question in another
//     form is answered, too, without digests: the answer shows that an owner is there.
// NATS-OWNER-LINE-4. Question and answer are sealed with the journal's key, and an answer belongs to one question. If the seal
//     does not fit, the content of a question is ignored, and an answer shows only that an engine is there and how far it has
//     applied the journal.

import { randomUUID } from "node:crypto";
import { ErrorCode, headers, type MsgHdrs, NatsError, type NatsConnection, StringCodec } from "nats";
import { z } from "zod";
import { jsonIn } from "../../machines/json.ts";
import type { OwnerLine } from "../../runtime/cluster/spare.ts";
import type { Asked, OwnerHeard, OwnerSaid } from "../../runtime/cluster/standing.ts";
import { subjects } from "../../runtime/rows/subjects.ts";
import { isSeal, seal } from "./seal.ts";
import { known } from "./services/known.ts";

const ANSWER_MS = 1_000;
/** The most stretches in a question: one of each history. */
const STRETCHES_MAX = 2;
/** The most positions in an answer: an owner never names so many. */
const POISON_MAX = 64;
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
  holds: position.exactOptional(),
  differs: z.object({ of: stretch.shape.of, n: position, position }).exactOptional(),
}) satisfies z.ZodType<Asked>;
const ownerSaid = z.object({
  node: z.string().max(512),
  term: position,
  applied: position,
  poison: z.array(position).max(POISON_MAX).exactOptional(),
  log: z.string().max(512),
  published: position,
  posted: position,
  compared: z
    .array(stretch.extend({ digest: z.string().max(64), build: z.string().max(64) }))
    .max(STRETCHES_MAX)
    .exactOptional(),
}) satisfies z.ZodType<OwnerSaid>;

const SEAL = "Signalbox-Seal";
/** The header with a question's random id. */
const ASKED = "Signalbox-Asked";

/** What a seal covers. Questions and answers are sealed with different subjects, so that no question passes for an answer. */
const sealable = (of: "asked" | "said", id: string, payload: Uint8Array) => ({
  subject: of === "asked" ? subjects.owner : `${subjects.owner}.said`,
  aside: id,
  payload,
});

function sealed(of: "asked" | "said", id: string, payload: Uint8Array, key: Uint8Array): MsgHdrs {
  const made = headers();
  made.set(SEAL, seal(sealable(of, id, payload), key));
  if (of === "asked") made.set(ASKED, id);
  return made;
}

export interface OwnerLineOptions {
  /** Whether the server is connected: without it, the client would only queue a question. */
  readonly isHere: () => boolean;
  /** This engine's address. */
  readonly node: () => string;
  /** The key of the journal's seals. */
  readonly sealKey: Uint8Array;
}

/** @returns the way to the journal's owner. */
export function ownerLine(
  connection: NatsConnection,
  { isHere, node, sealKey }: OwnerLineOptions,
): OwnerLine {
  return {
    async ask(what) {
      if (!isHere()) return "cut";
      try {
        const id = randomUUID();
        const payload = StringCodec().encode(JSON.stringify({ node: node(), ...what } satisfies Asked));
        const wish = { timeout: ANSWER_MS, headers: sealed("asked", id, payload, sealKey) };
        const answer = await connection.request(subjects.owner, payload, wish);
        return heardIn(answer.data, answer.headers?.get(SEAL), id, sealKey);
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

/** @throws for an answer in another form */
function heardIn(data: Uint8Array, found = "", id: string, sealKey: Uint8Array): OwnerHeard | "nobody" {
  if (data.length > TEXT_MAX) return "nobody";
  const said = ownerSaid.parse(JSON.parse(StringCodec().decode(data)));
  return { ...said, isProven: isSeal(found, sealable("said", id, data), sealKey) };
}

/** Stands for a question whose content is ignored: the answer only shows that an owner is there (NATS-OWNER-LINE-3). */
const NOTHING: Asked = { node: "", compare: [] };

function askedIn(data: Uint8Array): Asked {
  const text = data.length > TEXT_MAX ? "" : StringCodec().decode(data);
  return asked.safeParse(jsonIn(text)).data ?? NOTHING;
}

/** Answers spares with what `said` returns, until `stop`, which tells them that the owner leaves. @throws the client's error. */
export async function serveOwner(
  connection: NatsConnection,
  sealKey: Uint8Array,
  said: (asked: Asked) => OwnerSaid | undefined,
): Promise<{ stop(): Promise<void> }> {
  const answering = connection.subscribe(subjects.owner, {
    callback(error, message) {
      if (error) return;
      const { data, headers: found } = message;
      const id = found?.get(ASKED) ?? "";
      const isOurs = isSeal(found?.get(SEAL) ?? "", sealable("asked", id, data), sealKey);
      const word = said(isOurs ? askedIn(data) : NOTHING);
      if (!word) return;
      const payload = StringCodec().encode(JSON.stringify(word));
      message.respond(payload, { headers: sealed("said", id, payload, sealKey) });
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
