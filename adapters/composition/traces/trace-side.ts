// Trace side
// Sends an engine's traces to the tracer of its host program, to a collector, to both, or nowhere.
//
//   Owns:          loading what is configured, the stored place in the change log, the file with the HTTP headers for the
//                  collector.
//   Does not own:  spans (runtime/traces), sending (traces), the order of start and stop (compose).
//   Decided in:    docs/decisions/0088-traces-are-read-off-the-log-of-changes.md.
//
// TRACE-SIDE-1. If traces are not configured, no code for traces is loaded. (checked by review: one condition before the import)
// TRACE-SIDE-2. If the stored place in the change log cannot be read, sending begins with the next change.

import type { Meter, Tracer } from "@opentelemetry/api";
import { jsonIn } from "../../../machines/json.ts";
import type { EngineSettings } from "../../../runtime/engine-settings.ts";
import type { Engine } from "../../../runtime/engine/engine.ts";
import { RefusedError } from "../../../runtime/errors/errors.ts";
import { checkOptions } from "../../../runtime/errors/given-options.ts";
import type { Trouble } from "../../../runtime/errors/trouble.ts";
import type { Clock } from "../../../runtime/ports.ts";
import { SpanFollower } from "../../../runtime/traces/span-follower.ts";
import { tellSpans } from "../../../runtime/traces/span-sink.ts";
import { type DataFolder, readOwn, writeOwn } from "../../data-folder/index.ts";
import type * as Adapters from "../../traces/index.ts";
import { version } from "../../version.ts";

/** The embedding program's tracer, and its meter for durations; `true` for those that are registered with OpenTelemetry. */
export type HostTraces = true | { readonly tracer: Tracer; readonly meter?: Meter };

interface Wanted extends Pick<EngineSettings, "otlp" | "otlpHeaders"> {
  readonly traces?: HostTraces;
  readonly folder?: DataFolder;
}

interface Surroundings {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

export interface TraceSide {
  start(): Promise<void>;
  stop(): Promise<void>;
  troubles(): readonly Trouble[];
  counts(): Readonly<Record<string, number>>;
}

/**
 * Passes changes to the embedding program's tracer as they come; that program must end its tracer itself.
 * @returns the part that sends to a collector; undefined if no collector is configured.
 * @throws RefusedError BAD_OTLP_URL, BAD_OTLP_HEADERS, NO_FILE, and as `readOwn` does.
 */
export async function traceSideOf(wanted: Wanted, around: Surroundings): Promise<TraceSide | undefined> {
  const { otlp, traces } = wanted;
  if (otlp === undefined && traces === undefined) return undefined;
  const adapters = await import("../../traces/index.ts");
  if (traces !== undefined) {
    if (traces !== true)
      checkOptions("createEngine's traces", traces, { tracer: "an object!", meter: "an object" });
    const { tracer, meter } = traces === true ? adapters.globalTraces(version) : traces;
    const sink = new adapters.ApiSink(tracer, meter);
    around.engine.onChanges((changes) => tellSpans(sink, changes));
  }
  return otlp === undefined ? undefined : exporting({ ...wanted, otlp }, around, adapters);
}

async function exporting(
  { otlp, otlpHeaders, folder }: Wanted & { readonly otlp: string },
  { engine, clock, onError }: Surroundings,
  adapters: typeof Adapters,
): Promise<TraceSide> {
  const address = adapters.otlpAddress(otlp);
  const headers = otlpHeaders === undefined ? {} : adapters.otlpHeaders(await headerText(otlpHeaders));
  const exporter: Adapters.Exporter = new adapters.Exporter({
    ...{ address, clock, onError, post: adapters.postWith(headers) },
    sender: () => ({ version, instance: engine.incarnation }),
    keepPlace: (n) => keepPlace(folder, follower.placeOf(n)),
  });
  const follower = new SpanFollower({ engine, clock, queue: exporter, onError });
  return {
    async start() {
      const place = await placeIn(folder);
      const begun = follower.start(place);
      if (place === undefined) await keepPlace(folder, begun);
      exporter.start();
    },
    async stop() {
      await follower.stop();
      await exporter.stop();
    },
    troubles: () => exporter.troubles(),
    counts: () => exporter.counts(),
  };
}

async function headerText(path: string): Promise<string> {
  const text = await readOwn(path, true);
  if (text !== undefined) return text;
  throw new RefusedError(
    "NO_FILE",
    `There is no file ${path}.`,
    "Name the file of headers with --otlp-headers, or leave it out.",
    "otlpHeaders",
  );
}

const PLACE = /^.{1,200}-\d{1,15}$/;

// The stored place in the change log; undefined if it cannot be read (TRACE-SIDE-2).
async function placeIn(folder: DataFolder | undefined): Promise<string | undefined> {
  const text = folder && (await readOwn(folder.traces).catch(() => undefined));
  const { after } = Object(jsonIn(text)) as { after?: unknown };
  return typeof after === "string" && PLACE.test(after) ? after : undefined;
}

async function keepPlace(folder: DataFolder | undefined, after: string): Promise<void> {
  if (folder) await writeOwn(folder.traces, `${JSON.stringify({ after })}\n`);
}
