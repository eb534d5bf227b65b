// Signalbox
// The library `signalbox`: an engine inside your own process.
//
//   Owns:          the public names of the library.
//   Does not own:  the implementation of what is exported.

import { randomBytes } from "node:crypto";
import { defined } from "../machines/defined.ts";
import type { TakenEvents } from "../runtime/door/door.ts";
import type { EngineSettings, HttpSettings, NatsSettings } from "../runtime/engine-settings.ts";
import { RefusedError } from "../runtime/errors/errors.ts";
import { checkOptions, type Options } from "../runtime/errors/given-options.ts";
import { nearestName } from "../runtime/text/nearest-name.ts";
import { composeEngine, type Composed, type ComposeOptions } from "./composition/compose.ts";
import {
  checkAccessToken,
  checkToken,
  dataFolder,
  type DataFolder,
  ensureLineKey,
  makeFolder,
  readTokens,
} from "./data-folder/index.ts";
import type { HttpPlace } from "./composition/http-side.ts";

/** The options of `signalbox up`, for an engine in your own process. */
export interface CreateEngineOptions
  extends
    EngineSettings,
    Partial<HttpSettings>,
    Pick<ComposeOptions, "configuration" | "outlet" | "traces" | "log" | "onFatal"> {
  /** The folder for the engine's data; without a folder, the engine keeps everything in memory. */
  readonly dataDir?: string;
  /** The HTTP port; 0 for any free port; undefined for an engine without HTTP. */
  readonly port?: number;
  /**
   * This program's own token for HTTP on this machine. A request sends the token to whatever program has the port, so make a new
   * token for each start. Default: a random token if there is no folder; no token if there is a folder, because the folder's
   * socket needs none.
   */
  readonly token?: string;
  /**
   * Users' tokens by name, in addition to those of the data folder; at least 22 characters each. Answers sent with such a token
   * are recorded as by `http:NAME`.
   */
  readonly people?: Readonly<Record<string, string>>;
  /**
   * The NATS server for the journal and the published changes, which needs a `dataDir`; undefined for the folder's own journal.
   * Only the command `up --nats auto` runs a private server, because a library must not end processes.
   */
  readonly nats?: Pick<NatsSettings, "url" | "nkey">;
}

export interface SignalboxEngine extends Omit<Composed, "connect" | "start" | "audit"> {
  /** The program's own token for HTTP on this machine; undefined if the engine has none. */
  readonly token: string | undefined;
  /**
   * Sends one event or a list of events, as CloudEvents envelopes.
   * @returns the outcome of each event, once it is durable.
   * @throws RefusedError, RetryableError as `POST /v1/events` does.
   */
  send(events: unknown): Promise<TakenEvents>;
}

/**
 * Starts an engine in this process. @returns the engine, ready. Call `stop` before the process ends.
 * @throws FatalError STORE_BUSY if another process has the folder, RetryableError STORE_FULL if its disk is full, RefusedError
 * PORT_IN_USE, JOURNAL_DIFFERS for a folder begun with another journal, NO_NAMED_TOKEN if others could reach the engine and no
 * token has a name, BAD_NAME, WEAK_TOKEN, BAD_OPTION, NO_PORT for an option that needs HTTP, UNKNOWN_OPTION, STATE_FILES_… for an
 * unsuitable folder; of NATS, RetryableError NATS_UNAVAILABLE and RefusedError for an unsuitable server.
 */
export async function createEngine(options: CreateEngineOptions = {}): Promise<SignalboxEngine> {
  checkKnown(options);
  if (options.nats) checkOptions("createEngine's nats", options.nats, { url: "text!", nkey: "text" });
  const { dataDir, port, token, host, names, people, signIn, nats, ...rest } = options;
  const folder = dataDir === undefined ? undefined : dataFolder(dataDir, process.env);
  if (folder) await makeFolder(folder);
  const http = await placeOf(options, folder);
  const composed = await composeEngine({
    ...rest,
    ...defined({ folder, http }),
    ...(nats && { nats: { ...nats, isPrivate: false } }),
  });
  try {
    await composed.connect();
    await composed.start();
  } catch (error) {
    await composed.stop();
    throw error;
  }
  const caller = { door: "library", by: "library" };
  return {
    ...composed,
    token: http?.token,
    send: (events) => composed.door.events(Buffer.from(JSON.stringify(events)), caller),
  };
}

