// CLI: the command line of Signalbox.

export type { BackedUp, BackupWish, Restored, RestoreWish } from "./backup-form.ts";
export { DEFAULT_PORT } from "./connection.ts";
export { run } from "./program.ts";
export { processTerminal } from "./output/terminal.ts";
export type { Hooks, HooksChange, HooksStatus } from "./hooks-form.ts";
export type { AgentTerms, Running, ServeOptions, Wiring } from "./wiring.ts";
