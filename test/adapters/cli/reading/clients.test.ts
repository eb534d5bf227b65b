// CLI: clients
// Which program a session runs in, on the command line, whatever it calls itself.

import { afterAll, beforeAll, expect, it } from "vitest";
import { at, textAt } from "../../../support/engine/json.ts";
import { build, Desk, jsonLines } from "../../../support/processes/program.ts";

const CLIENT = "Evil\u001b[31m 1.0\u202e\n2.0";

let desk: Desk;
beforeAll(async () => {
  await build();
  desk = new Desk();
  await desk.up();
  const call = { requestId: "r1", tool: "Bash", toolUseId: "t1", input: { command: "ls" } };
  for (const [type, data] of [
    ["session.started", { client: CLIENT }] as const,
    ["request.created", { requestId: "r1" }] as const,
    ["approval.requested", { ...call, approvalId: "a1" }] as const,
  ])
    expect((await desk.emit(type, data, "w1/chat")).out).toMatch(/^applied/);
}, 180_000);
afterAll(() => desk.clear());

it("S1.48, VISIBLE-1: sessions and approvals tell their client, with hidden characters shown, and JSON unchanged", async () => {
  const shown = "Evil␛[31m 1.0<U+202E>␊2.0";
  const texts = await Promise.all([["ls"], ["approvals"], ["show", "chat"]].map((args) => desk.run(args)));
  for (const { out } of texts) {
    expect(out.replaceAll("\n2.0", "␊2.0")).toContain(shown);
    expect(out).not.toMatch(/[\u001b\u202e]/);
  }
  const json = async (...args: readonly string[]) => jsonLines((await desk.run([...args, "--json"])).out)[0];
  expect(textAt(await json("ls"), "client")).toBe(CLIENT);
  expect(textAt(await json("show", "chat"), "client")).toBe(CLIENT);
  expect(textAt(await json("export", "chat"), "client")).toBe(CLIENT);
  expect(at(await json("approvals"), "session", "client")).toBe(CLIENT);
});
