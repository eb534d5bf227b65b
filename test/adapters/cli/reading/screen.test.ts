// Screen
// What a person following sessions sees on a real terminal.

import { spawnSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { widthOf } from "../../../../adapters/cli/output/width.ts";
import { build, Desk, type Started } from "../../../support/processes/program.ts";
import { type Screen, screenOf } from "../../../support/processes/screen.ts";

let desk: Desk;
beforeAll(() => build(), 180_000);
beforeEach(() => (desk = new Desk()));
afterEach(() => desk.clear());

/** The `script` of util-linux gives a program a terminal; BSD's has other options. */
const script = spawnSync("script", ["--version"], { encoding: "utf8" });
const hasTerminal = script.error === undefined && script.stdout.includes("util-linux");
const TERMINAL = ["sh", "-c", 'exec script -qfec "stty cols 60 rows 12; exec $*" /dev/null', "sh"];

async function shown(started: Started, isThere: (screen: Screen) => boolean): Promise<Screen> {
  for (;;) {
    const screen = screenOf(started.out);
    if (isThere(screen)) return screen;
    await sleep(20);
  }
}

/** The last line, ignoring an echoed Ctrl-C. */
const lastOf = ({ lines }: Screen): string =>
  lines.map((line) => line.replace(/^\^C/, "")).findLast((line) => line !== "") ?? "";

async function emit(type: string, data: object): Promise<void> {
  const { err } = await desk.emit(type, data, "shop/s1");
  expect(err).toBe("");
}

describe.runIf(hasTerminal)("watch on a terminal", () => {
  it("CLI: the board is shown once, within its columns, without control characters, and a new approval rings", async () => {
    await desk.up();
    const loud = desk.start(["watch"], { before: TERMINAL, keepInput: true });
    const quiet = desk.start(["watch", "--no-bell"], { before: TERMINAL, keepInput: true });
    for (const watching of [loud, quiet])
      await shown(watching, ({ lines }) => lines[0]?.startsWith("No session is open.") === true);
    await emit("request.created", { requestId: "r1" });
    const input = { command: `echo \u001b[2J\u0007${"long ".repeat(30)}` };
    await emit("tool.started", { tool: "Bash", toolUseId: "t1", requestId: "r1", input });
    await emit("approval.requested", {
      approvalId: "q1",
      tool: "Bash",
      toolUseId: "t1",
      requestId: "r1",
      input,
    });
    const isAsked = ({ lines }: Screen): boolean => lines.some((line) => line.startsWith("Waiting for you"));
    const screen = await shown(loud, (screen) => isAsked(screen) && screen.bells > 0);
    expect(screen.bells).toBe(1);
    expect(screen.lines[0]).toBe("1 session, 1 waiting for you");
    expect(screen.lines).toContainEqual(
      expect.stringMatching(/^ {2}asks \d+s ago \[[A-Z][^\]]+\]: Bash {2}echo ␛\[/),
    );
    const calls = screen.lines.filter((line) => /^ {4}.*Bash/.test(line));
    expect(calls).toEqual([expect.stringMatching(/^ {4}\w+ +Bash {2}echo ␛\[2J␇long /)]);
    expect(screen.lines.length).toBeLessThanOrEqual(12);
    expect(Math.max(...screen.lines.map((line) => line.length))).toBeLessThan(60);
    expect((await shown(quiet, isAsked)).bells).toBe(0);
  });

  it("WAITING-FOLLOW-1: approvals --follow: pending ones stand below the log, a new one rings, and Ctrl-C leaves no stale line", async () => {
    await desk.up();
    const ask = (approvalId: string, command: string): Promise<void> =>
      emit("approval.requested", { approvalId, tool: "Bash", input: { command } });
    await ask("q1", "rm -rf build");
    const loud = desk.start(["approvals", "--follow"], { before: TERMINAL, keepInput: true });
    const quiet = desk.start(["approvals", "--follow", "--no-bell"], { before: TERMINAL, keepInput: true });
    const isLast = (start: string) => (screen: Screen) => lastOf(screen).startsWith(start);
    for (const following of [loud, quiet]) await shown(following, isLast("q1  "));
    const hostile = `echo \u001b[2J\u0007 ${"漢字 ".repeat(20)}`;
    await ask("q2", hostile);
    const screen = await shown(loud, isLast("q2  "));
    expect(screen.bells).toBe(1);
    expect(Math.max(...screen.lines.map(widthOf))).toBeLessThan(60);
    expect(screen.lines.at(-4)).toMatch(/^2 approvals wait, the oldest for \S+\. Ctrl-C ends\.$/);
    const input = screen.lines.slice(screen.lines.findIndex((line) => line.startsWith("q2  ")));
    expect(input.join("").replaceAll(" ".repeat(14) + "↪ ", "")).toContain(
      JSON.stringify(hostile).replaceAll("\u0007", "\\u0007"),
    );
    expect((await shown(quiet, isLast("q2  "))).bells).toBe(0);
    expect((await desk.run(["deny", "q1", "q2"])).code).toBe(0);
    await shown(loud, isLast("Nothing waits for an answer. Ctrl-C ends."));
    loud.child.stdin?.write("\u0003");
    const { code, out } = await loud.ended;
    expect(code).toBe(0);
    expect(lastOf(screenOf(out))).toMatch(/q2 {2}Bash {2}denied by /);
  });
});
