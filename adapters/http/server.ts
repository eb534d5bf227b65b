// Server
// The engine's HTTP server: one listener, the guard before every route, and an orderly shutdown.
//
//   Owns:          listening, the order of guard and routes, closing.
//   Does not own:  the routes (writing, reading, health, …), the checks (access/guard).
//
// SERVER-1. Every route needs a token, a proof or the page's cookie, except /livez, /readyz and those by which people sign in
//     (OPEN_PATHS). Every route checks Host and Origin.
// SERVER-2. Closing ends every stream at once, lets running requests finish, and then closes every connection.
// SERVER-3. A connection that is slow to send its request is closed. The file crowd.ts limits how many there may be.

import { createServer, type IncomingMessage, type Server } from "node:http";
import type { Socket } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { matchedRoutes } from "hono/route";
import { RetryableError } from "../../runtime/errors/errors.ts";
import { isOurs } from "../../runtime/errors/failure.ts";
import { answerWriter } from "./answer-writer.ts";
import { answerFailure, type Counters, type Env, type Inside, type Serving } from "./context.ts";
import { Crowd, type Places, PLACES } from "./crowd.ts";
import { noSuchRoute } from "./errors.ts";
import { Entrance } from "./access/entrance.ts";
import { Followers } from "./followers.ts";
import { auditRoutes } from "./audit/heads.ts";
import { computedRoutes } from "./computed.ts";
import { conversationRoute } from "./conversation.ts";
import { checkBodyHeaders } from "./access/guard.ts";
import { gatingRoutes } from "./gating.ts";
import { logsRoutes } from "./logs.ts";
import { teamRoutes } from "./team/team.ts";
import { healthRoutes } from "./health.ts";
import { checkPart, isRead } from "./access/parts.ts";
import { accessRoutes, OPEN_PATHS } from "./access/routes.ts";
import { SIGN_OUT_PATH } from "./access/sign-out.ts";
import { Handshakes } from "./access/handshakes.ts";
import { Browsers } from "./access/browsers.ts";
import { Holders, type LocalUser } from "./access/holders.ts";
import { hasPanelNames } from "./access/panel-name.ts";
import { type Inspecting, inspectRoute, upgrade } from "./inspect.ts";
import { closeServer, listen, listenOn, silentSockets } from "./listening.ts";
import type { PageFile } from "./page.ts";
import { type Place, placesOf } from "./places.ts";
import { type AccessToken, TELEMETRY_ROUTE } from "../../runtime/access-token.ts";
import type { SignIn } from "./access/sign-in.ts";
import type { PeerNews } from "../../runtime/peers/news.ts";
import { peerRoutes } from "./peers/routes.ts";
import { readingRoutes } from "./reading.ts";
import { retentionRoutes } from "./retention.ts";
import { rulingRoutes } from "./ruling.ts";
import { Tally } from "./tally.ts";
import { HOOKS_PATH, writingRoutes } from "./writing.ts";

/** By default, the engine itself tells whether it is ready and what does not work; any other part that is not given is absent. */
type Told = Partial<Omit<Serving, keyof Inside | "followers" | "counters" | "tally" | "handshakes">>;

export interface HttpOptions extends Inside, Told {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly tokens: readonly AccessToken[];
  /** This machine's user, who needs no token. Undefined if there is none. */
  readonly local?: LocalUser;
  /** Further names of the engine beside 127.0.0.1, localhost and [::1]: hosts, or the origins of proxies. */
  readonly names?: readonly string[];
  /** The changes of the other engines in `peers`. */
  readonly news?: PeerNews;
  /** The panel: its page at the root, and the files it loads. */
  readonly page?: readonly PageFile[];
  readonly inspecting?: Inspecting;
  readonly patience?: Patience;
  readonly connections?: Places;
  /** The organisation's identity provider, if there is one. */
  readonly signIn?: SignIn;
  /** Called with a line for the log when a sign-in by the provider failed. */
  readonly onSignInFailed?: (detail: string) => void;
}

interface Patience {
  /** How long a sender may take for a request's headers, from the start of the connection. */
  readonly headersMs: number;
  readonly requestMs: number;
  /** The time between two checks of all connections. */
  readonly lookMs: number;
}

export interface HttpServer {
  readonly url: string;
  readonly port: number;
  /** All routes of the server, each as in `GET /v1/requests/:id`. */
  readonly routes: readonly string[];
  /** Replaces all tokens, and ends the streams and sign-ins of removed ones. @throws RefusedError as `Holders.replace`. */
  admit(tokens: readonly AccessToken[]): void;
  /** Signs out all users whom the identity provider's list no longer has. */
  review(): void;
  /** Also listens on a socket of the file system: whoever can open it is this machine's user. @throws the system's error. */
  listenAt(path: string): Promise<void>;
  close(): Promise<void>;
}

