// Exchange
// How a program of this project sends one request to its engine, whichever way leads there.
//
//   Owns:          its shape.
//   Does not own:  the ways, and how an engine shows who it is (adapters/line).
//
// EXCHANGE-1. Nothing of a request leaves before whoever answers has shown that it is the engine.

export interface EngineRequest {
  readonly method: "GET" | "POST" | "DELETE";
  /** With its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly signal?: AbortSignal;
  /** The answer does not end: what comes is passed on as it comes. */
  readonly isStream?: boolean;
  /** Resolve once it has left; nobody waits for the answer. */
  readonly isOneWay?: boolean;
}

export interface EngineAnswer {
  readonly status: number;
  readonly body: AsyncIterable<Uint8Array>;
}

/** @throws Error where nobody answers, or somebody who is not the engine. */
export type Exchange = (request: EngineRequest) => Promise<EngineAnswer>;

/** An answer longer than this is no answer to one who waits for a few words. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;

/** @returns the whole answer. @throws Error for one that is broken off, or far too long. */
export async function bytesOf({ body }: Pick<EngineAnswer, "body">): Promise<Buffer> {
  const bytes = await beginningOf(body, ANSWER_BYTES_MAX);
  if (bytes.length > ANSWER_BYTES_MAX) throw new Error("The answer is too long.");
  return bytes;
}

/** @returns the bytes; more than `max` for a body that is longer, whose rest is not read. @throws Error for one broken off. */
export async function beginningOf(
  body: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array> | null,
  max: number,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Node's stream of an answer can be read so; its type does not say it.
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > max) break;
  }
  return Buffer.concat(chunks);
}

export const textOf = async (answer: Pick<EngineAnswer, "body">): Promise<string> =>
  (await bytesOf(answer)).toString("utf8");
