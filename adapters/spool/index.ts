// Spool: the folder in which hooks leave their messages, whether or not an engine runs.

export { Spool } from "./spool.ts";
