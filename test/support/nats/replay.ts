// NATS replay
// An engine on an LMDB folder, with journal and outlet on a server, that replays a recording and has places to be
// killed at.
//
//   Owns:          composing, reporting where it is, reading folder and streams afterwards.
//   Does not own:  being killed (engine-child), the replay (lmdb-replay), judging what is left.
//
// The server stamps what it takes. Here every stamp is read as the same moment, so that stamps are the same in every
// run; the journal's contract suite shows that stamps are right.

import { join } from "node:path";
import { openLmdb } from "../../../adapters/lmdb/index.ts";
import { connectNats } from "../../../adapters/nats/index.ts";
import { clients, translate } from "../../../adapters/composition/clients.ts";
import { digestId } from "../../../runtime/foreign-id.ts";
import { Engine } from "../../../runtime/engine/engine.ts";
import type { SourceMessage } from "../../../runtime/message.ts";
import type { Journal, JournalEntry, OutgoingChange, Outlet } from "../../../runtime/ports.ts";
import { clockAtRest, placedStore, replayInto, type ReplayOptions } from "../processes/lmdb-replay.ts";
import { START_MS } from "../engine/rig.ts";
import { WrappedJournal } from "../faults/wrapped-journal.ts";
import { operator } from "./on-nats.ts";

type At = NonNullable<ReplayOptions["at"]>;

const SEAL_KEY = new Uint8Array(32).fill(1);
/** By then the client has written its messages to the socket, and hardly any server has answered. */
const SENT_AFTER_MS = 1;

const onceSent = (at: At, what: string): void => void setTimeout(() => at("sent", what), SENT_AFTER_MS);

class PlacedJournal extends WrappedJournal {
  readonly #at: At;

  constructor(journal: Journal, at: At) {
    super(journal);
    this.#at = at;
  }

  override append(bodies: readonly string[]): Promise<readonly number[]> {
    this.#at("append", "");
    const appended = super.append(bodies);
    onceSent(this.#at, "entry");
    return appended;
  }

  override async read(
    position: number,
    limit: number,
    signal: AbortSignal,
  ): Promise<readonly JournalEntry[]> {
    return (await super.read(position, limit, signal)).map((entry) => ({ ...entry, at: START_MS }));
  }
}

const placedOutlet = (outlet: Outlet, at: At): Outlet => ({
  async publish(change: OutgoingChange) {
    at("publish", change.messageId);
    const taken = outlet.publish(change);
    onceSent(at, change.messageId);
    await taken;
    at("published", change.messageId);
  },
  lastVersion: (...of) => outlet.lastVersion(...of),
  close: () => outlet.close(),
});

export interface NatsReplay {
  readonly engine: Engine;
  /** Closes the connection; the engine must have stopped. */
  readonly close: () => Promise<void>;
}

export async function composeNatsReplay(
  dir: string,
  url: string,
  options: ReplayOptions = {},
): Promise<NatsReplay> {
  const { groupMax = 8, at = () => undefined, onFatal = () => undefined } = options;
  const clock = clockAtRest();
  const link = await connectNats({ url, clients, sealKey: SEAL_KEY, clock, onFatal });
  const engine = new Engine({
    store: placedStore(openLmdb(join(dir, "store"), clock).store, at),
    journal: new PlacedJournal(link.journal, at),
    outlet: placedOutlet(link.outlet, at),
    clock,
    digest: digestId,
    clients,
    translate,
    groupMax,
    onFatal,
  });
  return { engine, close: () => link.close() };
}

/** Starts on folder and streams, replays all of it, stops. @returns how many entries the start had to catch up with. */
export async function replayWholeOnNats(
  dir: string,
  url: string,
  list: readonly SourceMessage[],
): Promise<number> {
  const { engine, close } = await composeNatsReplay(dir, url);
  const { replayed } = await engine.start();
  await replayInto(engine, list);
  await engine.stop();
  await close();
  return replayed;
}

/** The store's rows. Its owner must have ended. */
export async function rowsIn(dir: string): Promise<ReadonlyMap<string, string>> {
  const folder = openLmdb(join(dir, "store"), clockAtRest());
  await folder.store.open();
  const rows = new Map(folder.store.range({ gte: " ", lt: "~" }));
  await folder.close();
  return rows;
}

export type PublishedChange = Pick<OutgoingChange, "messageId" | "subject" | "body">;

/** Every change in the stream, in order. */
export async function publishedOn(url: string): Promise<readonly PublishedChange[]> {
  const other = await operator(url);
  const messages = await other.all("SIGNALBOX_STATE");
  await other.close();
  return messages.map(({ subject, headers, data }) => ({
    messageId: headers?.get("Nats-Msg-Id") ?? "",
    subject,
    body: Buffer.from(data).toString(),
  }));
}
