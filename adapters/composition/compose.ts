// Compose
// Builds an engine: the only file that knows all its adapters.
//
//   Owns:          which implementation serves each port, the order of starting and stopping.
//   Does not own:  the work of the adapters.
//
// COMPOSE-1. HTTP listens before the engine starts, so that a port in use is noticed first. HTTP closes before the engine stops.
// COMPOSE-2. After an error that forbids further writing, the process ends without exit hooks: lmdb's exit hook would write.

import { defined } from "../../machines/defined.ts";
import { BlobSweep } from "../../runtime/reading/blob-sweep.ts";
import { type Configuration, configured } from "../../runtime/config.ts";
import { Door } from "../../runtime/door/door.ts";
import { digestId } from "../../runtime/foreign-id.ts";
import { Engine, type EngineOptions } from "../../runtime/engine/engine.ts";
import type { EngineSettings, NatsSettings } from "../../runtime/engine-settings.ts";
import type { Blobs, Clock, Ids, Journal, Outlet, Store } from "../../runtime/ports.ts";
import { Queries } from "../../runtime/reading/queries.ts";
import { allOf, type Trouble } from "../../runtime/errors/trouble.ts";
import { watchTroubles } from "../../runtime/errors/trouble-watch.ts";
import { readersOf } from "./http/readers.ts";
import { auditLogOf } from "./audit/audit-side.ts";
import { BlobFiles } from "../blob-files/blob-files.ts";
import {
  checkHeld,
  type DataFolder,
  ensureKey,
  type Held,
  placeSocket,
  takeKey,
} from "../data-folder/index.ts";
import { Sample } from "../../runtime/sample/sample.ts";
import { clients, translate } from "./clients.ts";
import { GateSide } from "./gate-side.ts";
import { guardedPlaces } from "./guarded-places.ts";
import { type HttpPlace, listen } from "./http-side.ts";
import { openLmdb } from "../lmdb/index.ts";
import { type Log, stderrLog } from "../log/index.ts";
import { MemoryBlobs, MemoryDisk, MemoryJournal, MemoryStore } from "../memory/index.ts";
import { natsKeyAt } from "./nats-key.ts";
import { keyFileOf } from "../nats-server/index.ts";
import { NatsSide } from "./nats-side.ts";
import { startNoted } from "./noted.ts";
import { checkFollowed, sharedBy, type Sharing, standingOf } from "./cluster/shared-side.ts";
import { peersSideOf } from "./cluster/peers-side.ts";
import { policySideOf } from "./policy-file.ts";
import type { providerSideOf } from "./holders/provider-side.ts";
import { Mirror } from "../request-files/mirror.ts";
import { MirrorFiles } from "../request-files/mirror-files.ts";
import { Inspection } from "../stately/inspection.ts";
import { markOf, systemClock, systemIds } from "../system/index.ts";
import { inLog, listenersOf, loggedOnce, type Told, toldIn, toldTo } from "./told.ts";
import { conversationsOf, heardBy, tailerOf } from "./transcript-side.ts";
import { type HostTraces, traceSideOf } from "./traces/trace-side.ts";
import { version } from "../version.ts";

export interface ComposeOptions extends EngineSettings, Sharing {
  /** The data folder; undefined for an engine in memory. */
  readonly folder?: DataFolder;
  /** The place where HTTP listens; undefined for an engine without HTTP. */
  readonly http?: HttpPlace;
  readonly configuration?: Configuration;
  /** Where changes are published, unless `nats` is set. */
  readonly outlet?: Outlet;
  /** The NATS server with the journal; needs a folder. Undefined for the folder's own journal. */
  readonly nats?: NatsSettings;
  /** The reason why the start still waits, if it does. Callers who ask whether the engine is ready get this reason. */
  readonly waitsFor?: () => Trouble | undefined;
  /** The tracer of the embedding program; `true` for the tracer that is registered with OpenTelemetry. */
  readonly traces?: HostTraces;
  readonly log?: Log;
  /**
   * Called with the error that ends the engine. Must end the process without running exit hooks (COMPOSE-2). Default: ends the
   * process with exit code 75.
   */
  readonly onFatal?: (error: Error) => void;
  readonly onPoison?: (position: number) => void;
  /** Called if everybody who can connect to the NATS server has the same rights there as the engine. */
  readonly onUnfenced?: () => void;
  /** Called when the engine does not believe the machine's clock (runtime/engine/clock-watch). `next`: what to do. */
  readonly onClock?: (message: string, next: string) => void;
}

