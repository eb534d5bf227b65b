// Link
// A way of bytes to one server that can be cut, like a cable between two machines.
//
//   Owns:          its port, its connections, the kinds of cut.
//   Does not own:  who uses it, when it is cut (machines).
//
// CLUSTER-LINK-1. A cut link passes nothing in either direction; mended, a stalled one passes what had waited.
// CLUSTER-LINK-2. A deaf link passes what is said to the server, and none of the server's answers until it is mended.

import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/**
 * `broken`: connections end, and new ones are refused. `stalled`: they stay open, and nothing arrives. `deaf`: they stay open,
 * and nothing comes back from the server.
 */
export type Cut = "broken" | "stalled" | "deaf";

/** One direction of a connection. */
interface Way {
  readonly to: Socket;
  readonly isBack: boolean;
}

export interface Link {
  readonly port: number;
  cut(how: Cut): void;
  mend(): void;
  close(): Promise<void>;
}

/** @param target the server's port on loopback. */
export async function link(target: number): Promise<Link> {
  let cut: Cut | undefined;
  const ways = new Map<Socket, Way>();
  const passes = ({ isBack }: Way): boolean => cut === undefined || (cut === "deaf" && !isBack);
  const server = createServer((near) => {
    const far = connect(target, "127.0.0.1");
    const both = new Map([
      [near, { to: far, isBack: false }],
      [far, { to: near, isBack: true }],
    ]);
    for (const [from, way] of both) {
      ways.set(from, way);
      from.on("error", () => way.to.destroy());
      from.on("close", () => {
        ways.delete(from);
        way.to.destroy();
      });
      if (passes(way)) from.pipe(way.to);
      else if (cut === "broken") from.destroy();
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    // A server that listens on TCP has such an address.
    port: (server.address() as AddressInfo).port,
    cut(how) {
      cut = how;
      for (const [from, way] of ways) {
        if (how === "broken") from.destroy();
        else if (!passes(way)) from.unpipe(way.to).pause();
      }
    },
    mend() {
      const waiting = [...ways].filter(([, way]) => !passes(way));
      cut = undefined;
      for (const [from, { to }] of waiting) from.pipe(to);
    },
    async close() {
      for (const from of ways.keys()) from.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
