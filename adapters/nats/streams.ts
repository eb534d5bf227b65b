// Streams
// The JetStream streams of Signalbox: what each stream stores, for how long, and how much.
//
//   Owns:          the one table of the streams' settings; creating the streams, applying the settings.
//   Does not own:  connecting (connect.ts), what is published and read (journal.ts, outlet.ts).
//
// STREAMS-1. A stream is used only with the settings in the table. If the server refuses these settings, the start is refused.
// STREAMS-2. The limits of the stream of inputs are never lowered: the server would drop the oldest messages, read or not.
// STREAMS-3. The number of a stream's copies is changed only if a setting asks for it.
// STREAMS-4. While a cluster has fewer servers than the copies that a setting asks for, a start waits.

import {
  DiscardPolicy,
  type JetStreamManager,
  nanos,
  NatsError,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
  type StreamInfo,
} from "nats";
import { RefusedError, RetryableError } from "../../runtime/errors/errors.ts";
import { subjects } from "../../runtime/rows/subjects.ts";
import { asPortError, orAbsent } from "./client-errors.ts";

const MIB = 1024 * 1024;
const HOUR_MS = 3_600_000;
const AGAIN_MS = 1_000;

export interface StreamLimits {
  /** How many servers store a copy of each message. Default: as many as now; 1 for a new stream. */
  readonly replicas?: number;
  readonly journalBytes?: number;
}

export const STREAMS = {
  journal: "SIGNALBOX_IN",
  changes: "SIGNALBOX_STATE",
  deadLetters: "SIGNALBOX_DLQ",
  blobs: "OBJ_SIGNALBOX_BLOBS",
};

/** The longest message: a raw payload of 8 MiB in its envelope. A server's own `max_payload` may be lower. */
const JOURNAL_MESSAGE_BYTES = 9 * MIB;
/** How long a stream recognises repeated ids: longer than any outage after which the engine sends again under the same id. */
const DUPLICATES_MS = 600_000;
/**
 * How long the journal recognises repeated ids: not long, because all services share its list, so an id that somebody has used is
 * blocked for everybody. The engine recognises later repeats by source and id.
 */
const JOURNAL_DUPLICATES_MS = 120_000;

type Settings = Pick<
  StreamConfig,
  | ("name" | "subjects" | "discard" | "max_age" | "max_bytes" | "max_msg_size" | "duplicate_window")
  | ("allow_direct" | "allow_rollup_hdrs")
>;

function table(limits: StreamLimits): readonly Settings[] {
  const every = {
    duplicate_window: nanos(DUPLICATES_MS),
    allow_direct: true,
    // With rollup headers, one message could delete all other messages of the stream.
    allow_rollup_hdrs: false,
  };
  return [
    {
      ...every,
      name: STREAMS.journal,
      subjects: [subjects.inputs, subjects.owns],
      discard: DiscardPolicy.New,
      max_age: 0,
      max_bytes: limits.journalBytes ?? 4096 * MIB,
      max_msg_size: JOURNAL_MESSAGE_BYTES,
      duplicate_window: nanos(JOURNAL_DUPLICATES_MS),
    },
    {
      ...every,
      name: STREAMS.changes,
      subjects: [subjects.states],
      discard: DiscardPolicy.Old,
      max_age: nanos(24 * HOUR_MS),
      max_bytes: 1024 * MIB,
      max_msg_size: -1,
    },
    {
      ...every,
      name: STREAMS.deadLetters,
      subjects: [subjects.deadLetters],
      discard: DiscardPolicy.Old,
      max_age: nanos(30 * 24 * HOUR_MS),
      max_bytes: 256 * MIB,
      max_msg_size: -1,
    },
  ];
}

/** Settings that a server never changes in an existing stream. */
const FIXED = { storage: StorageType.File, retention: RetentionPolicy.Limits };

/**
 * Creates or updates all streams.
 * @returns how many copies the journal's stream has.
 * @throws RefusedError STREAM_DIFFERS, STREAM_REFUSED; otherwise the error that `asPortError` makes of the server's answer.
 */
export async function ensureStreams(manager: JetStreamManager, limits: StreamLimits): Promise<number> {
  const copies = [];
  for (const settings of table(limits)) copies.push(await ensureStream(manager, settings, limits));
  return copies[0] ?? 1;
}

/** Creates one stream if it is missing. @returns true if the stream was missing. @throws as `ensureStreams` does. */
export async function remakeStream(
  manager: JetStreamManager,
  name: string,
  limits: StreamLimits,
): Promise<boolean> {
  const settings = table(limits).find((each) => each.name === name);
  if (!settings || (await orAbsent(manager.streams.info(name)))) return false;
  await ensureStream(manager, settings, limits);
  return true;
}

/** Creates or updates one stream. @returns how many copies the stream has. @throws as `ensureStreams` does. */
export async function ensureStream(
  manager: JetStreamManager,
  settings: Settings,
  { replicas }: Pick<StreamLimits, "replicas">,
): Promise<number> {
  const found = await orAbsent(manager.streams.info(settings.name));
  const num_replicas = replicas ?? found?.config.num_replicas ?? 1;
  try {
    if (!found) {
      await manager.streams.add({ ...settings, num_replicas, ...FIXED });
      return num_replicas;
    }
    const wanted = { ...settings, num_replicas, max_bytes: roomOf(found, settings) };
    if (differences(found.config, wanted).length === 0) return num_replicas;
    checkFixed(found.config);
    await manager.streams.update(settings.name, { ...found.config, ...wanted });
    return num_replicas;
  } catch (error) {
    throw failureOf(error, settings.name);
  }
}

/** The stream's limit in bytes (STREAMS-2). A journal stream without a limit gets one well above its content. */
function roomOf({ config, state }: StreamInfo, { name, max_bytes: wanted }: Settings): number {
  if (name !== STREAMS.journal) return wanted;
  return Math.max(wanted, config.max_bytes > 0 ? config.max_bytes : 2 * state.bytes);
}

const TOO_FEW_SERVERS = 10005;

function differences(found: StreamConfig, wanted: Partial<StreamConfig>): readonly string[] {
  return Object.entries(wanted).flatMap(([name, value]) =>
    JSON.stringify(Reflect.get(found, name) ?? false) === JSON.stringify(value) ? [] : [name],
  );
}

function checkFixed(found: StreamConfig): void {
  const fixed = differences(found, { ...FIXED, sealed: false });
  if (fixed.length === 0) return;
  throw new RefusedError(
    "STREAM_DIFFERS",
    `The stream ${found.name} was made with another ${fixed.join(" and ")}, which cannot be changed.`,
    `Delete the stream if nothing in it is needed (nats stream rm ${found.name}), or use another server or account.`,
  );
}

function failureOf(error: unknown, name: string): Error {
  const { err_code, description } = (error instanceof NatsError && error.api_error) || {};
  if (description === undefined) return asPortError(error);
  if (err_code === TOO_FEW_SERVERS)
    return new RetryableError(
      "NATS_UNAVAILABLE",
      `The NATS cluster has too few servers for the copies of the stream ${name}: ${description}.`,
      "Start the cluster's other servers; the engine tries again.",
      AGAIN_MS,
    );
  return new RefusedError(
    "STREAM_REFUSED",
    `The NATS server does not accept the settings of the stream ${name}: ${description}.`,
    "Give JetStream the room and the servers that the settings need, or change the settings.",
  );
}