export interface Composed {
  readonly engine: Engine;
  readonly door: Door;
  readonly queries: Queries;
  /** The audit log; undefined for an engine in memory. */
  readonly audit: ReturnType<typeof auditLogOf>;
  readonly url: string | undefined;
  /**
   * Connects to NATS, if configured.
   * @throws RetryableError while the server is away; RefusedError if the server is unsuitable.
   */
  connect(): Promise<void>;
  /** Must be called after `connect`. @throws RefusedError JOURNAL_DIFFERS; FatalError, RetryableError as `Engine.start` does. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * @returns an engine that has not started, but whose HTTP server listens.
 * @throws RefusedError FOLDER_LOST, and as `listen` does.
 */
export async function composeEngine(options: ComposeOptions): Promise<Composed> {
  const { folder, http, onFatal = () => endProcess(EXIT_FAILED) } = options;
  const { log = stderrLog("silent"), waitsFor = () => undefined } = options;
  const [clock, ids, told] = [systemClock(), systemIds(), toldTo(options, log)];
  const fatal = loggedOnce(log, onFatal);
  const held = folder && (await checkHeld(folder));
  const mirrorFiles = await mirrorFilesOf(options);
  const nats = await natsSide(options, { clock, log, isKeyKnown: held?.isKeyKnown ?? false, onFatal: fatal });
  const own = folder ? onDisk(folder, held, clock, fatal) : inMemory(clock, ids);
  const kept = { store: own.store, journal: nats?.journal ?? own.journal };
  const guarded = () => guardedPlaces(options, url());
  const [onError, url] = [(error: unknown): void => log.failed(error), () => listening?.url];
  const { shared, blobs } = sharedBy(options, nats, { own, clock, ids, url, onError, onFatal: fatal });
  const engine = engineOf(options, kept, { clock, told, nats, shared, guarded, onFatal: fatal });
  const door = new Door({ engine, clock, ids, clients, blobs, onHook: heardBy(() => [tailer, readers]) });
  const queries = new Queries(engine, blobs);
  const policy = await policySideOf(options.cedar, { engine, onError });
  const traces = await traceSideOf(options, { engine, clock, onError });
  const gates = new GateSide({ engine, door, queries, translate, clock, onError }, folder);
  const notifier = listenersOf(options, { engine, queries, clock }, log);
  const mirror = mirrorFiles && new Mirror({ engine, queries, clock, files: mirrorFiles, onError });
  const tailer = tailerOf({ roots: options.transcripts ?? [], door, engine, clock, folder, onError });
  const audit = auditLogOf(options, { engine, clock, outlet: nats?.outlet, onError });
  const blobSweep = new BlobSweep({ blobs, engine, clock, onError });
  const isReady = () => engine.isReady && (nats?.isServing ?? true);
  const peers = await peersSideOf(options, { clock, url });
  const provider = await providerOf(http?.signIn, { folder, clock, onError, ...toldIn(log) });
  const troubled = [shared, engine, mirror, tailer, audit, notifier, traces, provider, peers];
  const troubles = troublesOf(waitsFor, troubled);
  const inspecting = new Inspection({ engine, queries, clock }, onError);
  const counts = countsOf(told, tailer, traces);
  const telling = { isReady, troubles, waitsFor, inspecting, onError, counts, ...standingOf(shared) };
  const sample = new Sample({ engine, door, queries, clock, onError });
  const readers = readersOf(options, { engine, queries, door, clock, blobs: blobSweep, audit });
  const asked = { ...readers, engine, queries, door, gate: gates.gate, sample, clock };
  const inside = { ...asked, ...conversationsOf(tailer), ...telling, ...toldIn(log), ...peers?.inside };
  const listening = http && (await listen(inside, { ...http, ...defined({ provider }) }));
  const unwatch = watchTroubles(clock, troubles, inLog(log));
  let leaveSocket: Awaited<ReturnType<typeof placeSocket>>;
  return {
    ...{ engine, door, queries, audit, url: listening?.url },
    connect: async () => nats?.connect().then(() => shared?.enter(engine)),
    async start() {
      const { epoch, ...found } = await startNoted(engine, options, onError);
      log.recovered?.(found);
      const speak = async (): Promise<void> => {
        const inForce = await policy.start();
        await nats?.serve({ engine, door, queries, waits: gates.waits, version, onError });
        await beginAll([blobSweep, gates, sample, notifier, mirror, tailer, audit, traces, peers]);
        log.started({ epoch, incarnation: engine.incarnation, replayed: found.replayed, policy: inForce });
      };
      await (shared ? shared.begin(speak) : speak());
      if (folder && listening) leaveSocket = await placeSocket(folder, listening.listenAt);
    },
    async stop() {
      unwatch();
      await endAll(onError, [
        () => leaveSocket?.(),
        ...[sample, policy, gates].map((one) => () => one.stop()),
        () => inspecting.close(),
        () => listening?.close(),
        ...[shared, notifier, tailer, mirror, blobSweep, traces, peers].map((one) => () => one?.stop()),
        () => nats?.endServices(),
        ...[audit, engine].map((one) => () => one?.stop()),
        () => nats?.close(),
      ]);
      log.stopped();
    },
  };
}

async function beginAll(parts: readonly ({ start(): unknown } | undefined)[]): Promise<void> {
  for (const one of parts) await one?.start();
}

/** Runs all steps of a stop. A step's error is reported; it must neither skip other steps nor hide why the engine stops. */
async function endAll(onError: (error: unknown) => void, ends: readonly (() => unknown)[]): Promise<void> {
  for (const end of ends) await Promise.resolve().then(end).catch(onError);
}

const troublesOf =
  (
    waitsFor: () => Trouble | undefined,
    parts: readonly ({ troubles(): readonly Trouble[] } | undefined)[],
  ): (() => readonly Trouble[]) =>
  () =>
    allOf(waitsFor(), ...parts.map((one) => one?.troubles()));

const countsOf =
  (...some: readonly (Pick<Told, "counts"> | undefined)[]) =>
  (): Readonly<Record<string, number>> =>
    Object.fromEntries(some.flatMap((one) => Object.entries(one?.counts() ?? {})));

function engineOf(
  options: ComposeOptions,
  kept: Pick<EngineOptions, "store" | "journal">,
  {
    told,
    nats,
    shared,
    ...surroundings
  }: Pick<EngineOptions, "clock" | "onFatal" | "guarded"> & {
    told: Told;
    nats: NatsSide | undefined;
    shared: ReturnType<typeof sharedBy>["shared"];
  },
): Engine {
  return new Engine({
    ...kept,
    ...surroundings,
    ...defined({ cluster: shared?.cluster }),
    digest: digestId,
    build: version,
    translate,
    clients,
    ...told.options,
    ...givenBy(options, nats),
    configuration: configured(clients.defaults, options.configuration, options),
  });
}

/** @throws RefusedError STATE_FILES_… */
async function mirrorFilesOf({ stateFiles, folder }: ComposeOptions): Promise<MirrorFiles | undefined> {
  if (stateFiles === undefined) return undefined;
  const files = new MirrorFiles(stateFiles, folder?.dir ?? "");
  await files.prepare();
  return files;
}

const providerOf = async (
  settings: Parameters<typeof providerSideOf>[0] | undefined,
  surroundings: Parameters<typeof providerSideOf>[1],
) => settings && (await import("./holders/provider-side.ts")).providerSideOf(settings, surroundings);

function givenBy(
  { adopts = false, acceptsClock = false, outlet: given }: ComposeOptions,
  nats: NatsSide | undefined,
): Pick<EngineOptions, "adoptJournal" | "acceptClock" | "outlet"> {
  const outlet = given ?? nats?.outlet;
  return { adoptJournal: adopts, acceptClock: acceptsClock, ...(outlet && { outlet }) };
}

async function natsSide(
  { folder, nats, onUnfenced, follow }: ComposeOptions,
  surroundings: Omit<
    ConstructorParameters<typeof NatsSide>[0],
    "url" | "key" | "sealKey" | "limits" | "onUnfenced"
  >,
): Promise<NatsSide | undefined> {
  checkFollowed(follow, nats);
  if (!nats) return undefined;
  if (!folder) throw new Error("An engine on NATS needs a dataDir, for its key.");
  const sealKey = await (follow === undefined ? ensureKey(folder) : takeKey(folder, follow));
  const file = nats.isPrivate ? keyFileOf(folder.nats) : nats.nkey;
  const key = file === undefined ? undefined : await natsKeyAt(file);
  // A private server needs no warning that others may connect: it admits only holders of the folder's key.
  const telling = nats.isPrivate || !onUnfenced ? {} : { onUnfenced };
  const limits = defined({ replicas: nats.replicas });
  return new NatsSide({ ...surroundings, ...telling, url: nats.url, key, sealKey, limits });
}

interface Kept {
  readonly store: Store;
  readonly journal: Journal;
  readonly blobs: Blobs;
}

function onDisk(
  { store, blobs }: DataFolder,
  known: Held | undefined,
  clock: Clock,
  onFatal: (error: Error) => void,
): Kept {
  return { ...openLmdb(store, clock, { known, markOf, onFatal }), blobs: new BlobFiles(blobs, clock) };
}

function inMemory(clock: Clock, ids: Ids): Kept {
  const disk = new MemoryDisk(ids.uuid());
  return {
    store: new MemoryStore(disk),
    journal: new MemoryJournal(disk, clock),
    blobs: new MemoryBlobs(disk, clock),
  };
}

/** Ends the process without `process.exit`, which would run lmdb's exit hook, and this hook writes to the disk (COMPOSE-2). */
export function endProcess(code: number): void {
  const reallyExit: unknown = Reflect.get(process, "reallyExit");
  if (typeof reallyExit === "function") Reflect.apply(reallyExit, process, [code]);
}

/** The exit code that makes the supervisor start the engine again. */
export const EXIT_FAILED = 75;
