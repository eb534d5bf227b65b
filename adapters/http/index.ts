// HTTP: the engine's own API on one port of this machine.

export { type HttpOptions, type HttpServer, startHttp } from "./server.ts";
