// Inspect
// Admits WebSocket observers: the guard before the upgrade, and the address with a ticket.
//
//   Owns:          who may upgrade, how a refusal is sent on the bare socket.
//   Does not own:  what is sent over the WebSocket (stately).
//
// INSPECT-1. An upgrade passes the same guard as every route. A client that can send no header uses a ticket in the address:
//     random, bound to its holder, for reading only, and void when the engine or the token ends. The address never contains the
//     token itself.

import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { Hono } from "hono";
import { failureOf } from "../../runtime/errors/failure.ts";
import { parametersOf } from "../../runtime/reading/parameters.ts";
import { answer, type Env } from "./context.ts";
import { noSuchRoute } from "./errors.ts";
import { ANSWER_HEADERS } from "./access/guard.ts";
import type { Entrance } from "./access/entrance.ts";
import { checkPart } from "./access/parts.ts";
import type { Holder } from "./access/holders.ts";

const PATH = "/v1/inspect";

export interface Inspecting {
  /** Takes the connection over, and must close it once the holder's `gone` is aborted. @param holder who observes. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer, holder: Holder): void;
}

/**
 * Returns the WebSocket address to a signed-in caller. @param listening names the address without the panel's name: the program
 * that opens it may not be able to resolve that name.
 */
export function inspectRoute(app: Hono<Env>, listening: { readonly origin: string }): void {
  app.get(PATH, (c) => {
    parametersOf(new URL(c.req.url).searchParams, []);
    const { origin } = c.get("place").browsers === "code" ? listening : c.get("place");
    const url = `${origin.replace(/^http/, "ws")}${PATH}?ticket=${c.get("holder").ticket}`;
    return answer(c, 200, { url });
  });
}

interface Upgrading {
  readonly inspecting: Inspecting;
  readonly entrance: Entrance;
  /** @throws RetryableError while there is nothing to show. */
  readonly checkReady: () => void;
}

/** Answers an upgrade request: hands the connection over, or sends the refusal and closes it. */
export function upgrade(
  { inspecting, entrance, checkReady }: Upgrading,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  let holder: Holder;
  try {
    const place = entrance.place(request);
    checkReady();
    const { pathname, searchParams } = new URL(request.url ?? "", "http://engine");
    if (pathname !== PATH) throw noSuchRoute();
    const ticket = searchParams.get("ticket");
    holder =
      ticket === null
        ? entrance.holder(request, place)
        : entrance.holderInAddress("ticket", ticket, request, place);
    checkPart(holder, `GET ${PATH}`);
  } catch (error) {
    refuse(socket, error);
    return;
  }
  inspecting.accept(request, socket, head, holder);
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
  // A client that does not close its side would keep the socket open for ever.
  socket.once("finish", () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines.join("")}\r\n${text}`);
}
