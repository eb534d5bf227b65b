// Copies
// Which servers may keep a stream in several copies: on their versions, and on the real server.

import { connect } from "nats";
import { expect, test } from "vitest";
import { clients } from "../../../adapters/composition/clients.ts";
import { copiesRefused } from "../../../adapters/nats/copies.ts";
import { connectNats } from "../../../adapters/nats/index.ts";
import { systemClock } from "../../../adapters/system/index.ts";
import { natsServer } from "../../support/nats/server.ts";

test.each(["2.10.27", "2.10.28", "2.11.0", "2.15.1", "3.0.0", "2.12.8-beta.1"])(
  "COPIES-1: %s may keep copies",
  (version) => expect(copiesRefused(version, 3)).toBeUndefined(),
);

test.each(["2.9.10", "2.10.26", "2.10.3", "1.99.99", "2.10.27-RC.1", "", "unknown"])(
  "COPIES-1: '%s' may keep one copy and no more, and is told why in plain words",
  (version) => {
    expect(copiesRefused(version, 1)).toBeUndefined();
    expect(copiesRefused(version, 3)).toMatchObject({
      code: "NATS_TOO_OLD",
      message: expect.stringMatching(/3 copies.*2\.10\.27.*both be told that they succeeded/) as string,
      next: expect.stringMatching(/every server.*or ask for one copy/) as string,
    });
  },
);

test("COPIES-1, STREAMS-1: an older server is refused before a stream is made; a newer one alone says that it is no cluster", async () => {
  const server = await natsServer();
  const other = await connect({ servers: server.url });
  try {
    const isOld = copiesRefused(other.info?.version ?? "", 3) !== undefined;
    const linked = connectNats({
      url: server.url,
      clients,
      sealKey: new Uint8Array(32),
      clock: systemClock(),
      limits: { replicas: 3 },
      onFatal: () => undefined,
    });
    await expect(linked).rejects.toMatchObject({ code: isOld ? "NATS_TOO_OLD" : "STREAM_REFUSED" });
    const manager = await other.jetstreamManager();
    expect(await manager.streams.names().next()).toEqual([]);
  } finally {
    await other.close();
    await server.dispose();
  }
});
