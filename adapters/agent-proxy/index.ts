// Agent proxy: relays between an agent and its client, in the protocols that it supports.

export { acpProtocol } from "./acp/protocol.ts";
export { codexProtocol } from "./codex/protocol.ts";
export type { Ending, Inquiry } from "./gates.ts";
export { type Note, noteWords, type PermissionNote } from "./notes.ts";
export type { Protocol } from "./protocol.ts";
export { Proxy, type ProxyParts } from "./proxy.ts";
