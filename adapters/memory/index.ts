// Memory: the reference implementation of every port, used by simulators and tests.

export { MemoryBlobs } from "./blobs.ts";
export { ManualClock } from "./clock.ts";
export { MemoryDisk } from "./disk.ts";
export { CountedIds } from "./ids.ts";
export { MemoryJournal } from "./journal.ts";
export { MemoryOutlet } from "./outlet.ts";
export { MemoryStore } from "./store.ts";
