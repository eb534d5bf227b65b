// Global traces
// The tracer and the meter that a host has made OpenTelemetry's own.
//
//   Owns:          the name under which spans come.
//   Does not own:  registering them (the host).

import { type Meter, metrics, trace, type Tracer } from "@opentelemetry/api";

const NAME = "signalbox";

/** @returns what does nothing where the host has registered nothing. */
export const globalTraces = (version: string): { readonly tracer: Tracer; readonly meter: Meter } => ({
  tracer: trace.getTracer(NAME, version),
  meter: metrics.getMeter(NAME, version),
});
