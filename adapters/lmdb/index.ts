// LMDB: the durable store and the embedded journal.

export { openLmdb } from "./open.ts";
export type { LmdbFolder, LmdbOptions } from "./open.ts";
