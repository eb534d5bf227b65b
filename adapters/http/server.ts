// Server
// The engine over HTTP: one listener, the guard before every route, an end that leaves nobody hanging.
//
//   Owns:          listening, the order of guard and routes, closing.
//   Does not own:  the routes (writing, reading, health), the checks (guard).
//
// H12. Every route but /livez and /readyz needs a token or the page's cookie; every route checks Host and Origin.
// H13. Closing ends every stream at once, lets requests in hand finish, and then closes every connection.

import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import { RetryableError } from "../../runtime/errors.ts";
import { isOurs } from "../../runtime/failure.ts";
import type { Clock } from "../../runtime/ports.ts";
import { answerFailure, type Counters, type Env, type Inside, type Serving } from "./context.ts";
import { noSuchRoute } from "./errors.ts";
import { Followers } from "./followers.ts";
import { foreseeingRoutes } from "./foreseeing.ts";
import {
  ANSWER_HEADERS,
  bearerOf,
  type CheckToken,
  checkBodyHeaders,
  checkForm,
  checkOrigin,
  type Token,
  tokenCheck,
} from "./guard.ts";
import { healthRoutes } from "./health.ts";
import { type Inspecting, inspectRoute, newTicket, type Ticket, upgrade } from "./inspect.ts";
import { pageRoutes, type PageFile } from "./page.ts";
import { readingRoutes } from "./reading.ts";
import { cookieOf, cookieValue } from "./session-cookie.ts";
import { writingRoutes } from "./writing.ts";

export interface HttpOptions extends Inside {
  /** Where to listen: an address of this machine. */
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  readonly tokens: readonly Token[];
  /** Whether messages can be taken in now. Default: whether the engine is ready. */
  readonly isReady?: () => boolean;
  /** Names, without port, under which the engine may be called beside 127.0.0.1, localhost and [::1]. */
  readonly names?: readonly string[];
  /** The inspector: its page at the root, and what that loads. */
  readonly page?: readonly PageFile[];
  /** Takes over who wants to look over a WebSocket. */
  readonly inspecting?: Inspecting;
  /** Told of every error that is not the sender's. */
  readonly onError?: (error: unknown) => void;
}

export interface HttpServer {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

const NAMES = ["127.0.0.1", "localhost", "[::1]"];
const HEADERS_MS = 10_000;
const REQUEST_MS = 30_000;
const CLOSE_WAIT_MS = 5_000;
/** The root checks by itself: whoever is not signed in is told how. */
const OPEN_PATHS: ReadonlySet<string> = new Set(["/livez", "/readyz", "/"]);
const HOOKS_PATH = "/v1/hooks/claude-code";

/** Listens; the engine need not have started. @throws the system's error when the port cannot be had. */
export async function startHttp(options: HttpOptions): Promise<HttpServer> {
  const { engine, clock, host, port, isReady = () => engine.isReady } = options;
  const counters: Counters = { hooksDropped: 0, hooksLate: 0 };
  const followers = new Followers(engine, clock);
  const onError = options.onError ?? ((): void => undefined);
  const listening = { port: 0, isClosing: false };
  const guard = guardOf(options, listening);
  const ticket = newTicket();
  const app = appOf({ ...options, isReady, followers, counters, onError }, options, listening, guard, ticket);
  const server = createAdaptorServer({
    fetch: app.fetch,
    createServer,
    overrideGlobalObjects: false,
    serverOptions: { headersTimeout: HEADERS_MS, requestTimeout: REQUEST_MS },
  }) as Server;
  const { inspecting } = options;
  if (inspecting) {
    const upgrading = {
      inspecting,
      ticket,
      guard(request: IncomingMessage) {
        guard.origin(request);
        if (!engine.isReady) throw notReady();
      },
      holder: guard.holder,
    };
    server.on("upgrade", (request, socket, head) => upgrade(upgrading, request, socket, head));
  }
  const silent = silentSockets(server);
  listening.port = await listen(server, host, port);
  return {
    url: `http://${nearby(host)}:${listening.port}`,
    port: listening.port,
    close() {
      listening.isClosing = true;
      followers.close();
      return closeServer(server, silent, clock);
    },
  };
}

/** What a program on this machine calls the address. */
function nearby(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}

interface Listening {
  readonly port: number;
  readonly isClosing: boolean;
}

type Guard = ReturnType<typeof guardOf>;

/** The checks of every request, whatever it asks for. */
function guardOf({ tokens, names = [] }: HttpOptions, listening: Listening) {
  const checkToken = tokenCheck(tokens);
  const checkCookie = tokenCheck(tokens.map(({ name, token }) => ({ name, token: cookieValue(token) })));
  return {
    checkToken,
    checkCookie,
    origin: (request: IncomingMessage): void => {
      const hosts = [...NAMES, ...names].map((name) => `${name}:${listening.port}`);
      checkForm(request);
      checkOrigin(request, hosts);
    },
    holder: (request: IncomingMessage): string => holderOf(request, listening.port, checkToken, checkCookie),
  };
}

function appOf(
  serving: Serving,
  { page, inspecting }: HttpOptions,
  listening: Listening,
  { origin, holder, checkToken, checkCookie }: Guard,
  ticket: Ticket,
): Hono<Env> {
  const app = new Hono<Env>();
  app.use(async (c, next) => {
    for (const [name, value] of Object.entries(ANSWER_HEADERS)) c.header(name, value);
    origin(c.env.incoming);
    if (!OPEN_PATHS.has(c.req.path)) c.set("by", holder(c.env.incoming));
    if (c.req.method === "POST") checkBodyHeaders(c.env.incoming);
    if (c.req.path.startsWith("/v1/") && c.req.path !== HOOKS_PATH && !serving.engine.isReady)
      throw notReady();
    await next();
    if (listening.isClosing) c.header("Connection", "close");
  });
  healthRoutes(app, serving);
  pageRoutes(app, { page, listening, checkToken, checkCookie });
  writingRoutes(app, serving);
  readingRoutes(app, serving);
  foreseeingRoutes(app, serving);
  if (inspecting) inspectRoute(app, ticket);
  app.notFound(() => {
    throw noSuchRoute();
  });
  app.onError((error, c) => {
    if (isOurs(error)) serving.onError(error);
    return answerFailure(c, error);
  });
  return app;
}

/** Whose the request is: by its token, else by the cookie of the page. @throws RefusedError */
function holderOf(
  request: IncomingMessage,
  port: number,
  checkToken: CheckToken,
  checkCookie: CheckToken,
): string {
  const bearer = bearerOf(request);
  const cookie = bearer === undefined ? cookieOf(request, port) : undefined;
  return cookie === undefined ? checkToken(bearer) : checkCookie(cookie);
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      // A server that listens on a port has an address of this form.
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/** Connections over which nothing was asked yet: to the server they do not count as idle. */
function silentSockets(server: Server): ReadonlySet<Socket> {
  const silent = new Set<Socket>();
  server.on("connection", (socket) => {
    silent.add(socket);
    socket.once("close", () => silent.delete(socket));
  });
  server.on("request", ({ socket }) => silent.delete(socket));
  return silent;
}

function closeServer(server: Server, silent: ReadonlySet<Socket>, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(CLOSE_WAIT_MS, () => server.closeAllConnections());
    server.close(() => {
      cancel();
      resolve();
    });
    server.closeIdleConnections();
    for (const socket of silent) socket.destroy();
  });
}

const notReady = (): RetryableError =>
  new RetryableError("NOT_READY", "The engine is starting or stopping.", "Ask again shortly.", 1000);
