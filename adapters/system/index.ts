// System: the machine's clock, ids, processes and ports.

export { systemClock } from "./clock.ts";
export { diskOf } from "./disk.ts";
export { syncTimeOf } from "./sync.ts";
export { readBelow } from "./file-below.ts";
export { findClient, type FoundClient } from "./found-client.ts";
export { isTaken, listensOn } from "./listening.ts";
export { systemIds } from "./ids.ts";
export { thisMachine, userName } from "./machine.ts";
export { runnable } from "./shell.ts";
export { exitOnSignal } from "./signals.ts";
export { commandOf, isSame, markOf, startedAt } from "./processes.ts";
