// Audit on NATS
// Where the copies of the audit log's checkpoints go, on a real server, and what is told of those that fail.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "nats";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { natsServer, type NatsServer } from "../../../support/nats/server.ts";
import { build, Desk, jsonLines } from "../../../support/processes/program.ts";
import { textAt } from "../../../support/engine/json.ts";

const desk = new Desk();
let server: NatsServer;
beforeAll(async () => {
  await build();
  server = await natsServer();
}, 180_000);
afterAll(async () => {
  await desk.clear();
  await server.dispose();
});

describe("copies of checkpoints", () => {
  it("AUDIT-SIDE-2, AUDIT-LOG-2: each is published as it stands on the disk; copies that fail are a trouble and stop no other", async () => {
    const copies = ["--checkpoint-file", join(desk.dir, "none", "copies"), "--checkpoint-cmd", "exit 3"];
    const engine = desk.start(["up", "--port", "0", ...copies], {
      env: { SIGNALBOX_NATS_URL: server.url },
    });
    await engine.said(/runs at/);
    const connection = await connect({ servers: server.url });
    const heard: string[] = [];
    connection.subscribe("signalbox.v1.notice.checkpoint", {
      callback: (_, message) => heard.push(message.string()),
    });
    await connection.flush();
    await desk.emit("approval.requested", { tool: "Bash", input: { command: "ls" }, approvalId: "a1" });
    await desk.run(["deny", "a1"]);
    const found = jsonLines((await desk.run(["doctor", "--json"])).out);
    expect(found.map((each) => textAt(each, "code"))).toContain("CHECKPOINTS_STAY");
    engine.child.kill("SIGTERM");
    expect((await engine.ended).code).toBe(0);
    await connection.drain();
    expect(heard.at(-1)).toBe(readFileSync(join(desk.dir, "data", "audit", "log", "checkpoint"), "utf8"));
  });
});
