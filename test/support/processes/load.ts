// Load
// Sends requests over HTTP, many at once, and repeats each until it is taken, whatever is killed meanwhile.
//
//   Owns:          sending with one id and one key each; what the engine shows of them.
//   Does not own:  what is killed meanwhile.

import { setTimeout as sleep } from "node:timers/promises";
import { at, listAt, textAt } from "../engine/json.ts";

const AGAIN_MS = 50;
const GIVES_UP_AFTER_MS = 150_000;

export interface Door {
  readonly url: string;
  readonly token: string;
}

const headersOf = ({ token }: Door) => ({
  Authorization: `Bearer ${token}`,
  "Content-Type": "application/json",
});

/** Creates `count` requests over so many sessions, at once. @returns the result of each, once it was taken. */
export function createRequests(door: Door, name: string, count: number, sessions: number): Promise<string[]> {
  return Promise.all(
    Array.from({ length: count }, (_, i) => createOne(door, `${name}-${i}`, `${name}-s${i % sessions}`)),
  );
}

async function createOne(door: Door, id: string, session: string): Promise<string> {
  const body = JSON.stringify({
    specversion: "1.0",
    id,
    source: "/load",
    type: "request.created",
    subject: `load/${session}`,
    data: { requestId: id },
  });
  const headers = { ...headersOf(door), "Idempotency-Key": id };
  const deadline = performance.now() + GIVES_UP_AFTER_MS;
  for (;;) {
    const answer = await fetch(`${door.url}/v1/events`, { method: "POST", headers, body }).catch(
      () => undefined,
    );
    if (answer?.ok) return textAt(await answer.json(), "outcome") ?? "";
    // An engine that is dead, or cannot take it now, is no reason to stop.
    if (answer !== undefined && answer.status < 429)
      throw new Error(`${answer.status} ${await answer.text()}`);
    if (performance.now() > deadline) throw new Error(`${id} is not taken: ${await answer?.text()}`);
    await sleep(AGAIN_MS);
  }
}

/** The ids of all requests, in order. */
export async function requestIds(door: Door): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let cursor = ""; ;) {
    const path = `/v1/requests?limit=500${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
    const page: unknown = await (await fetch(door.url + path, { headers: headersOf(door) })).json();
    ids.push(...listAt(page, "items").map((item) => textAt(item, "requestId") ?? ""));
    cursor = textAt(page, "nextCursor") ?? "";
    if (cursor === "") return ids.sort();
  }
}

/** A row of the metrics. */
export async function metric(door: Door, name: string): Promise<number> {
  const text = await (await fetch(`${door.url}/metrics`, { headers: headersOf(door) })).text();
  return Number(new RegExp(`^${name} (\\d+)$`, "m").exec(text)?.[1]);
}

/** The answer to a hook. @returns status, body and what the engine says it could not do. */
export async function sendHook(door: Door, payload: object) {
  const answer = await fetch(`${door.url}/v1/hooks/claude-code`, {
    method: "POST",
    headers: headersOf(door),
    body: JSON.stringify(payload),
  });
  return {
    status: answer.status,
    body: await answer.json(),
    dropped: answer.headers.get("Signalbox-Dropped"),
  };
}

/** Whether it takes messages. */
export async function isReady(door: Door): Promise<boolean> {
  const answer = await fetch(`${door.url}/readyz`).catch(() => undefined);
  return answer?.ok === true && at(await answer.json(), "ready") === true;
}
