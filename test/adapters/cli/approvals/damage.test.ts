// Damaged inputs at the terminal
// An approval whose input does not fit its hash: listed as damaged, approved by nobody, denied like any other.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build, Desk, type Ended, jsonLines } from "../../../support/processes/program.ts";
import { event, serve, type Served, TOKEN } from "../../../support/http/served.ts";

let desk: Desk;
let served: Served;
beforeAll(async () => {
  await build();
  desk = new Desk();
  served = await serve();
  const about = { tool: "Bash", toolUseId: "t1", input: { command: "rm -r b" } };
  for (const [type, data] of [
    ["tool.started", about],
    ["approval.requested", { ...about, approvalId: "a1" }],
  ] as const)
    expect((await served.post("/v1/events", event(type, data))).status).toBe(200);
  for (const key of ["actor/shop/s1/approval/a1", "actor/shop/s1/call/t1"]) {
    const row = served.disk.rows.get(key) ?? "";
    expect(row).toContain("rm -r b");
    served.disk.rows.set(key, row.replace("rm -r b", "rm -r c"));
  }
}, 180_000);
afterAll(async () => {
  await served.stop();
  await desk.clear();
});

const run = (...args: readonly string[]): Promise<Ended> =>
  desk.run(args, { env: { SIGNALBOX_URL: served.url, SIGNALBOX_TOKEN: TOKEN } });

describe("G22: an input that is damaged", () => {
  it("G22: approvals says so, and names only the command that denies", async () => {
    const { out } = await run("approvals");
    expect(out).toMatch(/input {5}\(damaged: .*\n?.*it can only be denied/);
    expect(out).toContain("npx signalbox deny a1");
    expect(out).not.toMatch(/rm -r|signalbox approve/);
    expect((await run("approvals", "--short")).out).toContain("(damaged)");
    expect((await run("ls", "s1")).out).not.toContain("rm -r");
    expect(jsonLines((await run("approvals", "--json")).out)).toMatchObject([{ inputMissing: "damaged" }]);
    const shown = (await run("show", "t1")).out;
    expect(shown).toContain("damaged");
    expect(shown).not.toContain("rm -r");
  });

  it("G22: approve is refused with what to do, in words and in JSON; deny is taken", async () => {
    for (const args of [["a1"], ["a1", "--json"]]) {
      const refused = await run("approve", ...args);
      expect(refused.code).toBe(1);
      expect(refused.err).toMatch(/damaged.*\n?.*Deny the approval/);
      expect(served.queries.getApproval("a1")?.state).toBe("pending");
    }
    expect((await run("deny", "a1")).out).toContain("a1 is denied");
  });
});
