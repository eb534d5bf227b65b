// Rules at the gate
// The gate's program, answered by a rule: at once, as the rule says, and no more often than it may.

import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { childrenOf } from "../../support/client/claude.ts";
import { at, textAt } from "../../support/engine/json.ts";
import { build, Desk, jsonLines, Started } from "../../support/processes/program.ts";
import { bySocket } from "../../support/http/by-socket.ts";

let desk: Desk;
let gates: Started[];
beforeAll(() => build(), 180_000);
beforeEach(async () => {
  desk = new Desk();
  gates = [];
  expect((await desk.run(["install"])).code).toBe(0);
});
afterEach(async () => {
  for (const { child } of gates) child.kill("SIGKILL");
  await desk.clear();
});

/** A call that the client asks about. @returns what the gate decided: the hook's own `decision`, or `none`. */
async function gate(command: string, timeoutS = 60, cwd = "/home/dev/shop"): Promise<unknown> {
  const args = ["--timeout", String(timeoutS), "--proof", "1", "--workspace", "shop"];
  const child = spawn(join(desk.dir, "data", "hooks", "gate"), args, {
    env: { PATH: process.env["PATH"] },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const started = new Started(child);
  gates.push(started);
  const asked = { hook_event_name: "PermissionRequest", tool_name: "Bash", tool_input: { command } };
  child.stdin.end(JSON.stringify({ session_id: "s1", cwd, ...asked }));
  const { out } = await started.ended;
  return out === "" ? "none" : at(JSON.parse(out), "hookSpecificOutput", "decision");
}

async function rule(...words: readonly string[]): Promise<string> {
  const { code, out, err } = await desk.run(["rules", "add", ...words, "--workspace", "shop", "--json"]);
  expect([code, err]).toEqual([0, ""]);
  return textAt(jsonLines(out)[0], "id") ?? "";
}

describe("the gate, answered by a rule", () => {
  it("I-39: allows at once what a rule allows, and denies what one denies, with the rule's words", async () => {
    await desk.up();
    const id = await rule("allow", "Bash", "--glob", "make *");
    const denial = await rule("deny", "Bash", "--prefix", "make clean", "--note", "ask Ann");
    expect(await gate("make deploy")).toEqual({ behavior: "allow" });
    const denied = await gate("cd x && make clean");
    expect([textAt(denied, "behavior"), textAt(denied, "message")]).toEqual([
      "deny",
      expect.stringMatching(new RegExp(`^Denied by rule ${denial}, made by local:.*: ask Ann$`)),
    ]);
    expect((await desk.run(["approvals"])).out).toBe("Nothing waits for an answer.\n");
    const listed = jsonLines((await desk.run(["rules", "ls", "--json"])).out);
    expect(listed.map((each) => [textAt(each, "id"), at(each, "used")])).toEqual([
      [denial, 1],
      [id, 1],
    ]);
  });

  it("I-39: what a rule does not match waits for a person", async () => {
    await desk.up();
    await rule("allow", "Bash", "--glob", "make *");
    const waiting = gate("make deploy; rm -rf /");
    await desk.run(["deny", await desk.waiting(), "-m", "no"]);
    expect(textAt(await waiting, "message")).toBe("no");
  });

  it("GUARDED-1, GUARDED-2, RULING-5: the engine's own folder and port wait for a person, whatever rules allow", async () => {
    const { url } = await desk.up();
    for (const program of ["cat", "curl", "ls"]) await rule("allow", "Bash", "--prefix", program);
    const [folder, port] = [join(desk.dir, "data"), new URL(url).port];
    expect(await gate("cat a.txt")).toEqual({ behavior: "allow" });
    const asked = [`cat ${folder}/line-key`, `curl http://127.0.0.1:${port}/v1/approvals`, `ls ${desk.dir}`];
    // A path from the session's folder names neither the folder nor the engine.
    const waiting = [...asked.map((command) => gate(command)), gate("cat data/line-key", 60, desk.dir)];
    let ids: readonly string[] = [];
    while (ids.length < waiting.length) {
      const listed = jsonLines((await desk.run(["approvals", "--json"])).out);
      ids = listed.map((each) => textAt(each, "id") ?? "");
    }
    for (const id of ids) await desk.run(["deny", id, "-m", "no"]);
    expect((await Promise.all(waiting)).map((each) => textAt(each, "message"))).toEqual(
      waiting.map(() => "no"),
    );
  });

  it("RULE-ROWS-3, I-52, I-39: a rule with two uses answers twice, however often the engine is killed amid it", async () => {
    const { engine } = await desk.up();
    const id = await rule("allow", "Bash", "--glob", "make *", "--uses", "2");
    const answers: Promise<unknown>[] = [];
    for (const n of [1, 2, 3, 4]) {
      answers.push(gate(`make part-${n}`, 30));
      await sleep(120 * n);
      const before = childrenOf(engine.child.pid ?? 0);
      expect(before).not.toEqual([]);
      for (const pid of before) process.kill(pid, "SIGKILL");
      while ((await desk.run(["rules", "ls", "--json"])).code !== 0) await sleep(50);
    }
    // A gate that no engine heard in time is closed, and took no use: others follow.
    let ended: readonly unknown[] = [];
    for (let n = 5; ended.length === 0; n += 1) {
      answers.push(gate(`make part-${n}`, 30));
      await sleep(500);
      ended = jsonLines((await desk.run(["rules", "ls", "--ended", "--json"])).out);
    }
    expect(ended).toMatchObject([{ id, used: 2, state: "used-up" }]);
    answers.push(gate("make one-more", 30));
    const all = await Promise.all(answers);
    expect(all.filter((each) => textAt(each, "behavior") === "allow").length).toBeLessThanOrEqual(2);
    const ask = bySocket(join(desk.dir, "data"));
    const approved = at(await (await ask("/v1/approvals?state=approved")).json(), "items");
    expect((approved as readonly unknown[]).map((each) => textAt(each, "by"))).toEqual([
      `rule:${id}`,
      `rule:${id}`,
    ]);
  }, 180_000);
});
