// System: the machine's clock, ids and processes.

export { systemClock } from "./clock.ts";
export { systemIds } from "./ids.ts";
export { thisMachine } from "./machine.ts";
export { commandOf, isSame, markOf, startedAt } from "./processes.ts";
