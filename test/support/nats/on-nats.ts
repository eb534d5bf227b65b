// On NATS
// An engine whose journal and outlet are on a real server, and an operator beside it.
//
//   Owns:          putting it together, stopping or killing it, waiting until nothing moves, reading the streams.
//   Does not own:  the server (server.ts), what is sent.

import { setTimeout as sleep } from "node:timers/promises";
import { connect, type JsMsg, type NatsConnection } from "nats";
import { MemoryDisk, MemoryStore } from "../../../adapters/memory/index.ts";
import { connectNats, type NatsLink, type NatsOptions } from "../../../adapters/nats/index.ts";
import { systemClock } from "../../../adapters/system/index.ts";
import type { SessionId, SourceInput, WorkspaceId } from "../../../machines/index.ts";
import type { StateChange } from "../../../runtime/rows/changes.ts";
import { digestId } from "../../../runtime/foreign-id.ts";
import { Engine, type EngineOptions } from "../../../runtime/engine/engine.ts";
import type { SourceMessage } from "../../../runtime/message.ts";
import type { Store } from "../../../runtime/ports.ts";
import { translate } from "../engine/rig.ts";
import { clients } from "../../../adapters/composition/clients.ts";

export interface OnNatsOptions extends Partial<EngineOptions> {
  readonly url: string;
  readonly disk?: MemoryDisk;
  readonly sealKey?: Uint8Array;
  readonly wrapStore?: (store: Store) => Store;
  readonly limits?: NonNullable<NatsOptions["limits"]>;
}

const KEY = new Uint8Array(32).fill(1);

export async function engineOnNats(options: OnNatsOptions) {
  const {
    url,
    disk = new MemoryDisk("store"),
    sealKey = KEY,
    wrapStore = (store: Store) => store,
    limits = {},
    ...more
  } = options;
  const fatals: Error[] = [];
  const changes: StateChange[] = [];
  const clock = systemClock();
  const onFatal = (error: Error): void => void fatals.push(error);
  const link: NatsLink = await connectNats({ url, clients, sealKey, clock, onFatal, limits });
  const engine = new Engine({
    store: wrapStore(new MemoryStore(disk)),
    journal: link.journal,
    outlet: link.outlet,
    clock,
    digest: digestId,
    clients,
    translate,
    onFatal,
    ...more,
  });
  engine.onChanges((group) => changes.push(...group));
  const end = async (): Promise<void> => {
    await link.close();
  };
  try {
    await engine.start();
  } catch (error) {
    await end();
    throw error;
  }
  return {
    engine,
    link,
    disk,
    fatals,
    changes,
    async stop() {
      await engine.stop();
      await end();
    },
    /** Leaves everything as it is now, like a killed process. */
    crash: end,
  };
}
export type OnNats = Awaited<ReturnType<typeof engineOnNats>>;

/** A message that carries inputs directly. */
export function messageOf(session: string, id: string, ...inputs: SourceInput[]): SourceMessage {
  return {
    door: "in",
    workspace: "w" as WorkspaceId,
    session: session as SessionId,
    source: "test",
    id,
    type: "test.inputs",
    data: inputs,
  };
}

/** Waits until a condition holds. @throws Error naming it after 50 s. */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 2_500; tries += 1) {
    if (await holds()) return;
    await sleep(20);
  }
  throw new Error(`It did not come to this: ${what}`);
}

/** Somebody else on the same server. */
export async function operator(url: string) {
  const { host, username, password } = new URL(url);
  const connection: NatsConnection = await connect({
    servers: host,
    ...(username !== "" && { user: username, pass: password }),
    maxReconnectAttempts: -1,
    reconnectTimeWait: 50,
  });
  const manager = await connection.jetstreamManager({ checkAPI: false });
  return {
    connection,
    manager,
    stream: connection.jetstream(),
    /** Everything in a stream, in order. */
    async all(name: string): Promise<readonly JsMsg[]> {
      const { state } = await manager.streams.info(name);
      const found: JsMsg[] = [];
      if (state.messages === 0) return found;
      const consumer = await connection.jetstream().consumers.get(name);
      const messages = await consumer.consume({ max_messages: 500 });
      for await (const message of messages) {
        found.push(message);
        if (message.info.pending === 0) break;
      }
      return found;
    },
    close: () => connection.close(),
  };
}
