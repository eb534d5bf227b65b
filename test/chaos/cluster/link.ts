// Link
// A way of bytes to one server that can be cut, like a cable between two machines.
//
//   Owns:          its port, its connections, the two kinds of cut.
//   Does not own:  who uses it, when it is cut (machines).
//
// CLUSTER-LINK-1. A cut link passes nothing in either direction; mended, a stalled one passes what had waited.

import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** `broken`: connections end, and new ones are refused. `stalled`: they stay open, and nothing arrives. */
export type Cut = "broken" | "stalled";

export interface Link {
  readonly port: number;
  cut(how: Cut): void;
  mend(): void;
  close(): Promise<void>;
}

/** @param target the server's port on loopback. */
export async function link(target: number): Promise<Link> {
  let cut: Cut | undefined;
  const ways = new Map<Socket, Socket>();
  const server = createServer((near) => {
    const far = connect(target, "127.0.0.1");
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      ways.set(from, to);
      from.on("error", () => to.destroy());
      from.on("close", () => {
        ways.delete(from);
        to.destroy();
      });
      if (cut === undefined) from.pipe(to);
      else if (cut === "broken") from.destroy();
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    // A server that listens on TCP has such an address.
    port: (server.address() as AddressInfo).port,
    cut(how) {
      cut = how;
      for (const [from, to] of ways) {
        if (how === "broken") from.destroy();
        else from.unpipe(to).pause();
      }
    },
    mend() {
      if (cut === "stalled") for (const [from, to] of ways) from.pipe(to);
      cut = undefined;
    },
    async close() {
      for (const from of ways.keys()) from.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