/** The names of all options. Any other name is refused: if `data`, meant as `dataDir`, were ignored, nothing would be stored. */
const OPTIONS = {
  configuration: "an object",
  // An object, or "off".
  quota: "anything",
  approvalsKeptMs: "a number",
  outlet: "an object",
  log: "an object",
  onFatal: "a function",
  adopts: "true or false",
  acceptsClock: "true or false",
  notifyCommand: "text",
  checkpointFile: "text",
  checkpointCommand: "text",
  stateFiles: "text",
  transcripts: "a list of texts",
  fileLines: "text",
  cedar: "text",
  peers: "text",
  partition: "text",
  join: "text",
  otlp: "text",
  otlpHeaders: "text",
  // `traces` is an object with a tracer and a meter, or true for those that the host program has registered with OpenTelemetry.
  traces: "anything",
  dataDir: "text",
  port: "a number",
  token: "text",
  host: "text",
  names: "a list of texts",
  people: "an object",
  signIn: "an object",
  nats: "an object",
} as const satisfies Record<keyof CreateEngineOptions, Options[string]>;

/** @throws RefusedError UNKNOWN_OPTION, BAD_OPTION */
function checkKnown(options: object): void {
  checkOptions("createEngine", options, OPTIONS);
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(OPTIONS, name));
  if (unknown === undefined) return;
  const nearest = nearestName(unknown, Object.keys(OPTIONS));
  throw new RefusedError(
    "UNKNOWN_OPTION",
    `createEngine has no option ${unknown}.${nearest === undefined ? "" : ` Did you mean ${nearest}?`}`,
    `The options are ${Object.keys(OPTIONS).join(", ")}.`,
    unknown,
  );
}

async function placeOf(
  { port, token, host, names, people, signIn }: CreateEngineOptions,
  folder: DataFolder | undefined,
): Promise<HttpPlace | undefined> {
  if (port === undefined) {
    const idle = Object.entries({ token, host, names, people, signIn }).find(
      ([, value]) => value !== undefined,
    );
    if (idle) throw noPort(idle[0]);
    return undefined;
  }
  const named = Object.entries(people ?? {}).map(([name, token]) => ({ name, token }));
  for (const one of named) checkAccessToken(one, `The token of ${one.name}`);
  if (token !== undefined) checkToken(token, "The token of this machine");
  const own = token ?? (folder ? undefined : randomBytes(32).toString("base64url"));
  return {
    port,
    ...(folder && { lineKey: await ensureLineKey(folder) }),
    ...defined({ token: own }),
    tokens: async () => [...named, ...(folder ? await readTokens(folder) : [])],
    ...defined({ host, names, signIn }),
  };
}

const noPort = (option: string): RefusedError =>
  new RefusedError(
    "NO_PORT",
    `The option ${option} is for HTTP, but the engine has no HTTP port.`,
    "Give the engine a port; 0 takes any free one.",
  );

export { extractIntent } from "./intent/lookup.ts";
export { IntentExtractor, type ExtractorOptions, type IntentLog } from "./intent/extractor.ts";
export type { IntentAlert, IntentCounts } from "./intent/measures.ts";
export type {
  ExtractedIntent,
  IntentCode,
  IntentOutcome,
  IntentQuery,
  SkippedLines,
  TranscriptPlace,
} from "./intent/query.ts";
export type { HostTraces } from "./composition/traces/trace-side.ts";
export { stderrLog } from "./log/index.ts";
export { RequestTracker } from "./request-tracker.ts";
export type {
  NewRequest,
  Recovery,
  RequestQuery,
  RequestState,
  RequestStateValue,
  RequestUpdates,
  TrackerLog,
  TrackerOptions,
} from "./request-tracker.ts";
export type { Log } from "./log/index.ts";
export type { Configuration } from "../runtime/config.ts";
export type { Quota } from "../runtime/quota.ts";
export type { StateChange } from "../runtime/rows/changes.ts";
export type { Outlet, OutgoingChange } from "../runtime/ports.ts";
export { FatalError, InvariantViolation, RefusedError, RetryableError } from "../runtime/errors/errors.ts";
