// By socket
// Asks an engine through the socket in its data folder, as this user's scripts do.
//
//   Owns:          the request; the answer as `fetch` gives it.
//   Does not own:  what is asked.

import { request } from "node:http";
import { join } from "node:path";

type Init = Pick<RequestInit, "method" | "headers" | "body" | "signal">;
export type AskBySocket = (path: string, init?: Init) => Promise<Response>;

/** @param data the engine's data folder. A body is declared as JSON. */
export function bySocket(data: string): AskBySocket {
  return (path, { method = "GET", headers, body, signal } = {}) =>
    new Promise((resolve, reject) => {
      const given = Object.fromEntries(new Headers(headers).entries());
      const text = typeof body === "string" ? body : undefined;
      const sent = request(
        {
          socketPath: join(data, "engine.sock"),
          agent: false,
          ...(signal && { signal }),
          method,
          path,
          headers: {
            host: "localhost",
            ...(text !== undefined && {
              "content-type": "application/json",
              "content-length": Buffer.byteLength(text),
            }),
            ...given,
          },
        },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on("data", (chunk: Buffer) => chunks.push(chunk));
          answer.on("error", reject);
          answer.on("end", () => {
            const names = Object.entries(answer.headers).flatMap(([name, value]) =>
              value === undefined ? [] : [[name, String(value)] as [string, string]],
            );
            resolve(new Response(Buffer.concat(chunks), { status: answer.statusCode ?? 0, headers: names }));
          });
        },
      );
      sent.on("error", reject);
      sent.end(text);
    });
}
