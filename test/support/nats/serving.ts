// Serving
// An engine on memory adapters that serves over a real nats-server, and a client for it.
//
//   Owns:          composing, events for it, asking and deciding like the simplest client.
//   Does not own:  what is asked and expected.

import { connect, headers, type Msg, type NatsConnection } from "nats";
import { MemoryDisk, MemoryJournal, MemoryStore } from "../../../adapters/memory/index.ts";
import { CountedIds } from "../engine/counted-ids.ts";
import { ManualClock } from "../engine/manual-clock.ts";
import { serveNats } from "../../../adapters/nats/services/index.ts";
import { clients, translate } from "../../../adapters/composition/clients.ts";
import { Door } from "../../../runtime/door/door.ts";
import { digestId } from "../../../runtime/foreign-id.ts";
import { Engine } from "../../../runtime/engine/engine.ts";
import { Queries } from "../../../runtime/reading/queries.ts";
import { Gate as Waiting } from "../../../runtime/gate/gate.ts";
import { Gate } from "../faults/gate.ts";
import { event } from "../http/served.ts";
import { WrappedJournal } from "../faults/wrapped-journal.ts";

interface Told {
  readonly body: unknown;
  /** The description and the code of an error; undefined for an answer. */
  readonly error?: string | undefined;
  readonly code?: string | undefined;
  readonly headers: (name: string) => string;
}

export type Body = string | Uint8Array | object;

const bytesOf = (body: Body): Uint8Array =>
  body instanceof Uint8Array
    ? body
    : new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body));

export function toldBy(msg: Msg): Told {
  const code = msg.headers?.get("Nats-Service-Error-Code");
  const failed = code !== undefined && code !== "";
  return {
    body: msg.data.length === 0 ? undefined : JSON.parse(new TextDecoder().decode(msg.data)),
    ...(failed && { code, error: msg.headers?.get("Nats-Service-Error") }),
    headers: (name) => msg.headers?.get(name) ?? "",
  };
}

interface ServingOptions {
  /** False leaves starting the engine to the test. */
  readonly start?: boolean;
  /** Where appends to the journal wait. */
  readonly gate?: Gate;
  /** Notices who waits for an approval. */
  readonly withGate?: boolean;
  /** Of an engine that was stopped. */
  readonly disk?: MemoryDisk;
  readonly user?: string;
  readonly pass?: string;
}

export async function serving(
  url: string,
  {
    start = true,
    gate = new Gate(),
    withGate = false,
    disk = new MemoryDisk("journal-1"),
    ...user
  }: ServingOptions = {},
) {
  const clock = new ManualClock(1_800_000_000_000);
  const errors: unknown[] = [];
  const engine = new Engine({
    store: new MemoryStore(disk),
    journal: new WrappedJournal(new MemoryJournal(disk, clock), () => gate.pass()),
    clock,
    digest: digestId,
    clients,
    translate,
    onFatal: (error) => {
      throw error;
    },
  });
  const door = new Door({ engine, clock, ids: new CountedIds(), clients });
  const queries = new Queries(engine);
  const connection = await connect({ servers: url, ...user });
  const client = await connect({ servers: url, ...user });
  const onError = (error: unknown): void => void errors.push(error);
  const waiting = withGate ? new Waiting({ engine, door, queries, translate, clock, onError }) : undefined;
  const served = await serveNats({
    connection,
    engine,
    door,
    queries,
    version: "1.2.3",
    onError,
    ...(waiting && { waits: (id, within) => waiting.heard(id, within) }),
  });
  if (start) await engine.start();
  waiting?.start();

  const request = async (
    subject: string,
    body: Body,
    extra: Readonly<Record<string, string>> = {},
    by: NatsConnection = client,
  ): Promise<Told> => {
    const all = headers();
    for (const [name, value] of Object.entries(extra)) all.set(name, value);
    return toldBy(await by.request(subject, bytesOf(body), { timeout: 20_000, headers: all }));
  };

  return {
    disk,
    clock,
    engine,
    door,
    queries,
    client,
    connection,
    errors,
    request,
    query: (op: string, body: Body = "") => request(`signalbox.v1.query.${op}`, body),
    decide: (who: string, body: Body, extra?: Readonly<Record<string, string>>) =>
      request(`signalbox.v1.decide.${who}`, body, extra),
    send: async (...events: readonly object[]): Promise<void> => {
      const caller = { door: "test", by: "test" };
      const { taken } = await door.events(bytesOf(events), caller);
      for (const each of taken) if ("refused" in each) throw each.refused;
    },
    async stop(): Promise<void> {
      waiting?.stop();
      await served.stop();
      await engine.stop();
      await connection.close();
      await client.close();
    },
    served,
  };
}
export type Serving = Awaited<ReturnType<typeof serving>>;

export const INPUT = { command: "make deploy" };

/** A request of three calls in one batch, and an approval of the first. @returns its id. */
export async function ask({ send, queries }: Serving, session = "shop/s1", name = "r1"): Promise<string> {
  const of = { subject: session };
  await send(
    event("request.created", { requestId: name }, of),
    event("request.processing", { requestId: name }, of),
    ...[INPUT, { command: "ls" }, { command: "pwd" }].map((input, n) =>
      event("tool.started", { tool: "Bash", toolUseId: `${name}-t${n}`, requestId: name, input }, of),
    ),
    event("approval.requested", { tool: "Bash", toolUseId: `${name}-t0`, requestId: name, input: INPUT }, of),
  );
  const [question] = queries.listApprovals({ state: "pending" }).items;
  if (!question) throw new Error("Nothing was asked.");
  return question.id;
}
