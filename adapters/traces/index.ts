// Traces: sends spans to a host's own tracer or a collector.

export { ApiSink } from "./api/api-sink.ts";
export { globalTraces } from "./api/global-traces.ts";
export { otlpAddress, otlpHeaders } from "./otlp/address.ts";
export { Exporter } from "./otlp/exporter.ts";
export { postWith } from "./otlp/post.ts";
