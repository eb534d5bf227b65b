// LMDB: the durable store and the embedded journal.

export { type Compacted, compactLmdb } from "./compact.ts";
export { type LmdbFolder, type LmdbOptions, openLmdb } from "./open.ts";
export { fillLmdb, type Filling } from "./filling.ts";
export { openSnapshot, type Piece, PIECE_KINDS, type PieceKind, type Snapshot } from "./snapshot.ts";
