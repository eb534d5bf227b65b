// LMDB: the durable store and the embedded journal.

export { compactLmdb } from "./compact.ts";
export type { Compacted } from "./compact.ts";
export { openLmdb } from "./open.ts";
export type { LmdbFolder, LmdbOptions } from "./open.ts";
export { fillLmdb } from "./filling.ts";
export type { Filling } from "./filling.ts";
export { openSnapshot, PIECE_KINDS } from "./snapshot.ts";
export type { Piece, PieceKind, Snapshot } from "./snapshot.ts";
