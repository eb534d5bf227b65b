// Cluster
// Three nats-servers with JetStream that form one cluster, each a process of its own.
//
//   Owns:          their routes and names, waiting until they keep streams together.
//   Does not own:  one server (server.ts), what the cluster is used for.

import { connect } from "nats";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../http/free-port.ts";
import { type NatsServer, natsServer } from "./server.ts";

export interface NatsCluster {
  readonly servers: readonly NatsServer[];
  /** All addresses, with commas between. */
  readonly url: string;
  dispose(): Promise<void>;
}

/** @param more arguments of each server. @returns once the three have chosen a leader, and keep a stream in three copies. */
export async function natsCluster(more: readonly string[] = []): Promise<NatsCluster> {
  const ports = [await freePort(), await freePort(), await freePort()];
  const routes = ports.map((port) => `nats://127.0.0.1:${port}`);
  const servers = await Promise.all(
    routes.map((route, n) =>
      natsServer([
        ...["--server_name", `n${n}`, "--cluster_name", "signalbox"],
        ...["--cluster", route, "--routes", routes.join(",")],
        ...more,
      ]),
    ),
  );
  const url = servers.map((server) => server.url).join(",");
  const connection = await connect({ servers: url.split(",") });
  const probe = { name: "PROBE", subjects: ["probe"], num_replicas: 3 };
  for (let tries = 0; ; tries += 1) {
    try {
      const manager = await connection.jetstreamManager();
      await manager.streams.add(probe);
      await manager.streams.delete(probe.name);
      break;
    } catch (error) {
      if (tries > 300) throw error;
      await sleep(100);
    }
  }
  await connection.close();
  return {
    servers,
    url,
    async dispose() {
      await Promise.all(servers.map((server) => server.dispose()));
    },
  };
}
