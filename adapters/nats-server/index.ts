// NATS server: finds, starts and keeps running the private nats-server of one data folder.

export { type Binary, findNatsServer } from "./binary.ts";
export { keyFileOf } from "./files.ts";
export { holdStore, type KeptStore, putInStore } from "./kept-store.ts";
export { type PrivateServer, runPrivateServer, type ServerNews } from "./private-server.ts";
