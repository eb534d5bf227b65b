// Following approvals
// What `approvals --follow` prints: each approval that comes, each that goes, whatever the engine does.

import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { at, textAt } from "../../../support/engine/json.ts";
import { engineOf } from "../../../support/processes/processes.ts";
import { build, Desk, jsonLines, type Started } from "../../../support/processes/program.ts";

let desk: Desk;
beforeAll(() => build(), 180_000);
beforeEach(() => (desk = new Desk()));
afterEach(() => desk.clear());

async function emit(type: string, data: object, subject = "shop/s1"): Promise<void> {
  const { err } = await desk.emit(type, data, subject);
  expect(err).toBe("");
}

const ask = (approvalId: string, command: string): Promise<void> =>
  emit("approval.requested", { approvalId, tool: "Bash", input: { command } }, `shop/s-${approvalId}`);

const changesIn = ({ out }: Started): readonly string[] =>
  jsonLines(out.slice(0, out.lastIndexOf("\n") + 1)).map((line) =>
    [textAt(line, "change"), textAt(line, "id"), textAt(line, "state")].join(" "),
  );

describe("approvals --follow", () => {
  it("WAITING-FOLLOW-1: pending approvals are listed, new ones shown whole, each end with who answered; Ctrl-C ends it with 0", async () => {
    await desk.up();
    await ask("a-old", "ls");
    const following = desk.start(["approvals", "--follow"]);
    await following.said(/deny a-old/);
    await following.said(/Following the approvals/);
    const started = { cwd: "/home/dev/shop", title: "Fix the cart", branch: "main" };
    await emit("session.started", started);
    const call = { tool: "Bash", requestId: "r1", input: { command: "make\u202e deploy" } };
    await emit("request.created", { requestId: "r1" });
    const intent = { text: "Ship it", source: "description", confidence: "likely" };
    await emit("tool.announced", { ...call, toolUseId: "t1", messageId: "m", intent });
    await emit("tool.announced", { ...call, toolUseId: "t2", messageId: "m", input: { command: "c2" } });
    await emit("approval.requested", { ...call, toolUseId: "t1", approvalId: "a-new" });
    await following.said(/deny a-new/);
    await desk.run(["deny", "a-new", "-m", "not today"]);
    await following.said(/denied by/);
    await emit("approval.withdrawn", { approvalId: "a-old" }, "shop/s-a-old");
    await following.said(/a-old {2}Bash {2}withdrawn/);
    following.child.kill("SIGINT");
    const { code, out, err } = await following.ended;
    expect([code, err.split("\n").length]).toEqual([0, 2]);
    const told = out.slice(out.indexOf("a-new"));
    for (const part of [
      "  session   Fix the cart · /home/dev/shop · main\n",
      "  intent    Ship it (description, likely)\n",
      '"command": "make<U+202E> deploy"',
      "  place     call 1 of 2 of its batch, in order of arrival\n",
      "  deny      ends 2 calls:\n               1  Bash  make<U+202E> deploy\n               2  Bash  c2\n",
      "  answer    npx signalbox approve a-new\n            npx signalbox deny a-new -m TEXT\n",
    ])
      expect(told).toContain(part);
    expect(out).toMatch(/a-new {2}Bash {2}denied by local:\S+ after \d+s: not today\n/);
    expect(out.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
  });

  it("WAITING-FOLLOW-1: --json prints a line per change, with the whole input and its place", async () => {
    await desk.up();
    await ask("a-old", "ls");
    const following = desk.start(["approvals", "--follow", "--json"]);
    await following.said(/waits/);
    await ask("a-new", "x".repeat(40_000));
    await following.said(/asked.*\n/);
    await desk.run(["approve", "a-new"]);
    await following.said(/left.*\n/);
    expect(changesIn(following)).toEqual([
      "waits a-old pending",
      "asked a-new pending",
      "left a-new approved",
    ]);
    const [, asked] = jsonLines(following.out);
    expect(textAt(asked, "input", "command")).toHaveLength(40_000);
    expect(at(asked, "endsOnDeny")).toEqual([]);
  });

  it("WAITING-FOLLOW-1: it goes on after the engine was killed and replaced; what happened meanwhile is told once", async () => {
    const { engine, url } = await desk.up();
    await ask("a-1", "one");
    await ask("a-2", "two");
    const following = desk.start(["approvals", "--follow", "--json"]);
    await following.said(/waits[^]*waits[^]*\n/);
    engine.forget();
    process.kill(engineOf(engine), "SIGKILL");
    await engine.said(/runs again at/);
    await ask("a-3", "three");
    await following.said(/"asked".*a-3/);
    following.child.kill("SIGSTOP");
    engine.child.kill("SIGTERM");
    await engine.ended;
    await desk.up("--port", new URL(url).port);
    await desk.run(["deny", "a-1"]);
    await ask("a-4", "four");
    await ask("a-5", "five");
    await desk.run(["deny", "a-5"]);
    following.child.kill("SIGCONT");
    await following.said(/"left".*a-1[^]*"asked".*a-4|"asked".*a-4[^]*"left".*a-1/);
    await desk.run(["deny", "a-4"]);
    await following.said(/"left".*a-4/);
    expect([...changesIn(following)].sort()).toEqual([
      "asked a-3 pending",
      "asked a-4 pending",
      "left a-1 denied",
      "left a-4 denied",
      "waits a-1 pending",
      "waits a-2 pending",
    ]);
    expect(following.err.match(/connection is lost/g)).toHaveLength(2);
    expect(following.err.match(/answers again/g)).toHaveLength(2);
  });

  it("PROGRAM-1: without an engine it says so at once", async () => {
    const { code, err } = await desk.run(["approvals", "--follow", "--url", "http://127.0.0.1:9"], {
      env: { SIGNALBOX_TOKEN: "x" },
    });
    expect([code, err]).toEqual([1, expect.stringContaining("No engine answers at http://127.0.0.1:9.")]);
  });
});
