// Configured
// A nats-server with lines of configuration beside its arguments.

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type NatsServer, natsServer } from "./server.ts";

export async function configuredServer(lines: string): Promise<NatsServer> {
  const dir = await mkdtemp(join(tmpdir(), "signalbox-nats-conf-"));
  const file = join(dir, "nats.conf");
  await writeFile(file, `${lines}\n`);
  const server = await natsServer(["-c", file]);
  return {
    ...server,
    async dispose() {
      await server.dispose();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
