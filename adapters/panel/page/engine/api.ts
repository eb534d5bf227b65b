// API
// Calls the engine's public HTTP interface for the page.
//
//   Owns:          sending requests, turning the engine's refusals into errors.
//   Does not own:  following changes (follow.ts), what a view does with an answer.
//
// The browser's cookie authenticates every request; the page's script never has the token.
//
// ENGINE-API-1. If the engine cannot answer a read yet (503), the page repeats the read, three times at most.

/** The error for an id that several workspaces or sessions have lists them as candidates: this is one of them. */
export interface Candidate {
  readonly workspace: string;
  readonly sessionId: string;
}

/** An error that the engine, or a proxy on the way to it, answered to a request. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly next: string;
  readonly candidates: readonly Candidate[];

  constructor(
    status: number,
    code: string,
    message: string,
    next: string,
    candidates: readonly Candidate[] = [],
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.next = next;
    this.candidates = candidates;
  }

  get words(): string {
    return `${this.message} ${this.next}`;
  }
}

/** The ApiError that a request failed with. @throws any other error unchanged. */
export function refusal(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  throw error;
}

/** @returns the ApiError that a request failed with; undefined if it succeeded. @throws any other error unchanged. */
export const refusalOf = (step: Promise<unknown>): Promise<ApiError | undefined> =>
  step.then(() => undefined, refusal);

export const UNREACHABLE = "UNREACHABLE";

const listeners = new Set<(change: string) => void>();

/** Calls back after each answer with the id of the last change that the answer includes (QUERY-TABLE-1). */
export function onAnswer(listener: (change: string) => void): void {
  listeners.add(listener);
}

/** If this machine's clock and the engine's differ by more than this, ms, this machine's clock is taken to be wrong. */
const APART_MS = 2_000;
let apartMs = 0;

/** The wall time of the engine's machine, ms. Times that the engine gave are compared with this clock. */
export const engineTime = (): number => Date.now() + apartMs;

/** @param date the `Date` header of an answer, in whole seconds. */
function noteTime(date: string | null): void {
  const ms = date === null ? NaN : Date.parse(date) - Date.now();
  if (!Number.isNaN(ms)) apartMs = Math.abs(ms) > APART_MS ? ms : 0;
}

const REPEATS = 3;
const AGAIN_MS = 1_000;

export type Parameters = Readonly<Record<string, string | number | undefined>>;

/** @returns the answer's body, in the shape of docs/reference/openapi.yaml. @throws ApiError */
export async function ask<T>(path: string, parameters: Parameters = {}, signal?: AbortSignal): Promise<T> {
  const address = addressOf(path, parameters);
  for (let left = REPEATS; ; left -= 1)
    try {
      return await request<T>(address, signal ? { signal } : {});
    } catch (error) {
      if (left === 0 || refusal(error).status !== 503 || signal?.aborted === true) throw error;
      await new Promise((again) => setTimeout(again, AGAIN_MS));
    }
}

function addressOf(path: string, parameters: Parameters): string {
  const query = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return query.length === 0 ? path : `${path}?${query.join("&")}`;
}

/** Sends a body. If the same body is sent again under the same key, the engine counts it as the same message. @throws ApiError */
export async function send<T>(
  path: string,
  body: unknown,
  parameters: Parameters = {},
  key: string = crypto.randomUUID(),
): Promise<T> {
  return request<T>(addressOf(path, parameters), {
    method: "POST",
    headers: { "Content-Type": "application/json", "Idempotency-Key": key },
    body: JSON.stringify(body),
  });
}

/** Sends a DELETE request. @throws ApiError */
export async function remove(path: string, parameters: Parameters = {}): Promise<void> {
  await request(addressOf(path, parameters), { method: "DELETE" });
}

async function request<T>(address: string, init: RequestInit): Promise<T> {
  const response = await answerTo(address, init);
  noteTime(response.headers.get("Date"));
  const text = await response.text();
  const change = response.headers.get("Signalbox-Change");
  if (change !== null) for (const listener of listeners) listener(change);
  if (response.ok) return JSON.parse(text) as T;
  throw failureOf(response.status, text);
}

/** Sends a request. @throws ApiError if no engine answers; whatever the fetch throws once `init.signal` is aborted. */
export async function answerTo(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, { ...init, credentials: "same-origin" });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    const next = "Check whether `npx signalbox up` runs.";
    throw new ApiError(0, UNREACHABLE, "The engine does not answer.", next);
  }
}

export function failureOf(status: number, text: string): ApiError {
  try {
    const { error, candidates } = JSON.parse(text) as {
      error: { code: string; message: string; next?: string };
      candidates?: readonly Candidate[];
    };
    return new ApiError(status, error.code, error.message, error.next ?? "", candidates);
  } catch {
    return new ApiError(status, "UNREADABLE", `The engine answered with status ${status}.`, "Try again.");
  }
}
