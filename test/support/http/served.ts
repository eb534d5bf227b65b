// Served
// An engine on memory adapters with its real HTTP server, for tests: real sockets, a clock that stands still.
//
//   Owns:          starting, stopping and restarting on the same disk; a simple client.
//   Does not own:  what is asked and expected.

import { request } from "node:http";
import { type HttpOptions, startHttp } from "../../../adapters/http/index.ts";
import { panelPage } from "../../../adapters/panel/index.ts";
import { MemoryBlobs, MemoryDisk, MemoryJournal, MemoryStore } from "../../../adapters/memory/index.ts";
import { CountedIds } from "../engine/counted-ids.ts";
import { ManualClock } from "../engine/manual-clock.ts";
import { Inspection } from "../../../adapters/stately/inspection.ts";
import { clients as ours } from "../../../adapters/composition/clients.ts";
import type { Clients } from "../../../runtime/clients.ts";
import { translator } from "../../../runtime/door/translate.ts";
import type { Configuration } from "../../../runtime/config.ts";
import { BlobSweep } from "../../../runtime/reading/blob-sweep.ts";
import { ForgetDoor } from "../../../runtime/door/forget-door.ts";
import { Door } from "../../../runtime/door/door.ts";
import { Logs } from "../../../runtime/door/logs.ts";
import { digestId } from "../../../runtime/foreign-id.ts";
import { Engine } from "../../../runtime/engine/engine.ts";
import { Gate } from "../../../runtime/gate/gate.ts";
import { Sample } from "../../../runtime/sample/sample.ts";
import type { Appending, Blobs, Outlet } from "../../../runtime/ports.ts";
import { Preview } from "../../../runtime/reading/preview.ts";
import { Queries } from "../../../runtime/reading/queries.ts";
import { Series } from "../../../runtime/reading/figures/series.ts";

export const TOKEN = "t0ken-of-the-test";
const BY = "local:tester";
const T0 = 1_800_000_000_000;

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

export interface ServeOptions {
  /** Where changes are published; nowhere if it is not given. */
  readonly outlet?: Outlet;
  readonly disk?: MemoryDisk;
  readonly clock?: ManualClock;
  readonly ids?: CountedIds;
  readonly blobs?: Blobs;
  /** Where it listens, under which names, for whom, how patiently; its peers. */
  readonly place?: Partial<
    Pick<
      HttpOptions,
      | "host"
      | "port"
      | "names"
      | "tokens"
      | "local"
      | "patience"
      | "connections"
      | "peers"
      | "news"
      | "signIn"
      | "onSignInFailed"
    >
  >;
  readonly configuration?: Configuration;
  /** Instead of those of a real engine. */
  readonly clients?: Clients;
  /** Leaves starting the engine to the test. */
  readonly notStarted?: boolean;
}

/** A journal that can be told to wait before it acknowledges. */
class GatedJournal extends MemoryJournal {
  #gate: Promise<void> = Promise.resolve();
  /** What every append fails with. */
  failure: Error | undefined;

  /** @returns a function that lets everything through again. */
  hold(): () => void {
    let release = (): void => undefined;
    this.#gate = new Promise((resolve) => {
      release = resolve;
    });
    return release;
  }

  override async append(bodies: readonly string[], how?: Appending): Promise<readonly number[]> {
    await this.#gate;
    if (this.failure) throw this.failure;
    return super.append(bodies, how);
  }
}

export async function serve(options: ServeOptions = {}) {
  const { disk = new MemoryDisk("journal-1"), clock = new ManualClock(T0), ids = new CountedIds() } = options;
  const { blobs = new MemoryBlobs(disk, clock), clients = ours } = options;
  const translate = translator(clients);
  const journal = new GatedJournal(disk, clock);
  const engine = new Engine({
    store: new MemoryStore(disk),
    journal,
    clock,
    digest: digestId,
    clients,
    translate,
    ...(options.outlet && { outlet: options.outlet }),
    ...(options.configuration && { configuration: options.configuration }),
    onFatal: (error) => {
      throw error;
    },
  });
  const door = new Door({ engine, clock, ids, clients, blobs });
  const logs = new Logs({ door, store: engine.store });
  const queries = new Queries(engine, blobs);
  const onError = (error: unknown): never => {
    throw error;
  };
  const gate = new Gate({ engine, door, queries, translate, clock, onError });
  const sample = new Sample({ engine, door, queries, clock, onError });
  const preview = new Preview({ engine, clock, digest: digestId, clients, translate });
  const inspecting = new Inspection({ engine, queries, clock }, onError);
  const http = await startHttp({
    inspecting,
    engine,
    queries,
    preview,
    series: new Series(engine, clock),
    page: panelPage(),
    door,
    logs,
    gate,
    sample,
    forgetting: new ForgetDoor({ engine, door, blobs: new BlobSweep({ blobs, engine, clock, onError }) }),
    clock,
    host: "127.0.0.1",
    port: 0,
    tokens: [
      { name: "http:other", token: "another-token" },
      { name: BY, token: TOKEN },
    ],
    ...options.place,
  });
  if (!options.notStarted) {
    await engine.start();
    gate.start();
  }

  const call = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answered> => {
    const response = await fetch(http.url + path, {
      method,
      headers: {
        Authorization: `Bearer ${TOKEN}`,
        ...(body !== undefined && { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  };

  return {
    disk,
    clock,
    ids,
    engine,
    journal,
    door,
    gate,
    queries,
    http,
    inspecting,
    url: http.url,
    get: (path: string, headers?: Record<string, string>) => call("GET", path, undefined, headers),
    post: (path: string, body: unknown, headers?: Record<string, string>) =>
      call("POST", path, body, headers),
    remove: (path: string, headers?: Record<string, string>) => call("DELETE", path, undefined, headers),
    async stop() {
      sample.stop();
      await inspecting.close();
      await http.close();
      await engine.stop();
    },
  };
}
export type Served = Awaited<ReturnType<typeof serve>>;

/** A request with exactly these headers, in this order, repeated if they are repeated. */
export function rawRequest(
  url: string,
  method: string,
  path: string,
  headers: readonly (readonly [name: string, value: string])[],
  body = "",
): Promise<{
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly text: string;
}> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        hostname: hostname.replace(/^\[|\]$/g, ""),
        port,
        method,
        path,
        headers: headers.flat(),
        setHost: false,
        agent: false,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => {
          const text = Buffer.concat(chunks).toString("utf8");
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
        });
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

let sent = 0;

/** An envelope with an id of its own. */
export function event(type: string, data: unknown, attributes: object = {}): object {
  sent += 1;
  return {
    specversion: "1.0",
    id: `e${sent}`,
    source: "/test",
    type,
    subject: "shop/s1",
    data,
    ...attributes,
  };
}
