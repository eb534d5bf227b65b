// CLI, quota
// What `up --quota` accepts and refuses, and that the engine obeys it.

import { join } from "node:path";
import { InvalidArgumentError } from "commander";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { quotaText, readQuota } from "../../../../adapters/cli/settings/quota-text.ts";
import { createEngine } from "../../../../adapters/index.ts";
import { DEFAULT_QUOTA, NO_QUOTA } from "../../../../runtime/quota.ts";
import { build, Desk } from "../../../support/processes/program.ts";
import { bySocket } from "../../../support/http/by-socket.ts";

describe("G14: --quota", () => {
  test.each([
    ["off", NO_QUOTA],
    ["messages=500", { messages: 500 }],
    ["messages=500,bytes=8mb,kept=1gb", { messages: 500, bytes: 8 * 1024 ** 2, kept: 1024 ** 3 }],
    ["bytes=100kb", { bytes: 102_400 }],
    ["kept=12", { kept: 12 }],
    ["bytes=3B,messages=off", { messages: "off", bytes: 3 }],
  ] as const)("CLI, G14: %s is read, and is the same when it is written and read again", (text, quota) => {
    expect(readQuota(text)).toEqual(quota);
    expect(readQuota(quotaText(readQuota(text)))).toEqual(quota);
  });

  test.each([
    ["", "none of messages=…, bytes=…, kept=…"],
    ["on", "none of"],
    ["messages", "none of"],
    ["rows=5", "none of"],
    ["messages=500,messages=600", "messages is there twice"],
    ["messages=0", "not a whole number from 1, or off"],
    ["messages=5kb", "not a whole number from 1, or off"],
    ["messages=-5", "not a whole number"],
    ["bytes=1.5mb", "with b, kb, mb or gb"],
    ["bytes=8 mb", "with b, kb, mb or gb"],
    ["bytes=8tb", "with b, kb, mb or gb"],
    ["kept=999999999999gb", "with b, kb, mb or gb"],
    ["messages=5,", "none of"],
  ])("CLI, G14: %s is turned down, with what is wrong and an example", (text, why) => {
    expect(() => readQuota(text)).toThrow(InvalidArgumentError);
    expect(() => readQuota(text)).toThrow(why);
    expect(() => readQuota(text)).toThrow("--quota messages=500,bytes=8mb,kept=1gb");
  });

  test("G14: createEngine takes the same, and keeps the defaults of the rest", async () => {
    const engine = await createEngine({ quota: { messages: 5 } });
    expect(engine.engine.meta().configuration.quota).toEqual({ ...DEFAULT_QUOTA, messages: 5 });
    await engine.stop();
    const free = await createEngine({ quota: "off" });
    expect(free.engine.meta().configuration.quota).toEqual(NO_QUOTA);
    await free.stop();
  });
});

describe("G14: up --quota", () => {
  let desk: Desk;
  beforeAll(() => build(), 180_000);
  beforeEach(() => (desk = new Desk()));
  afterEach(() => desk.clear());

  test("CLI, G14: the engine that it starts obeys it", async () => {
    await desk.up("--quota", "messages=1");
    const list = Array.from({ length: 1_000 }, (_, n) => ({
      specversion: "1.0",
      id: `e${n}`,
      source: "/test",
      type: "session.started",
      subject: "chat/s1",
      data: {},
    }));
    const post = (body: unknown) =>
      bySocket(join(desk.dir, "data"))("/v1/events", { method: "POST", body: JSON.stringify(body) });
    expect((await post(list)).status).toBe(200);
    const refused = await post(list.slice(0, 500));
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(60);
  });

  test("CLI, G14: a mistake is reported before anything starts", async () => {
    const { code, err } = await desk.run(["up", "--quota", "rows=5"]);
    expect(code).not.toBe(0);
    expect(err).toContain("rows=5");
    expect(err).toContain("--quota messages=500,bytes=8mb,kept=1gb");
  });
});
