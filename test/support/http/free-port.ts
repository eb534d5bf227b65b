// Free port
// Ports that nobody listens on, for programs that must keep them over a restart.
//
//   Owns:          finding them.
//   Does not own:  keeping them.

import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

export async function freePort(asked = 0): Promise<number> {
  const server = createServer().listen(asked, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("No free port was given.");
  return address.port;
}

/** Below those that a system gives to outgoing connections, which could take one while its program is away. */
const LOW = { from: 10_000, to: 32_000 } as const;

/** @returns the first of so many free ports in a row. */
export async function freePorts(count: number): Promise<number> {
  for (;;) {
    const first = randomInt(LOW.from, LOW.to - count);
    try {
      for (let n = 0; n < count; n += 1) await freePort(first + n);
      return first;
    } catch {
      // One of them is taken.
    }
  }
}
