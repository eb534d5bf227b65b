// API
// The engine's public HTTP contract, as the page uses it.
//
//   Owns:          asking, sending, reading what went wrong.
//   Does not own:  following changes (follow.ts), what is done with an answer.
//
// The browser's cookie signs every request; the page never holds the token.

/** What the engine, or the way to it, said against a request. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly next: string;

  constructor(status: number, code: string, message: string, next: string) {
    super(message);
    this.status = status;
    this.code = code;
    this.next = next;
  }
}

const listeners = new Set<(change: string) => void>();

/** Calls back with the change each answer is as of: following from there misses nothing (design §4, Q5). */
export function onAnswer(listener: (change: string) => void): void {
  listeners.add(listener);
}

/** How far this machine's clock may be from the engine's before it is believed to be wrong, ms. */
const APART_MS = 2_000;
let apartMs = 0;

/** The wall time as the engine's machine has it, ms: what is asked there is not answered by another clock. */
export const engineTime = (): number => Date.now() + apartMs;

/** @param date of an answer: whole seconds, written as the answer left. */
function noteTime(date: string | null): void {
  const ms = date === null ? NaN : Date.parse(date) - Date.now();
  if (!Number.isNaN(ms)) apartMs = Math.abs(ms) > APART_MS ? ms : 0;
}

export type Parameters = Readonly<Record<string, string | number | undefined>>;

/**
 * @returns the answer's body, which has the shape the contract gives it (design §4).
 * @throws ApiError
 */
export async function ask<T>(path: string, parameters: Parameters = {}, signal?: AbortSignal): Promise<T> {
  const query = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  const address = query.length === 0 ? path : `${path}?${query.join("&")}`;
  return request<T>(address, signal ? { signal } : {});
}

/** Sends a body once: sent again under the same key it is still one message. @throws ApiError */
export async function send<T>(path: string, body: unknown, key: string = crypto.randomUUID()): Promise<T> {
  return request<T>(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", "Idempotency-Key": key },
    body: JSON.stringify(body),
  });
}

async function request<T>(address: string, init: RequestInit): Promise<T> {
  let response: Response;
  try {
    response = await fetch(address, { ...init, credentials: "same-origin" });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ApiError(
      0,
      "UNREACHABLE",
      "The engine does not answer.",
      "See whether `npx signalbox up` runs.",
    );
  }
  noteTime(response.headers.get("Date"));
  const text = await response.text();
  const change = response.headers.get("Signalbox-Change");
  if (change !== null) for (const listener of listeners) listener(change);
  if (response.ok) return JSON.parse(text) as T;
  throw failureOf(response.status, text);
}

function failureOf(status: number, text: string): ApiError {
  try {
    const { error } = JSON.parse(text) as { error: { code: string; message: string; next?: string } };
    return new ApiError(status, error.code, error.message, error.next ?? "");
  } catch {
    return new ApiError(status, "UNREADABLE", `The engine answered with status ${status}.`, "Try again.");
  }
}
