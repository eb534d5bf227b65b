// Line: the connections to an engine, each of which checks the engine's identity before it sends anything.

export { overSocket } from "./request.ts";
export { type Dialled, overDialled, overTcp } from "./over-tcp.ts";
export { withToken } from "./with-token.ts";
