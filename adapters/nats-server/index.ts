// NATS server: a private nats-server of one data folder, found, started and kept running.

export { findNatsServer } from "./binary.ts";
export type { Binary } from "./binary.ts";
export { keyFileOf } from "./files.ts";
export { holdStore, type KeptStore, putInStore } from "./kept-store.ts";
export { runPrivateServer } from "./private-server.ts";
export type { PrivateServer, ServerNews } from "./private-server.ts";
