// Outside
// A browser as far as signing in needs one: cookies by host, redirects that are followed one by one, no scripts.
//
//   Owns:          the cookies, who is trusted, asking the engine through its proxy.
//   Does not own:  a real browser (panel).

import { request as plainRequest, type IncomingHttpHeaders } from "node:http";
import { request as tlsRequest } from "node:https";
import type { TlsProxy } from "../http/tls-proxy.ts";

export interface Seen {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export class Outside {
  readonly #proxy: TlsProxy;
  readonly #engine: string;
  /** By origin, then by name. */
  readonly cookies = new Map<string, Map<string, string>>();

  /** @param engine the origin under which the proxy is called. */
  constructor(proxy: TlsProxy, engine: string) {
    this.#proxy = proxy;
    this.#engine = engine;
  }

  get(address: string, headers: Record<string, string> = {}): Promise<Seen> {
    return this.send("GET", address, headers);
  }

  /** @param address a path of the engine, or a whole address. */
  async send(
    method: string,
    address: string,
    headers: Record<string, string> = {},
    body = "",
  ): Promise<Seen> {
    const { ended, ...begun } = await this.open(method, address, headers, body);
    return { ...begun, text: await ended };
  }

  /** @returns once an answer has begun. */
  open(
    method: string,
    address: string,
    headers: Record<string, string> = {},
    body = "",
  ): Promise<Omit<Seen, "text"> & { readonly ended: Promise<string> }> {
    const url = new URL(address, this.#engine);
    const jar = this.cookies.get(url.origin) ?? new Map<string, string>();
    this.cookies.set(url.origin, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const isEngine = url.origin === this.#engine;
    const where = isEngine
      ? { host: "127.0.0.1", port: this.#proxy.port, servername: url.hostname, ca: this.#proxy.cert }
      : { host: url.hostname, port: url.port };
    return new Promise((resolve, reject) => {
      const request = (isEngine ? tlsRequest : plainRequest)({
        ...where,
        method,
        path: url.pathname + url.search,
        agent: false,
        headers: {
          Host: url.host,
          Accept: "text/html",
          ...(cookie !== "" && { Cookie: cookie }),
          ...headers,
        },
      });
      request.on("response", (response) => {
        for (const set of response.headers["set-cookie"] ?? []) keep(jar, set);
        const ended = new Promise<string>((end) => {
          let text = "";
          response.setEncoding("utf8").on("data", (piece: string) => (text += piece));
          response.on("end", () => end(text));
        });
        resolve({ status: response.statusCode ?? 0, headers: response.headers, ended });
      });
      request.on("error", reject);
      request.end(body);
    });
  }

  /** Follows redirects until one leads to an address that begins so. @returns that address. */
  async follow(address: string, until: string): Promise<string> {
    for (let at = new URL(address, this.#engine).href, left = 20; left > 0; left -= 1) {
      if (at.startsWith(until)) return at;
      const { headers, status, text } = await this.get(at);
      if (headers.location === undefined) throw new Error(`${at.split("?")[0] ?? ""}: ${status} ${text}`);
      at = new URL(headers.location, at).href;
    }
    throw new Error("It leads on and on.");
  }

  /** Begins at the engine, passes the provider, and stops before the way back. @returns that address. */
  async toTheWayBack(): Promise<string> {
    const begun = await this.get("/sign-in");
    if (begun.headers.location === undefined) throw new Error(`${begun.status} ${begun.text}`);
    return this.follow(begun.headers.location, `${this.#engine}/sign-in/back`);
  }

  async signIn(): Promise<Seen> {
    return this.get(await this.toTheWayBack());
  }

  /** Asks the engine as its page does. */
  post(path: string, body: object = {}): Promise<Seen> {
    const headers = { "Content-Type": "application/json", Origin: this.#engine };
    return this.send("POST", path, headers, JSON.stringify(body));
  }
}

function keep(jar: Map<string, string>, set: string): void {
  const [pair = "", ...fields] = set.split(";").map((part) => part.trim());
  const [name = ""] = pair.split("=");
  const isOver = fields.some(
    (field) => /^max-age=0$/i.test(field) || /^expires=Thu, 01 Jan 1970/i.test(field),
  );
  if (isOver) jar.delete(name);
  else jar.set(name, pair.slice(name.length + 1));
}
