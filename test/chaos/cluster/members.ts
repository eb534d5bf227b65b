// Members
// The nats-servers of the cluster, which reach one another over links that can be cut.
//
//   Owns:          starting them, the links between them.
//   Does not own:  the links to them from engines (machines), cutting a link (faults).

import { freePort } from "../../support/http/free-port.ts";
import { type NatsServer, natsServer } from "../../support/nats/server.ts";
import { type Link, link } from "./link.ts";

/** A server, and the links from it to each server by number; none to itself. */
export interface Member {
  readonly server: NatsServer;
  readonly routes: readonly (Link | undefined)[];
  /** What the other servers call it. */
  readonly name: string;
  /** From its next start on it has another name. */
  rename(): void;
}

const CONFIGURATION = new URL("nats.conf", import.meta.url).pathname;

/** Told of no other address, a server reaches the others, and engines a server, over the links alone. */
const memberOf = (name: string, port: number | undefined, routes: string): readonly string[] => [
  ...["-c", CONFIGURATION, "--server_name", name, "--cluster_name", "chaos"],
  ...["--cluster", `nats://127.0.0.1:${port}`, "--routes", routes],
  ...["--cluster_advertise", "127.0.0.1:1", "--no_advertise"],
];

export const addressOf = ({ port }: Link): string => `nats://127.0.0.1:${port}`;

/** @param count of servers; one alone has no routes. */
export async function membersOf(count: number): Promise<readonly Member[]> {
  const numbers = Array.from({ length: count }, (_, n) => n);
  const ports = await Promise.all(numbers.map(() => freePort()));
  const routesFrom = (own: number): Promise<Member["routes"]> =>
    Promise.all(ports.map(async (port, n) => (n === own ? undefined : link(port))));
  const routes = await Promise.all(numbers.map(routesFrom));
  return Promise.all(
    numbers.map(async (n): Promise<Member> => {
      const own = routes[n] ?? [];
      const to = own.flatMap((each) => (each ? [addressOf(each)] : [])).join(",");
      const names = [`n${n}`];
      const name = (): string => names.at(-1) ?? "";
      const server = await natsServer(() => (count === 1 ? [] : memberOf(name(), ports[n], to)));
      return {
        ...{ server, routes: own },
        get name() {
          return name();
        },
        rename: () => void names.push(`n${n}-${names.length}`),
      };
    }),
  );
}
