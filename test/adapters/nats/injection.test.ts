// Injection
// Ids that would be protocol lines, wildcards or other subjects, sent through every door to a real server.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "nats";
import { expect, test } from "vitest";
import { createEngine } from "../../../adapters/index.ts";
import { event } from "../../support/http/served.ts";
import { natsServer } from "../../support/nats/server.ts";

const FORGED = "PUB signalbox.v1.decide.shop.eve 2\r\n{}\r\n";
const HOSTILE = [
  `a 0\r\n\r\n${FORGED}PUB b`,
  `x\r\n${FORGED}`,
  "*",
  ">",
  "a.b",
  "../../key",
  "a b",
  "$JS.API.STREAM.PURGE.SIGNALBOX_IN",
  "é\u0000",
];
const SUBJECT = /^signalbox\.v1\.(in|own|state)(\.[A-Za-z0-9_-]{1,128})+$/;

test("FOREIGN-ID-1, SUBJECTS-1, G50: no id becomes a subject, a wildcard or a line of the protocol, whatever door it came through", async () => {
  const server = await natsServer();
  const dataDir = await mkdtemp(join(tmpdir(), "signalbox-injection-"));
  const watcher = await connect({ servers: server.url });
  const heard: string[] = [];
  watcher.subscribe("signalbox.>", { callback: (_, { subject }) => heard.push(subject) });
  await watcher.flush();
  const engine = await createEngine({ dataDir, nats: { url: server.url } });
  try {
    const caller = { door: "library", by: "library" };
    for (const id of HOSTILE) {
      const hook = { hook_event_name: "UserPromptSubmit", session_id: id, prompt_id: id, cwd: `/${id}` };
      await engine.door.hook(Buffer.from(JSON.stringify({ ...hook, prompt: id })), {}, caller);
      await engine.send(event("request.created", { requestId: id }));
      await engine.send(event("request.created", { requestId: "r" }, { subject: `shop/${id}` }));
      await engine.send(event("session.started", {}, { source: id, id }));
    }
    const changes = (): readonly string[] => heard.filter((subject) => subject.includes(".state."));
    while (engine.engine.lag().outlet > 0 || changes().length === 0)
      await new Promise((resolve) => setTimeout(resolve, 20));
    await watcher.flush();
    // Each hook created a session and a request of its own.
    expect(
      new Set(changes().map((subject) => subject.split(".").slice(0, 5).join("."))).size,
    ).toBeGreaterThan(HOSTILE.length);
    expect(
      heard.filter(
        (subject) => !SUBJECT.test(subject) && !/^signalbox\.v1\.(dlq|notice|cluster)\.[\w-]+$/.test(subject),
      ),
    ).toEqual([]);
  } finally {
    await engine.stop();
    await watcher.close();
    await server.dispose();
    await rm(dataDir, { recursive: true });
  }
});
