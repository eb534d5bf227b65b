// Spool: where hooks leave what they were told, whether or not an engine runs.

export { Spool } from "./spool.ts";
