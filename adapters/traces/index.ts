// Traces: sends spans to a host program's own tracer, or to a collector.

export { ApiSink, globalTraces } from "./api/api-sink.ts";
export { otlpAddress, otlpHeaders } from "./otlp/address.ts";
export { Exporter } from "./otlp/exporter.ts";
export { postWith } from "./otlp/post.ts";
