// LMDB: the durable store and the embedded journal.

export { compactLmdb } from "./compact.ts";
export type { Compacted } from "./compact.ts";
export { openLmdb } from "./open.ts";
export type { LmdbFolder, LmdbOptions } from "./open.ts";
