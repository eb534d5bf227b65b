// ACP: the proxy between an editor and an agent of the Agent Client Protocol.

export type { Inquiry, Ending } from "./gates.ts";
export type { Note, PermissionNote } from "./notes.ts";
export { acp } from "./profile.ts";
export { Proxy, type ProxyParts } from "./proxy.ts";
