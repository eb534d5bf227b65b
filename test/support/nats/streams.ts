// Streams
// The engine's streams on a server without an engine.
//
//   Owns:          making them by hand; a connection to look at them.
//   Does not own:  their real settings (adapters/nats).

import { connect, type JetStreamClient, type JetStreamManager, type NatsConnection, nanos } from "nats";

export interface Bench {
  readonly connection: NatsConnection;
  readonly manager: JetStreamManager;
  readonly jetstream: JetStreamClient;
}

const STREAMS = { SIGNALBOX_IN: "signalbox.v1.in.>" } as const;
const WINDOW_MS = 600_000;

/** A connection that reconnects when the server is back. */
export async function bench(url: string): Promise<Bench> {
  const { host, username, password } = new URL(url);
  const user = username === "" ? {} : { user: username, pass: password };
  const options = { servers: host, ...user, maxReconnectAttempts: -1, reconnectTimeWait: 50 };
  const connection = await connect(options);
  const manager = await connection.jetstreamManager();
  return { connection, manager, jetstream: connection.jetstream() };
}

export async function addStream(
  { manager }: Bench,
  name: keyof typeof STREAMS,
  settings: object = {},
): Promise<void> {
  await manager.streams.add({
    name,
    subjects: [STREAMS[name]],
    duplicate_window: nanos(WINDOW_MS),
    ...settings,
  });
}

/** Everything in a stream, in order. */
export async function stored(
  { manager }: Bench,
  name: keyof typeof STREAMS,
): Promise<
  readonly { readonly seq: number; readonly subject: string; readonly body: unknown; readonly id: string }[]
> {
  const { state } = await manager.streams.info(name);
  const found = [];
  for (let seq = state.first_seq; seq <= state.last_seq; seq += 1) {
    const message = await manager.streams.getMessage(name, { seq });
    const id = message.header.get("Nats-Msg-Id");
    found.push({ seq, subject: message.subject, body: message.json<unknown>(), id });
  }
  return found;
}
