// Client
// Sends a command's HTTP requests to an engine, and explains in plain words why a request failed.
//
//   Owns:          sending requests, reading lists page by page, following the change stream across disconnects; the options that
//                  name one of several workspaces or sessions, if an id is ambiguous.
//   Does not own:  choosing the engine (connection.ts), the connection itself (adapters/line), what answers mean (commands/).
//
// CLI-CLIENT-1. After a disconnect, the change stream resumes after the last change that was received. If the engine no longer
//     has that change, the caller gets `resync` and must read its lists again. The caller gets one `lost` for each disconnect.

import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { jsonIn } from "../../machines/json.ts";
import { defined } from "../../machines/defined.ts";
import { RefusedError, RetryableError } from "../../runtime/errors/errors.ts";
import { type EngineAnswer, type EngineRequest, type Exchange, textOf } from "../../runtime/line/exchange.ts";
import { changeAnswer, type ChangeAnswer } from "./answers.ts";
import { Failure } from "./failures/failure.ts";
import { type ServerEvent, serverEvents } from "../../runtime/line/server-events.ts";

/** The engine does not answer, or is busy: the same request may succeed a moment later. */
export class Away extends Failure {}

function unreachable(url: string, cause?: unknown): Failure {
  if (cause instanceof RefusedError) return new Failure(cause.message, cause.next, 1, { cause });
  if (cause instanceof RetryableError) return new Away(cause.message, cause.next, 1, { cause });
  const next = "Start the engine with `npx signalbox up`, or name another engine with --url.";
  return new Away(`No engine answers at ${url}.`, next, 1, { cause });
}

interface Place {
  lastId: string | undefined;
}

type Query = Readonly<Record<string, string | number | undefined>>;

export interface HttpResponse {
  readonly status: number;
  readonly body: unknown;
}

export type Followed =
  { readonly type: "ready" | "resync" | "lost" } | { readonly type: "change"; readonly change: ChangeAnswer };

const RECONNECT_MS = [250, 500, 1000, 2000, 5000] as const;

const errorBody = z.looseObject({
  error: z.looseObject({ code: z.string(), message: z.string(), next: z.string().optional() }),
});
const several = z.looseObject({
  error: z.looseObject({ code: z.literal("AMBIGUOUS"), message: z.string() }),
  candidates: z.array(z.looseObject({ workspace: z.string(), sessionId: z.string() })),
});
const page = z.looseObject({
  items: z.array(z.unknown()),
  nextCursor: z.string().optional(),
  partial: z.array(z.string()).optional(),
});

interface About {
  readonly engine?: string;
  /** Called with the engines that do not answer, whose items a list therefore lacks. */
  readonly onMissing?: (engines: readonly string[]) => void;
}

export class Client {
  readonly url: string;
  readonly #exchange: Exchange;
  readonly #tokenFrom: string;
  readonly #about: About;

  /** @param tokenFrom where the token came from: the message about a refused token names it. */
  constructor(exchange: Exchange, url: string, tokenFrom: string, about: About = {}) {
    this.url = url;
    this.#exchange = exchange;
    this.#tokenFrom = tokenFrom;
    this.#about = about;
  }

  async get<T>(path: string, schema: z.ZodType<T>, query: Query = {}, signal?: AbortSignal): Promise<T> {
    const { body } = succeeded(await this.send("GET", path, { query, ...defined({ signal }) }));
    return schema.parse(body);
  }

  async list<T>(
    path: string,
    schema: z.ZodType<T>,
    query: Query = {},
    limit = Infinity,
  ): Promise<readonly T[]> {
    const items: T[] = [];
    let cursor: string | undefined;
    do {
      const found = await this.get(path, page, {
        ...query,
        limit: Math.min(1000, limit - items.length),
        cursor,
      });
      for (const item of found.items) items.push(schema.parse(item));
      if (found.partial) this.#about.onMissing?.(found.partial);
      cursor = found.nextCursor;
    } while (cursor !== undefined && items.length < limit);
    return items;
  }

  /** @returns the engine's answer, even an error. @throws Failure when no answer came, or the token was refused. */
  async send(
    method: "GET" | "POST" | "DELETE",
    path: string,
    request: { readonly query?: Query; readonly body?: unknown; readonly signal?: AbortSignal } = {},
  ): Promise<HttpResponse> {
    const { query = {}, body, signal } = request;
    const response = await this.#send(method, path, query, { body, ...defined({ signal }) });
    const text = await textOf(response).catch((cause: unknown) => {
      throw unreachable(this.url, reasonOf(cause, signal));
    });
    return { status: response.status, body: jsonIn(text) };
  }

