// HTTP side
// Where an engine listens, and who may speak to it there.
//
//   Owns:          the name of this machine's user.
//   Does not own:  the server (http), the page (inspector), the order of start and stop (compose.ts).

import { userInfo } from "node:os";
import { RefusedError } from "../runtime/errors.ts";
import { type HttpServer, startHttp } from "./http/index.ts";
import { inspectorPage } from "./inspector/index.ts";

export interface HttpPlace {
  /** 0 takes any. */
  readonly port: number;
  readonly token: string;
  /** Tokens of people, by name: who answers with one is `http:NAME`. */
  readonly named?: readonly { readonly name: string; readonly token: string }[];
  /** An address of this machine; default 127.0.0.1. */
  readonly host?: string;
  /** Names, without port, by which others reach the engine. */
  readonly names?: readonly string[];
}

type Inside = Omit<Parameters<typeof startHttp>[0], "host" | "port" | "tokens" | "page">;

const HOST = "127.0.0.1";
const LOOPBACK: ReadonlySet<string> = new Set([HOST, "::1", "localhost"]);
const ANY: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);
const NAME = /^([a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])$/;

/** @throws RefusedError PORT_IN_USE, NO_NAMED_TOKEN, BAD_NAME */
export async function listen(inside: Inside, place: HttpPlace): Promise<HttpServer> {
  const { port, token, named = [], host = HOST, names = [] } = place;
  const bad = names.find((name) => !NAME.test(name));
  if (bad !== undefined) throw badName(bad);
  if (!LOOPBACK.has(host) && named.length === 0) throw noNamedToken(host);
  const people = named.map(({ name, token }) => ({ name: `http:${name}`, token }));
  const own = host.includes(":") ? `[${host}]` : host;
  try {
    return await startHttp({
      ...inside,
      host,
      port,
      tokens: [...people, { name: `local:${userName()}`, token }],
      names: ANY.has(host) ? names : [...names, own],
      page: inspectorPage(),
    });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EADDRINUSE")) throw error;
    throw new RefusedError(
      "PORT_IN_USE",
      `Port ${port} on ${host} is taken.`,
      "If an engine runs there, use it: `npx signalbox ls`. Else choose another port with --port.",
    );
  }
}

const noNamedToken = (host: string): RefusedError =>
  new RefusedError(
    "NO_NAMED_TOKEN",
    `Others could reach ${host}, and nobody has a token of their own.`,
    "Make one for each person: `npx signalbox token add NAME`. Their answers then carry their names.",
  );

const badName = (name: string): RefusedError =>
  new RefusedError(
    "BAD_NAME",
    `"${name}" is no host name.`,
    "Give --name a name or address, without port, in lower case.",
  );

/** The one who answers with this machine's token. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? "unknown");
  }
}
