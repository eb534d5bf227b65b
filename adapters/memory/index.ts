// Memory: the reference implementation of the store, the journal and the blobs.

export { MemoryBlobs } from "./blobs.ts";
export { MemoryDisk } from "./disk.ts";
export { MemoryJournal } from "./journal.ts";
export { MemoryStore } from "./store.ts";
