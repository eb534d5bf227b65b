// Forget
// A person has a session forgotten from the command line: told first, then done; and what refuses.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { at, listAt } from "../../../support/engine/json.ts";
import { deskWithEngine } from "../../../support/processes/desk-for-all.ts";
import { type Ended, jsonLines } from "../../../support/processes/program.ts";

const desk = deskWithEngine();
const forget = (...args: readonly string[]): Promise<Ended> => desk.run(["forget", ...args]);

describe("forget", () => {
  it("EVIDENCE-FORGET-1, FORGET-DOOR-4: tells what would go, and does it only with --yes", async () => {
    const input = { command: "echo hunter2" };
    await desk.emit(
      "approval.requested",
      { tool: "Bash", input, approvalId: "a1", toolUseId: "t1" },
      "shop/s1",
    );
    const open = await forget("s1", "--yes");
    expect([open.code, open.err]).toEqual([1, expect.stringContaining("s1 cannot be forgotten now: ")]);
    await desk.run(["deny", "a1"]);
    await desk.emit("session.ended", { reason: "other" }, "shop/s1");
    const told = await forget("s1");
    expect(told.code).toBe(0);
    expect(told.out).toMatch(
      /^Would be removed, of the session shop\/s1: \d+ rows of requests, calls and approvals, /,
    );
    expect(told.out).toContain("Nothing was removed. To remove it, add --yes.");
    expect((await desk.run(["show", "a1", "--json"])).code).toBe(0);
    const gone = await forget("s1", "--yes");
    expect(gone.out).toMatch(/^Gone, of the session shop\/s1: \d+ rows of requests, calls and approvals/);
    expect(gone.out).toMatch(
      /still hold data of the session until \d{4}-\d\d-\d\d \d\d:\d\d UTC at the latest/,
    );
    expect((await desk.run(["show", "a1"])).code).toBe(1);
    expect(gone.out).toMatch(/the content of \d+ entries of the audit log/);
    expect((await desk.run(["audit", "verify"])).code).toBe(0);
    const kept = readdirSync(join(desk.dir, "data", "audit"), { recursive: true, withFileTypes: true });
    const files = kept.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name));
    expect(files.length).toBeGreaterThan(3);
    expect(files.filter((file) => readFileSync(file).includes("hunter2"))).toEqual([]);
    const [again] = jsonLines((await forget("s1", "--workspace", "shop", "--yes", "--now", "--json")).out);
    expect(again).toMatchObject({ sessionId: "s1", actors: 0, more: false, forgotten: true });
    expect(await forget("s9")).toMatchObject({ code: 1, out: "" });
  });

  it("FORGET-DOOR-5, BACKUPS-1: it names the backups that hold the session, and none from before", async () => {
    const backUp = async (name: string) => {
      const { code, out } = await desk.run(["backup", join(desk.dir, name), "--no-key"]);
      expect([code, out]).toEqual([0, expect.not.stringContaining("could not be written")]);
    };
    await backUp("before");
    await desk.emit("session.started", { cwd: "/x" }, "shop/s2");
    for (const name of ["during", "after", "during"]) await backUp(name);
    await desk.emit("session.ended", { reason: "other" }, "shop/s2");
    const [told] = jsonLines((await forget("s2", "--json")).out);
    const during = ["after", "during"].map((name) => join(desk.dir, name));
    expect(listAt(told, "backups").map((each) => at(each, "file"))).toEqual(during);
    const { out } = await forget("s2", "--yes");
    for (const file of during) expect(out).toContain(`  ${file}\n`);
    expect(out).not.toContain(join(desk.dir, "before"));
    writeFileSync(join(desk.dir, "data", "backups.json"), "[{}]", { mode: 0o600 });
    const { err } = await forget("s1", "--workspace", "shop");
    expect(err).toContain("is no valid list of backups");
    const { code } = await desk.run(["backup", join(desk.dir, "last"), "--no-key", "--json"]);
    expect([code, readFileSync(join(desk.dir, "data", "backups.json"), "utf8")]).toEqual([0, "[{}]"]);
  });

  it("EVIDENCE-FORGET-1: an agent has nothing forgotten", async () => {
    const refused = await desk.run(["forget", "s1", "--yes"], { env: { CLAUDECODE: "1" } });
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("Forgetting is refused here")]);
  });
});