const PATIENCE: Patience = { headersMs: 5_000, requestMs: 30_000, lookMs: 1_000 };
/** Starts to listen, even before the engine has started. @throws the system's error if the port is not available. */
export async function startHttp(options: HttpOptions): Promise<HttpServer> {
  const { engine, clock, host, port, isReady = () => engine.isReady } = options;
  const troubles = options.troubles ?? (() => engine.troubles());
  const waitsFor = options.waitsFor ?? ((): undefined => undefined);
  const counters: Counters = { hooksDropped: 0, hooksLate: 0 };
  const followers = new Followers(engine, clock, options.news);
  const tally = new Tally(engine);
  const onError = options.onError ?? ((): void => undefined);
  const { local, inspecting, patience = PATIENCE, connections = PLACES } = options;
  const bySocket = new WeakSet<Socket>();
  const isBySocket = ({ socket }: IncomingMessage): boolean => bySocket.has(socket);
  const listening: Listening = {
    port: 0,
    origin: "",
    places: [],
    isClosing: false,
    isBySocket,
    hasPanelNames: hasPanelNames(host),
  };
  const holders = new Holders(options.tokens, local);
  const handshakes = new Handshakes(holders);
  const browsers = new Browsers(clock);
  const entrance = new Entrance(holders, browsers, listening, handshakes);
  const app = appOf(
    { ...options, handshakes, isReady, troubles, waitsFor, followers, counters, tally, onError },
    options,
    listening,
    { entrance, browsers },
  );
  const fetch = answerWriter(app, { handshakes, listening });
  const opened = (crowd: Crowd): Opened => {
    const server = makeServer(fetch, patience);
    crowd.watch(server);
    if (inspecting) takeUpgrades(server, { inspecting, entrance, checkReady });
    return { server, silent: silentSockets(server) };
  };
  const checkReady = (): void => {
    if (!engine.isReady) throw notReady();
  };
  const crowd = new Crowd(connections);
  const tcp = await listenOn(() => opened(crowd), host, port);
  const servers = [...tcp.opened];
  listening.port = tcp.port;
  listening.places = placesOf(options.names ?? [], tcp.port);
  listening.origin = `http://${nearby(host)}:${tcp.port}`;
  return {
    url: listening.origin,
    port: listening.port,
    routes: app.routes.flatMap(({ method, path }) => (method === "ALL" ? [] : [`${method} ${path}`])),
    admit: (tokens) => holders.replace(tokens),
    review: () => browsers.review(),
    async listenAt(path) {
      // The socket has a crowd of its own: callers who fill all places of TCP cannot block it.
      const local = opened(new Crowd(connections));
      local.server.on("connection", (socket) => bySocket.add(socket));
      await listen(local.server, { path });
      servers.push(local);
    },
    async close() {
      listening.isClosing = true;
      followers.close();
      browsers.close();
      options.gate.stop();
      tally.close();
      await Promise.all(servers.map(({ server, silent }) => closeServer(server, silent, clock)));
    },
  };
}

/** The host as programs on this machine write it in an address. */
function nearby(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}

interface Listening {
  port: number;
  /** The engine's own address, as programs on this machine write it. */
  origin: string;
  places: readonly Place[];
  isClosing: boolean;
  readonly isBySocket: (request: IncomingMessage) => boolean;
  readonly hasPanelNames: boolean;
}

interface Opened {
  readonly server: Server;
  readonly silent: ReadonlySet<Socket>;
}

function takeUpgrades(server: Server, upgrading: Parameters<typeof upgrade>[0]): void {
  server.on("upgrade", (request, socket, head) => upgrade(upgrading, request, socket, head));
}

function appOf(
  serving: Serving,
  options: HttpOptions,
  listening: Readonly<Listening>,
  { entrance, browsers }: { readonly entrance: Entrance; readonly browsers: Browsers },
): Hono<Env> {
  const app = new Hono<Env>();
  app.use(async (c, next) => {
    const route = routeOf(c);
    c.set("place", entrance.place(c.env.incoming));
    // A caller who proves itself gets a proven answer here, too.
    if (OPEN_PATHS.has(c.req.path)) serving.handshakes.prover(c.env.incoming);
    else {
      const holder = entrance.holder(c.env.incoming, c.get("place"));
      checkPart(holder, route);
      c.set("holder", holder);
    }
    if (c.req.method === "POST") checkBodyHeaders(c.env.incoming, c.req.path === TELEMETRY_ROUTE);
    if (needsEngine(c.req.path)) {
      if (!serving.engine.isReady) throw notReady();
      if (isRead(route)) await serving.engine.mandate.fresh.confirm();
    }
    await next();
  });
  healthRoutes(app, serving);
  const { handshakes, clock } = serving;
  const { page, signIn, onSignInFailed, inspecting } = options;
  accessRoutes(app, { page, signIn, onSignInFailed, handshakes, clock, entrance, browsers, listening });
  peerRoutes(app, serving, serving.peers);
  writingRoutes(app, serving);
  gatingRoutes(app, serving);
  readingRoutes(app, serving);
  computedRoutes(app, serving);
  auditRoutes(app, serving);
  conversationRoute(app, serving);
  retentionRoutes(app, serving);
  rulingRoutes(app, serving);
  logsRoutes(app, serving);
  teamRoutes(app, serving);
  if (inspecting) inspectRoute(app, listening);
  app.notFound(() => {
    throw noSuchRoute();
  });
  app.onError((error, c) => {
    if (isOurs(error)) serving.onError(error);
    return answerFailure(c, error);
  });
  return app;
}

const needsEngine = (path: string): boolean =>
  path.startsWith("/v1/") && !path.startsWith(HOOKS_PATH) && path !== SIGN_OUT_PATH;

/** Finds the route that will answer, as in `GET /v1/requests/:id`. @returns undefined if no route matches. */
function routeOf(c: Context<Env>): string | undefined {
  const found = matchedRoutes(c).find(({ method }) => method !== "ALL");
  return found && `${found.method} ${found.path}`;
}

function makeServer(
  fetch: ReturnType<typeof answerWriter>,
  { headersMs, requestMs, lookMs }: Patience,
): Server {
  return createAdaptorServer({
    fetch,
    createServer,
    // Without this, the adapter would replace the process's global `Request` and `Response` (ANSWER-WRITER-3).
    overrideGlobalObjects: false,
    serverOptions: {
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: lookMs,
    },
  }) as Server;
}

const notReady = (): RetryableError =>
  new RetryableError("NOT_READY", "The engine is starting or stopping.", "Ask again shortly.", 1000);
