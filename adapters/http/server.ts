// Server
// The engine's HTTP server: one listener, the guard before every route, and an orderly shutdown.
//
//   Owns:          the order of guard and routes, opening and closing the server.
//   Does not own:  the routes (writing, reading, health, …), the checks (access/guard).
//
// SERVER-1. Every route checks Host and Origin, and needs a token, the page's cookie, or a proof that the caller knows a key or
//     token without sending it (access/handshakes). Only the few paths in OPEN_PATHS need none of the three.
// SERVER-2. Closing the server ends every stream at once, lets running requests finish, and then closes every connection.
// SERVER-3. A connection that sends its request too slowly is closed. The file crowd.ts limits how many connections there may be.

import { createServer, type IncomingMessage, type Server } from "node:http";
import type { Socket } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { matchedRoutes } from "hono/route";
import { isOurs } from "../../runtime/errors/failure.ts";
import { answerWriter } from "./answer-writer.ts";
import {
  answerFailure,
  type Counters,
  type Env,
  type Inside,
  noSuchRoute,
  notReady,
  type Serving,
} from "./context.ts";
import { Crowd, type Places, PLACES } from "./crowd.ts";
import { Entrance, type Listening as Listened } from "./access/entrance.ts";
import { Followers } from "./followers.ts";
import { computedRoutes } from "./computed.ts";
import { checkBodyHeaders } from "./access/guard.ts";
import { gatingRoutes } from "./gating.ts";
import { teamRoutes } from "./team/team.ts";
import { healthRoutes } from "./health.ts";
import { checkPart, isRead } from "./access/parts.ts";
import { accessRoutes, OPEN_PATHS, SIGN_OUT_PATH } from "./access/routes.ts";
import { Handshakes } from "./access/handshakes.ts";
import { Browsers } from "./access/browsers.ts";
import { Holders, type LocalUser } from "./access/holders.ts";
import { hasPanelNames } from "./access/panel-name.ts";
import { type Inspecting, inspectRoute, upgrade } from "./inspect.ts";
import { closeServer, listen, listenOn, silentSockets } from "./listening.ts";
import type { PageFile } from "./page.ts";
import { placesOf } from "./places.ts";
import { type AccessToken, TELEMETRY_ROUTE } from "../../runtime/access-token.ts";
import type { SignIn } from "./access/provider-routes.ts";
import type { PeerNews } from "../../runtime/peers/news.ts";
import { peerFound } from "./peers/found.ts";
import { peerLists } from "./peers/lists.ts";
import { readingRoutes } from "./reading.ts";
import { retentionRoutes } from "./retention.ts";
import { rulingRoutes } from "./ruling.ts";
import { Tally } from "./tally.ts";
import { HOOKS_PATH, writingRoutes } from "./writing.ts";

/** What the caller of `startHttp` may supply for the routes, such as whether the engine is ready and what does not work. */
type Told = Partial<Omit<Serving, keyof Inside | "followers" | "counters" | "tally" | "handshakes">>;

export interface HttpOptions extends Inside, Told {
  readonly host: string;
  /** The port to listen on; 0 for any free port. */
  readonly port: number;
  readonly tokens: readonly AccessToken[];
  /** The user of this machine, who needs no token; undefined if every user needs one. */
  readonly local?: LocalUser;
  /** Further names of the engine, in addition to 127.0.0.1, localhost and [::1]: hosts, or the origins of proxies. */
  readonly names?: readonly string[];
  readonly news?: PeerNews;
  /** The panel's files: the page at the root, and the files that the page loads. */
  readonly page?: readonly PageFile[];
  readonly inspecting?: Inspecting;
  readonly patience?: Patience;
  readonly connections?: Places;
  readonly signIn?: SignIn;
  /** Called with a line for the log when a sign-in by the identity provider has failed. */
  readonly onSignInFailed?: (detail: string) => void;
}

interface Patience {
  /** How long a request's headers may take, from the start of the connection, ms. */
  readonly headersMs: number;
  /** How long a whole request may take, ms. */
  readonly requestMs: number;
  /** The pause between two checks of all connections, ms. */
  readonly lookMs: number;
}

export interface HttpServer {
  readonly url: string;
  readonly port: number;
  /** All routes of the server, each as in `GET /v1/requests/:id`. */
  readonly routes: readonly string[];
  /** Replaces all tokens, and ends streams and sign-ins of removed tokens. @throws RefusedError as `Holders.replace` does. */
  admit(tokens: readonly AccessToken[]): void;
  /** Signs out every user whom the list of users who sign in by the identity provider no longer contains. */
  review(): void;
  /**
   * Also listens on a socket of the file system. Whoever can open it counts as this machine's user. @throws the system's error.
   */
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
      // The socket of the data folder has a limit of its own, so callers who use up all TCP connections cannot block it.
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

function nearby(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}

/** The server fills this in once it listens. */
type Listening = { -readonly [Name in keyof Listened]: Listened[Name] } & { isClosing: boolean };

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
    // An open path, such as `/livez`, needs no holder. But if the caller proves who they are, `prover` notes that, and the engine
    // then adds its own proof to the answer.
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
  // Of two routes with one path, the first answers, so the routes that also ask the peers come first.
  const { peers } = serving;
  if (peers && peers.all.length > 0) {
    peerFound(app, serving, peers);
    peerLists(app, serving, peers);
  }
  writingRoutes(app, serving);
  gatingRoutes(app, serving);
  readingRoutes(app, serving);
  computedRoutes(app, serving);
  retentionRoutes(app, serving);
  rulingRoutes(app, serving);
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

/** @returns the request's route, as in `GET /v1/requests/:id`; undefined if no route matches. */
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
    // If this were `true`, the adapter would replace the process's global `Request` and `Response` (ANSWER-WRITER-3).
    overrideGlobalObjects: false,
    serverOptions: {
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: lookMs,
    },
  }) as Server;
}
