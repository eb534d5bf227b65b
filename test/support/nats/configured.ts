// Configured
// A nats-server with extra lines of configuration.

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type NatsServer, natsServer } from "./server.ts";

export interface ConfiguredServer extends NatsServer {
  /** Restarts the server with other lines. */
  configure(lines: string): Promise<void>;
}

export async function configuredServer(lines: string): Promise<ConfiguredServer> {
  const dir = await mkdtemp(join(tmpdir(), "signalbox-nats-conf-"));
  const file = join(dir, "nats.conf");
  await writeFile(file, `${lines}\n`);
  const server = await natsServer(["-c", file]);
  return {
    ...server,
    async configure(lines) {
      await writeFile(file, `${lines}\n`);
      await server.kill();
      await server.start();
    },
    async dispose() {
      await server.dispose();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
