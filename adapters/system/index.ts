// System: the machine's clock and ids.

export { systemClock } from "./clock.ts";
export { systemIds } from "./ids.ts";
