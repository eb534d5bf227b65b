// Exchange
// The interface by which a program of Signalbox sends one request to its engine, over any connection.
//
//   Owns:          the type of a request, of its answer, and of the function that sends it.
//   Does not own:  the connections, and how an engine proves its identity (adapters/line).
//
// EXCHANGE-1. No part of a request is sent before the other side has proved that it is the engine.

export interface EngineRequest {
  readonly method: "GET" | "POST" | "DELETE";
  /** The path of the request, with its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly signal?: AbortSignal;
  /** True if the answer does not end, so that the answer is passed on piece by piece. */
  readonly isStream?: boolean;
  /** True to resolve once the request is sent, without waiting for the answer. */
  readonly isOneWay?: boolean;
}

export interface EngineAnswer {
  readonly status: number;
  readonly body: AsyncIterable<Uint8Array>;
}

/** Sends a request to an engine. @throws Error if nobody answers, or if somebody other than the engine answers. */
export type Exchange = (request: EngineRequest) => Promise<EngineAnswer>;

const ANSWER_BYTES_MAX = 64 * 1024 * 1024;

/** The bytes of the whole answer. @throws Error for an answer that is cut off, or far too long. */
export async function bytesOf({ body }: Pick<EngineAnswer, "body">): Promise<Buffer> {
  const bytes = await beginningOf(body, ANSWER_BYTES_MAX);
  if (bytes.length > ANSWER_BYTES_MAX) throw new Error("The engine's answer is too long.");
  return bytes;
}

/** Reads a body, and stops once it has more than `max` bytes. @throws Error for a body that is cut off. */
export async function beginningOf(
  body: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array> | null,
  max: number,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // The cast is safe: a response stream of Node can be iterated, although its type does not say so.
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > max) break;
  }
  return Buffer.concat(chunks);
}

export const textOf = async (answer: Pick<EngineAnswer, "body">): Promise<string> =>
  (await bytesOf(answer)).toString("utf8");
