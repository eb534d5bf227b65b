// The door of this layer: where spans can go.

export { ApiSink } from "./api/api-sink.ts";
