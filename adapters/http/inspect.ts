// Inspect
// Admits WebSocket observers: checks a request before its upgrade, and accepts a ticket in its address.
//
//   Owns:          who may upgrade; sending a refusal on a socket, because Node makes no response object for an upgrade.
//   Does not own:  what is sent over the WebSocket (stately).
//
// INSPECT-1. An upgrade is checked by the guard, as every request is. A client that can send no header puts a ticket into the
//     address.
//     The ticket allows only reading, and is valid until the engine ends or the token is removed. The address never contains the
//     token.

import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { Hono } from "hono";
import { failureOf } from "../../runtime/errors/failure.ts";
import { parametersOf } from "../../runtime/reading/parameters.ts";
import { answer, type Env, givenIn, noSuchRoute } from "./context.ts";
import { ANSWER_HEADERS } from "./access/guard.ts";
import type { Entrance } from "./access/entrance.ts";
import { checkPart } from "./access/parts.ts";
import type { Holder } from "./access/holders.ts";

const PATH = "/v1/inspect";

export interface Inspecting {
  /** Takes the connection over. Must close it once `holder.gone` is aborted. @param holder the user who observes the machines. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer, holder: Holder): void;
}

/**
 * @param listening has the engine's own origin. A request at a panel name is answered with an address that has this origin,
 * because the program that opens the address might not resolve a panel name.
 */
export function inspectRoute(app: Hono<Env>, listening: { readonly origin: string }): void {
  app.get(PATH, (c) => {
    parametersOf(givenIn(c), []);
    const { origin } = c.get("place").browsers === "code" ? listening : c.get("place");
    const url = `${origin.replace(/^http/, "ws")}${PATH}?ticket=${c.get("holder").ticket}`;
    return answer(c, 200, { url });
  });
}

interface Upgrading {
  readonly inspecting: Inspecting;
  readonly entrance: Entrance;
  /** Called before an upgrade. @throws RetryableError while the engine has nothing to show. */
  readonly checkReady: () => void;
}

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
  // A client that never closes its side of the connection would keep the socket open for ever, so the socket is destroyed.
  socket.once("finish", () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines.join("")}\r\n${text}`);
}
