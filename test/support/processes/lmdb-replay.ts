// LMDB replay
// An engine on an LMDB folder that replays a recording and publishes into a file, with places to be killed at.
//
//   Owns:          composing, the outlet's file, reporting where it is.
//   Does not own:  being killed (engine-child), judging what is left.
//
// The wall clock stands still, so that stamps are the same in every run.

import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openLmdb } from "../../../adapters/lmdb/index.ts";
import { MemoryDisk, MemoryStore } from "../../../adapters/memory/index.ts";
import { systemClock } from "../../../adapters/system/index.ts";
import { clients, translate } from "../../../adapters/composition/clients.ts";
import { digestId } from "../../../runtime/foreign-id.ts";
import { Engine } from "../../../runtime/engine/engine.ts";
import type { Verified } from "../../../runtime/verify/verified.ts";
import { verify } from "../../../runtime/verify/verify.ts";
import { type SourceMessage, writeMessage } from "../../../runtime/message.ts";
import type { Clock, OutgoingChange, Outlet, Store } from "../../../runtime/ports.ts";
import { START_MS } from "../engine/rig.ts";
import { WrappedJournal } from "../faults/wrapped-journal.ts";
import { keyOf, WrappedStore } from "../faults/wrapped-store.ts";

/** Where a run is: about to append, to commit, to publish; just done with it; or waiting for a server's answer. */
export type Place = "append" | "sent" | "commit" | "committed" | "publish" | "published";
type At = (place: Place, what: string) => void;

export interface ReplayOptions {
  readonly groupMax?: number;
  /** Called at each place, with what it is about. */
  readonly at?: At;
  readonly onFatal?: (error: Error) => void;
}

export const clockAtRest = (): Clock => ({ ...systemClock(), now: () => START_MS });

const publishedFile = (dir: string): string => join(dir, "published.jsonl");

/** Every change the other side has taken, in order. */
export function published(dir: string): readonly OutgoingChange[] {
  const file = publishedFile(dir);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as OutgoingChange);
}

class FileOutlet implements Outlet {
  readonly #dir: string;
  readonly #at: At;

  constructor(dir: string, at: At) {
    this.#dir = dir;
    this.#at = at;
  }

  async publish(change: OutgoingChange): Promise<void> {
    this.#at("publish", change.messageId);
    appendFileSync(publishedFile(this.#dir), `${JSON.stringify(change)}\n`);
    this.#at("published", change.messageId);
    await Promise.resolve();
  }

  lastVersion(workspace: string, session: string): Promise<number> {
    const prefix = `${workspace}/${session}:`;
    const versions = published(this.#dir).flatMap(({ messageId }) =>
      messageId.startsWith(prefix) ? [Number(messageId.slice(prefix.length))] : [],
    );
    return Promise.resolve(Math.max(0, ...versions));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** Reports when it commits, and up to which position. */
export function placedStore(store: Store, at: At): Store {
  return new WrappedStore(store, async (writes, commit) => {
    const meta = writes.find((write) => keyOf(write) === "meta");
    const position =
      meta && "put" in meta ? String((JSON.parse(meta.value) as { position: number }).position) : "-";
    at("commit", position);
    await commit();
    at("committed", position);
  });
}

export function composeReplay(dir: string, options: ReplayOptions = {}): Engine {
  const { groupMax = 8, at = () => undefined, onFatal = () => undefined } = options;
  const clock = clockAtRest();
  const { store, journal } = openLmdb(join(dir, "store"), clock);
  return new Engine({
    store: placedStore(store, at),
    journal: new WrappedJournal(journal, async () => {
      at("append", "");
      await Promise.resolve();
    }),
    outlet: new FileOutlet(dir, at),
    clock,
    digest: digestId,
    clients,
    translate,
    groupMax,
    onFatal,
  });
}

/** Hands every message in, in order, and waits until all are durable and published. */
export async function replayInto(engine: Engine, list: readonly SourceMessage[]): Promise<void> {
  const ends: Promise<unknown>[] = [];
  for (const message of list) ends.push((await engine.submit(message)).settled);
  await Promise.all(ends);
  while (engine.lag().outlet > 0) await sleep(1);
}

/** Starts on the folder, replays all of it, stops. */
export async function replayWhole(dir: string, list: readonly SourceMessage[]): Promise<void> {
  const engine = composeReplay(dir);
  await engine.start();
  await replayInto(engine, list);
  await engine.stop();
}

export interface Found {
  readonly rows: ReadonlyMap<string, string>;
  readonly tail: number;
}

/** The contents of the folder. The owner must have ended. */
export async function foundIn(dir: string): Promise<Found> {
  const { store, journal, close } = openLmdb(join(dir, "store"), clockAtRest());
  await store.open();
  await journal.open(undefined);
  const found = { rows: new Map(store.range({ gte: " ", lt: "~" })), tail: journal.tail() };
  await close();
  return found;
}

/** What a replay of the folder's journal comes to (verify). */
export async function verifiedIn(dir: string): Promise<Verified> {
  const { store, journal, close } = openLmdb(join(dir, "store"), clockAtRest());
  await store.open();
  await journal.open(undefined);
  const into = new MemoryStore(new MemoryDisk("replay"));
  const entry = (position: number) => journal.entry(position);
  const first = () => journal.first();
  const verified = await verify({
    found: store,
    entry,
    first,
    into,
    digest: digestId,
    clients,
    translate,
    build: "",
  });
  await close();
  return verified;
}

/**
 * Appends the next messages of a replay without an engine, so that the journal is ahead of the store, as after a kill
 * while turns wait for their commit.
 */
export async function appendNext(dir: string, list: readonly SourceMessage[], count: number): Promise<void> {
  const { store, journal, close } = openLmdb(join(dir, "store"), clockAtRest());
  await store.open();
  const { position } = await journal.open(undefined);
  const tail = journal.tail();
  const entries = tail === 0 ? [] : await journal.read(position, tail, new AbortController().signal);
  const said = entries.filter(({ body }) => body.startsWith('{"door":"in"')).length;
  await journal.append(list.slice(said, said + count).map(writeMessage));
  await close();
}
