// HTTP side
// Starts the engine's HTTP server: where it listens, and which users may use it.
//
//   Owns:          the name of this machine's user, which tokens count, the addresses to listen on.
//   Does not own:  the server (http), the page (panel), noticing new and removed tokens (holders/token-watch.ts).
//
// HTTP-SIDE-1. An engine that other people could reach starts only if it has named tokens or an identity provider.
// HTTP-SIDE-2. An identity provider can be used only if the engine has a name that is reached by https.

import { defined } from "../../machines/index.ts";
import { type AccessToken, TELEMETRY_ROUTE, telemetryToken } from "../../runtime/access-token.ts";
import type { HttpSettings } from "../../runtime/engine-settings.ts";
import { RefusedError } from "../../runtime/errors/errors.ts";
import { type HttpServer, isName, startHttp } from "../http/index.ts";
import { panelPage } from "../panel/index.ts";
import { userName } from "../system/index.ts";
import type { ProviderSide } from "./holders/provider-side.ts";
import { watch } from "./holders/token-watch.ts";

export interface HttpPlace extends HttpSettings {
  /** The data folder's key, with which this user's programs prove themselves; undefined for an engine in memory. */
  readonly lineKey?: string;
  /**
   * A token for a program that embeds the engine; it is valid on this machine only. Answers sent with the token are recorded as
   * by `local:USER`.
   */
  readonly token?: string;
  readonly provider?: ProviderSide;
  /** Reads the users' tokens at each call. An approval's answer that is sent with such a token is recorded as by `http:NAME`. */
  readonly tokens?: () => Promise<readonly AccessToken[]>;
}

type Inside = Omit<Parameters<typeof startHttp>[0], "host" | "port" | "tokens" | "page" | "signIn">;

const HOST = "127.0.0.1";
const LOOPBACK: ReadonlySet<string> = new Set([HOST, "::1", "localhost"]);
const ANY: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);

/** @throws RefusedError PORT_IN_USE, NO_NAMED_TOKEN, BAD_NAME, PROVIDER_NEEDS_HTTPS */
export async function listen(
  inside: Inside,
  place: HttpPlace,
): Promise<Pick<HttpServer, "url" | "listenAt" | "close">> {
  const { port, token, lineKey, tokens = () => Promise.resolve([]), host = HOST, names = [] } = place;
  const { provider } = place;
  const bad = names.find((name) => !isName(name));
  if (bad !== undefined) throw badName(bad);
  const named = await tokens();
  const isOpen = !LOOPBACK.has(host) || names.length > 0;
  if (provider && !names.some((name) => name.startsWith("https://"))) throw needsHttps();
  if (isOpen && named.length === 0 && !provider) throw noNamedToken(names[0] ?? host);
  const address = host.includes(":") ? `[${host}]` : host;
  const local = `local:${userName()}`;
  const secret = lineKey ?? token;
  const ownTokens: readonly AccessToken[] = [
    ...(token === undefined ? [] : [{ name: local, token, isNearOnly: true }]),
    ...(secret === undefined
      ? []
      : [{ name: "telemetry", token: telemetryToken(secret), isNearOnly: true, only: TELEMETRY_ROUTE }]),
  ];
  const all = (named: readonly AccessToken[]): readonly AccessToken[] => [
    ...named.map(({ name, token, access }) => ({ name: `http:${name}`, token, ...defined({ access }) })),
    ...ownTokens,
  ];
  const server = await startHttp({
    ...inside,
    host,
    port,
    tokens: all(named),
    local: { name: local, ...(lineKey !== undefined && { lineKey }) },
    names: ANY.has(host) ? names : [...names, address],
    page: panelPage(),
    ...defined({ signIn: provider?.signIn }),
  }).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "EADDRINUSE")
      throw portInUse(port, addressIn(error) ?? host);
    throw error;
  });
  const { clock, onError = () => undefined } = inside;
  const stop = watch({ read: tokens, clock, onError }, (named) => server.admit(all(named)));
  const stopList = provider?.watch(() => server.review());
  return {
    url: server.url,
    listenAt: (path) => server.listenAt(path),
    async close() {
      await Promise.all([stop(), stopList?.()]);
      await server.close();
    },
  };
}

/** The address that is in use. An engine on loopback listens on two addresses, and the second may be the one in use. */
const addressIn = (error: object): string | undefined =>
  "address" in error && typeof error.address === "string" ? error.address : undefined;

const portInUse = (port: number, host: string): RefusedError =>
  new RefusedError(
    "PORT_IN_USE",
    `Port ${port} on ${host} is taken.`,
    "If an engine runs on that port, use it: `npx signalbox ls`. Otherwise choose another port with --port.",
  );

const noNamedToken = (where: string): RefusedError =>
  new RefusedError(
    "NO_NAMED_TOKEN",
    `Others could reach ${where}, and nobody has a token of their own.`,
    "Make a token for each person: `npx signalbox token add NAME`. Their answers then carry their names.",
  );

const needsHttps = (): RefusedError =>
  new RefusedError(
    "PROVIDER_NEEDS_HTTPS",
    "People can sign in by a provider only if they reach the engine by https.",
    "Put a proxy that ends TLS in front of the engine, and give the proxy's name: --name https://HOST (docs/how-to/away.md).",
  );

const badName = (name: string): RefusedError =>
  new RefusedError(
    "BAD_NAME",
    `"${name}" is no host name.`,
    "Give --name a name or address without port, or the origin of a proxy, as https://box.example; in lower case.",
  );
