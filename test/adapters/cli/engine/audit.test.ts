// audit
// The commands on a real folder: what was answered is in the log, is proven without it, and any change of it is found.

import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { at, listAt, textAt } from "../../../support/engine/json.ts";
import { deskForAll } from "../../../support/processes/desk-for-all.ts";
import { type Ended, jsonLines } from "../../../support/processes/program.ts";
import { readHead } from "../../../support/tlog/independent.ts";

const desk = deskForAll();
const audit = (...args: readonly string[]): Promise<Ended> => desk.run(["audit", ...args]);
const inFolder = (...path: readonly string[]): string => join(desk.dir, "data", "audit", ...path);
const ask = (approvalId: string): Promise<Ended> =>
  desk.emit("approval.requested", { tool: "Bash", input: { command: "ls" }, approvalId });

describe("signalbox audit", () => {
  it("CLI: where no engine has begun a log, it says so and what to do", async () => {
    for (const action of ["show", "verify", "export", "keys", "attest"]) {
      const { code, err } = await audit(action);
      expect([action, code]).toEqual([action, 1]);
      expect(err).toContain("There is no audit log in");
      expect(err).toContain("npx signalbox up");
    }
  });

  it("CLI, AUDIT-LOG-2, AUDIT-SIDE-2: what was answered is in the log once the engine has stopped, and checkpoints are elsewhere", async () => {
    const copies = join(desk.dir, "checkpoints");
    const { engine } = await desk.up(
      ...["--checkpoint-file", copies],
      ...["--checkpoint-cmd", `printf '%s' "$SIGNALBOX_CHECKPOINT" > '${desk.dir}/posted'`],
    );
    for (const id of ["a1", "a2", "a3"]) await ask(id);
    await desk.run(["approve", "a1"]);
    await desk.run(["deny", "a2", "-m", "not now"]);
    await desk.emit("session.ended", {});
    engine.child.kill("SIGTERM");
    await engine.ended;
    const rows = jsonLines((await audit("show", "--json")).out);
    expect(
      rows.map((row) => [textAt(row, "kind"), textAt(row, "approvalId"), textAt(row, "decision")]),
    ).toEqual([
      ["observed-outcome", "a3", "withdrawn"],
      ["decision", "a2", "deny"],
      ["decision", "a1", "approve"],
      ["log-begun", undefined, undefined],
    ]);
    expect((await audit("show", "--kind", "decision", "--limit", "1")).out).toMatch(
      /^1|^2 +\S+ +decision +deny/m,
    );
    const key = (await audit("keys")).out.trim();
    const posted = readFileSync(join(desk.dir, "posted"), "utf8");
    expect(readHead(posted, key).size).toBe(4);
    const checked = await audit("verify", "--against", copies);
    expect([checked.code, checked.err]).toEqual([0, ""]);
    expect(checked.out).toMatch(
      /^The audit log signalbox\/audit\/\w+ is as .* is right\. It has 4 entries, of which 3 are audit rows\.$/m,
    );
    expect(checked.out).toContain("agrees with 2 checkpoints kept elsewhere");
  });

  it("EXPORTED-2: a denied and an allowed call are proven by the file and the key alone, elsewhere", async () => {
    const [file, proof, statement] = ["range.jsonl", "a1.tlog-proof", "approved.json"].map((name) =>
      join(desk.dir, name),
    );
    const key = join(desk.dir, "log.key");
    writeFileSync(key, (await audit("keys")).out);
    const elsewhere = (path = ""): Promise<Ended> =>
      audit("verify", path, "--key", key, "--data", join(desk.dir, "none"), "--json");
    expect((await audit("export", "--out", file ?? "", "--since", "1d")).code).toBe(0);
    const proven = jsonLines((await elsewhere(file)).out);
    expect(proven.map((row) => textAt(row, "decision"))).toEqual([
      undefined,
      "approve",
      "deny",
      "withdrawn",
      undefined,
    ]);
    expect((await audit("prove", "a1", "--tlog-proof", "--out", proof ?? "")).code).toBe(0);
    expect(jsonLines((await elsewhere(proof)).out)[0]).toMatchObject({
      approvalId: "a1",
      decision: "approve",
    });
    expect((await audit("attest", "--since", "1d", "--out", statement ?? "")).code).toBe(0);
    const [said] = jsonLines((await elsewhere(statement)).out);
    expect(listAt(said, "predicate", "approved")).toMatchObject([{ approvalId: "a1" }]);
    writeFileSync(file ?? "", readFileSync(file ?? "", "utf8").replace("not now", "not yet"));
    expect((await elsewhere(file)).code).toBe(1);
    expect((await audit("prove", "a9")).err).toContain("The audit log has no row about a9.");
  });

  it("AUDIT-VERIFY-2: a file that is checked by its own key alone is told as that", async () => {
    const { code, out } = await audit("prove", "a2");
    expect(code).toBe(0);
    const file = join(desk.dir, "a2.jsonl");
    writeFileSync(file, out);
    const alone = await audit("verify", file, "--data", join(desk.dir, "none"));
    expect(alone.code).toBe(0);
    expect(alone.err).toContain("checked only with the key that it names itself");
  });

  it("CLI, COVERAGE-1: coverage counts the calls that ran, by whose yes", async () => {
    const { engine } = await desk.up();
    await desk.emit(
      "tool.started",
      { toolUseId: "c1", tool: "Bash", input: { command: "make" } },
      "shop/chat-9",
    );
    const [found] = jsonLines((await audit("coverage", "--json")).out);
    expect([at(found, "all", "ran"), at(found, "all", "none")]).toEqual([1, 1]);
    expect((await audit("coverage", "--per", "agent")).out).toMatch(/^chat-9\/\S+ +1 +0 +0 +0 +0 +0 +0 +1$/m);
    engine.child.kill("SIGTERM");
    await engine.ended;
  });

  it("AUDIT-VERIFY-1, AUDIT-SIDE-1: a flipped byte in any file of the log is found, and the command fails", async () => {
    const files = readdirSync(inFolder(), { recursive: true, encoding: "utf8" }).filter((path) =>
      statSync(inFolder(path)).isFile(),
    );
    expect(files).toContain("key");
    for (const path of files) {
      const whole = readFileSync(inFolder(path));
      const flipped = Buffer.from(whole);
      flipped[3] = (flipped[3] ?? 0) ^ 1;
      writeFileSync(inFolder(path), flipped);
      const { code, out, err } = await audit("verify", "--against", join(desk.dir, "checkpoints"));
      expect([path, code]).toEqual([path, 1]);
      expect(`${out}${err}`).not.toMatch(/is right|agrees with/);
      writeFileSync(inFolder(path), whole);
    }
    expect((await audit("verify")).code).toBe(0);
  });
});
