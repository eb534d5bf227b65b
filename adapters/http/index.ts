// HTTP: the engine's own API on one port of this machine.

export { isName } from "./places.ts";
export type { SignIn } from "./access/provider-routes.ts";
export { type HttpOptions, type HttpServer, startHttp } from "./server.ts";
