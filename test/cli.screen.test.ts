// Screen
// What a person sees who follows sessions on a real terminal.

import { spawnSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { build, Desk, type Started } from "./support/program.ts";
import { type Screen, screenOf } from "./support/screen.ts";

let desk: Desk;
beforeAll(() => build(), 180_000);
beforeEach(() => (desk = new Desk()));
afterEach(() => desk.clear());

/** The `script` of util-linux gives a program a terminal; the one of BSD has other options. */
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

async function emit(type: string, data: object): Promise<void> {
  const { err } = await desk.run(["emit", type, "--subject", "shop/s1", "--data", JSON.stringify(data)]);
  expect(err).toBe("");
}

describe.runIf(hasTerminal)("watch on a terminal", () => {
  it("CLI: the board stands there once, within its columns, without control characters, and a question rings", async () => {
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
    const isAsked = ({ lines }: Screen): boolean => lines.some((line) => line.startsWith("waiting_input"));
    const screen = await shown(loud, (screen) => isAsked(screen) && screen.bells > 0);
    expect(screen.bells).toBe(1);
    expect(screen.lines[0]).toBe("1 session");
    const calls = screen.lines.filter((line) => line.includes("Bash"));
    expect(calls).toEqual([expect.stringMatching(/^ {4}\w+ +Bash {2}echo ␛\[2J␇long /)]);
    expect(screen.lines.length).toBeLessThanOrEqual(12);
    expect(Math.max(...screen.lines.map((line) => line.length))).toBeLessThan(60);
    expect((await shown(quiet, isAsked)).bells).toBe(0);
  });
});
