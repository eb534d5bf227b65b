// NATS server: finds, starts and keeps running the private nats-server of one data folder.

export { findNatsServer } from "./binary.ts";
export type { Binary } from "./binary.ts";
export { keyFileOf } from "./files.ts";
export { holdStore, type KeptStore, putInStore } from "./kept-store.ts";
export { runPrivateServer } from "./private-server.ts";
export type { PrivateServer, ServerNews } from "./private-server.ts";