  async *events(path: string, body: unknown): AsyncGenerator<ServerEvent> {
    const request = { body, headers: { Accept: "text/event-stream" }, isStream: true };
    const response = await this.#send("POST", path, {}, request);
    if (response.status !== 200)
      throw refusal({ status: response.status, body: jsonIn(await textOf(response)) });
    for await (const event of serverEvents(bytesOf(response.body, this.url))) {
      if (event.event === "error") throw refusal({ status: 500, body: jsonIn(event.data) });
      yield event;
    }
  }

  /** @returns `ready` once changes follow; `lost` if the stream broke; `resync` if the caller must read its lists again. */
  async *follow(query: Query, signal: AbortSignal): AsyncGenerator<Followed> {
    const at: Place = { lastId: undefined };
    for (let failures = 0; ; failures++) {
      try {
        for await (const followed of this.#followOnce(query, at, signal)) {
          failures = 0;
          yield followed;
        }
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof Away) || at.lastId === undefined) throw error;
      }
      if (signal.aborted) return;
      if (failures === 0) yield { type: "lost" };
      const waitMs = RECONNECT_MS[Math.min(failures, RECONNECT_MS.length - 1)];
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async *#followOnce(query: Query, at: Place, signal: AbortSignal): AsyncGenerator<Followed> {
    const headers = at.lastId === undefined ? {} : { "Last-Event-ID": at.lastId };
    const response = await this.#send("GET", "/v1/stream", query, { headers, signal, isStream: true });
    if (response.status === 503) throw unreachable(this.url);
    if (response.status !== 200)
      throw refusal({ status: response.status, body: jsonIn(await textOf(response)) });
    for await (const { event, data, id } of serverEvents(bytesOf(response.body, this.url))) {
      at.lastId = id ?? at.lastId;
      if (event === "change") yield { type: "change", change: changeAnswer.parse(JSON.parse(data)) };
      else if (event === "ready" || event === "resync") yield { type: event };
    }
  }

  async #send(
    method: EngineRequest["method"],
    path: string,
    query: Query,
    {
      body,
      ...request
    }: Pick<EngineRequest, "headers" | "signal" | "isStream"> & { readonly body?: unknown },
  ): Promise<EngineAnswer> {
    const { engine = query["engine"] } = this.#about;
    const given = Object.entries({ ...query, engine }).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, String(value)] as [string, string]],
    );
    const search = new URLSearchParams(given).toString();
    const headers = { ...(body !== undefined && { "Content-Type": "application/json" }), ...request.headers };
    const response = await this.#exchange({
      ...request,
      method,
      path: search === "" ? path : `${path}?${search}`,
      headers,
      ...(body !== undefined && { body: Buffer.from(JSON.stringify(body)) }),
    }).catch((cause: unknown) => {
      throw unreachable(this.url, reasonOf(cause, request.signal));
    });
    if (response.status !== 401) return response;
    throw new Failure(
      `The engine at ${this.url} does not accept the token from ${this.#tokenFrom}.`,
      "Name the engine's own folder with --data, or set SIGNALBOX_TOKEN.",
    );
  }
}

const reasonOf = (cause: unknown, signal: AbortSignal | undefined): unknown =>
  signal?.aborted === true ? signal.reason : cause;

async function* bytesOf(body: AsyncIterable<Uint8Array>, url: string): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (cause) {
    throw unreachable(url, cause);
  }
}

/**
 * @param command the command as typed, for the message if several workspaces or sessions have the id. @throws Failure with the
 * engine's message.
 */
export function succeeded(answer: HttpResponse, command?: string): HttpResponse {
  if (answer.status >= 200 && answer.status < 300) return answer;
  throw refusal(answer, command);
}

function refusal({ status, body }: HttpResponse, command?: string): Failure {
  const ambiguity = ambiguityIn(body, command);
  if (ambiguity) return ambiguity;
  const told = errorBody.safeParse(body);
  const Kind = status === 429 || status === 503 ? Away : Failure;
  if (!told.success)
    return new Kind(
      `The engine answered with status ${status}.`,
      "Check that --url names a Signalbox engine.",
    );
  const { message, next = "" } = told.data.error;
  return new Kind(message, next);
}

/**
 * @param command the command as typed; undefined to list only the options to add.
 * @returns the failure that lists what an ambiguous id may mean, each with the command to type; undefined if none is ambiguous.
 */
function ambiguityIn(body: unknown, command: string | undefined): Failure | undefined {
  const told = several.safeParse(body);
  if (!told.success) return undefined;
  const { error, candidates } = told.data;
  const lines = candidates.map(({ workspace, sessionId }) => {
    const near = candidates.filter((other) => other.workspace === workspace).length;
    const options = [
      ...(near < candidates.length ? [`--workspace ${workspace}`] : []),
      ...(near > 1 ? [`--session ${sessionId}`] : []),
    ];
    return `  ${[...(command === undefined ? [] : [command]), ...options].join(" ")}`;
  });
  return new Failure(`${error.message} Choose one:`, lines.join("\n"));
}
