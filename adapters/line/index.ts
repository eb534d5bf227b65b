// Line: the ways to an engine, each of which shows who answers before anything is said.

export { overSocket } from "./over-socket.ts";
export { overTcp } from "./over-tcp.ts";
export { withToken } from "./with-token.ts";
