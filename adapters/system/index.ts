// System: the machine's clock, ids, processes and ports.

export { systemClock } from "./clock.ts";
export { diskOf } from "./disk.ts";
export { readBelow } from "./file-below.ts";
export { findClient, type FoundClient } from "./found-client.ts";
export { listensOn } from "./listening.ts";
export { systemIds } from "./ids.ts";
export { thisMachine, userName } from "./machine.ts";
export { isTaken } from "./port.ts";
export { runnable } from "./shell.ts";
export { exitOnSignal } from "./signals.ts";
export { syncTimeOf } from "./sync.ts";
export { commandOf, isSame, markOf, startedAt } from "./processes.ts";
