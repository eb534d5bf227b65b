// Owner line
// The messages by which spares ask whether a journal's owner is there, and by which the owner answers and says that it leaves.
//
//   Owns:          the subjects, the text of the messages, asking and answering.
//   Does not own:  what follows from an answer (runtime/cluster), the seal (seal.ts).
//
// NATS-OWNER-LINE-1. Only the engine that owns the journal answers. A spare, and an engine that starts or stops, sends nothing.
// NATS-OWNER-LINE-2. A forged answer can only make a spare wait, and a forged farewell can only make a spare try to take over:
//     only the journal decides which engine owns it. An answer in a form that the spare does not know is ignored.
// NATS-OWNER-LINE-3. A spare compares its store with the owner's. Its query names stretches, which are ranges of changes, or of
//     entries that changed nothing (`quiet`), and the owner's answer contains the digest of each. If a query is in a form that
//     the owner does not know, the answer contains no digests and only shows that an owner is there.
// NATS-OWNER-LINE-4. Query and answer are sealed with the journal's key, and each answer belongs to one query. If the seal of a
//     query does not fit, the owner ignores its content. If the seal of an answer does not fit, the answer only shows how far an
//     engine has applied the journal.

import { randomUUID } from "node:crypto";
import { ErrorCode, type MsgHdrs, NatsError, type NatsConnection, StringCodec } from "nats";
import { z } from "zod";
import { jsonIn } from "../../machines/json.ts";
import type { OwnerLine } from "../../runtime/cluster/spare.ts";
import type { Asked, OwnerHeard, OwnerSaid } from "../../runtime/cluster/standing.ts";
import { subjects } from "../../runtime/rows/subjects.ts";
import { known, headersWith } from "./connect.ts";
import { headBytes, headersIn } from "./headers.ts";
import { isSeal, seal } from "./seal.ts";

const ANSWER_MS = 1_000;
/** A spare asks the owner to compare at most this many stretches at once: one of `changes`, one of `quiet`. */
const STRETCHES_MAX = 2;
/** How many poison entries an answer may name; an owner never names so many. */
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
/** The header with the random id of a query. */
const ASKED = "Signalbox-Asked";
const SEALED: ReadonlySet<string> = new Set([SEAL, ASKED]);

/** What is sealed of a query or an answer. The two are sealed with different subjects, so that no query passes for an answer. */
const sealable = (of: "asked" | "said", id: string, payload: Uint8Array) => ({
  subject: of === "asked" ? subjects.owner : `${subjects.owner}.said`,
  aside: id,
  payload,
});

function sealed(of: "asked" | "said", id: string, payload: Uint8Array, key: Uint8Array): MsgHdrs {
  const found = seal(sealable(of, id, payload), key);
  return headersWith(Object.entries({ [SEAL]: found, ...(of === "asked" && { [ASKED]: id }) }));
}

export interface OwnerLineOptions {
  /** Whether the server is connected. If it is not, the NATS client would only queue a query. */
  readonly isHere: () => boolean;
  /** This engine's address. */
  readonly node: () => string;
  readonly sealKey: Uint8Array;
}

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

/** @throws an error if the answer has another form */
function heardIn(data: Uint8Array, found = "", id: string, sealKey: Uint8Array): OwnerHeard | "nobody" {
  if (data.length > TEXT_MAX) return "nobody";
  const said = ownerSaid.parse(JSON.parse(StringCodec().decode(data)));
  return { ...said, isProven: isSeal(found, sealable("said", id, data), sealKey) };
}

/** Takes the place of a query whose content is ignored (NATS-OWNER-LINE-3, NATS-OWNER-LINE-4). */
const NOTHING: Asked = { node: "", compare: [] };

function askedIn(data: Uint8Array): Asked {
  const text = data.length > TEXT_MAX ? "" : StringCodec().decode(data);
  return asked.safeParse(jsonIn(text)).data ?? NOTHING;
}

/**
 * Answers spares with what `said` returns. The returned `stop` ends the answering and tells the spares that the owner leaves.
 * @throws the client's error.
 */
export async function serveOwner(
  connection: NatsConnection,
  sealKey: Uint8Array,
  said: (asked: Asked) => OwnerSaid | undefined,
): Promise<{ stop(): Promise<void> }> {
  const answering = connection.subscribe(subjects.owner, {
    callback(error, message) {
      if (error) return;
      const { data } = message;
      const head = headBytes(message);
      const found = head.length > TEXT_MAX ? undefined : headersIn(head, SEALED);
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

/** True if nobody listens for queries, nobody answered in time, or the answer cannot be read. */
const isUnanswered = (error: unknown): boolean =>
  !(error instanceof NatsError) || UNANSWERED.includes(error.code);
