// Global traces
// The tracer and the meter that a host has registered with OpenTelemetry.
//
//   Owns:          the name of the instrumentation.
//   Does not own:  registering a tracer and a meter (the host does).

import { type Meter, metrics, trace, type Tracer } from "@opentelemetry/api";

const NAME = "signalbox";

/** @returns objects that do nothing if the host has registered nothing. */
export const globalTraces = (version: string): { readonly tracer: Tracer; readonly meter: Meter } => ({
  tracer: trace.getTracer(NAME, version),
  meter: metrics.getMeter(NAME, version),
});
