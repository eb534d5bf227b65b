// CLI: the command line of Signalbox.

export { run } from "./program.ts";
export { processTerminal } from "./terminal.ts";
export type { Running, ServeOptions, Wiring } from "./wiring.ts";
