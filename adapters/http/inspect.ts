// Inspect
// The way in for those who look over a WebSocket: the guard before the upgrade, the address that lets one in.
//
//   Owns:          who may upgrade, how a refusal is told on the bare socket.
//   Does not own:  what is told over the WebSocket (stately).
//
// H18. An upgrade passes the guard of every other route. A client that can send no header is let in by a ticket in the
//      address: random, good for looking only, and void when the engine ends; the token never stands there.

import { randomBytes } from "node:crypto";
import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { Hono } from "hono";
import { failureOf } from "../../runtime/failure.ts";
import { answer, type Env } from "./context.ts";
import { noSuchRoute } from "./errors.ts";
import { ANSWER_HEADERS, type CheckToken, tokenCheck } from "./guard.ts";

const PATH = "/v1/inspect";
const TICKET_BYTES = 32;

/** Who takes the connection over. */
export interface Inspecting {
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

export interface Ticket {
  readonly text: string;
  readonly check: CheckToken;
}

export function newTicket(): Ticket {
  const text = randomBytes(TICKET_BYTES).toString("base64url");
  return { text, check: tokenCheck([{ name: "ticket", token: text }]) };
}

/** Tells one who is signed in the address to look at. */
export function inspectRoute(app: Hono<Env>, ticket: Ticket): void {
  app.get(PATH, (c) =>
    answer(c, 200, { url: `ws://${c.req.header("Host") ?? ""}${PATH}?ticket=${ticket.text}` }),
  );
}

interface Upgrading {
  readonly inspecting: Inspecting;
  readonly ticket: Ticket;
  /** @throws RefusedError, RetryableError for a request that may not come in, whoever it is from. */
  readonly guard: (request: IncomingMessage) => void;
  /** @throws RefusedError for a request without a token or cookie. */
  readonly holder: (request: IncomingMessage) => void;
}

/** Answers a request to upgrade: hands the connection over, or says why not and ends it. */
export function upgrade(
  { inspecting, ticket, guard, holder }: Upgrading,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  try {
    guard(request);
    const { pathname, searchParams } = new URL(request.url ?? "", "http://engine");
    if (pathname !== PATH) throw noSuchRoute();
    const given = searchParams.get("ticket");
    if (given === null) holder(request);
    else ticket.check(given);
  } catch (error) {
    refuse(socket, error);
    return;
  }
  inspecting.accept(request, socket, head);
}

function refuse(socket: Duplex, error: unknown): void {
  const { status, body } = failureOf(error);
  const text = JSON.stringify(body);
  const headers = {
    ...ANSWER_HEADERS,
    "Content-Type": "application/json",
    "Content-Length": String(Buffer.byteLength(text)),
    Connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.on("error", () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines.join("")}\r\n${text}`);
}
