// Frame
// What `watch` puts on the screen of sessions that wait, and of more than fit.

import { describe, expect, it, vi } from "vitest";
import { sessionAnswer } from "../../../../adapters/cli/answers.ts";
import { frameOf, type Shown } from "../../../../adapters/cli/watch/frame.ts";
import { processTerminal } from "../../../../adapters/cli/output/terminal.ts";

const NOW = 1_000_000;
const counts = { requests: 1, openRequests: 1, calls: 1, openCalls: 1, pendingApprovals: 0 };

function shown(id: string, state: string, askedAt: readonly number[] = []): Shown {
  const lastEvent = { type: "tool.started", at: NOW };
  const session = sessionAnswer.parse({
    id,
    workspace: "shop",
    state,
    source: "hook",
    createdAt: 0,
    lastEvent,
    counts,
  });
  return {
    session,
    at: NOW,
    asked: askedAt.map((at) => ({ tool: "Bash", gist: `make ${id}`, why: "", askedAt: at, risks: [] })),
    calls: [],
  };
}

const text = (sessions: readonly Shown[], rows: number): readonly string[] =>
  frameOf(sessions, { columns: 80, rows }, NOW).map(({ text }) => text);

describe("frame", () => {
  it("FRAME-1: who waits comes first, the longest wait before the others, in words, with what is asked", () => {
    const sessions = [
      shown("a", "running"),
      shown("b", "running", [900_000]),
      shown("c", "idle"),
      shown("d", "waiting_input", [700_000, 950_000]),
    ];
    expect(text(sessions, 40)).toEqual([
      "4 sessions, 2 waiting for you",
      "",
      "Waiting for you  d  (0s ago)",
      "  asks 5m ago: Bash  make d",
      "  asks 50s ago: Bash  make d",
      "",
      "Waiting for you  b  (0s ago)",
      "  asks 2m ago: Bash  make b",
      "",
      "Running          a  (0s ago)",
      "",
      "Idle             c  (0s ago)",
    ]);
  });

  it("FRAME-1, URGENCY-1: among those that wait a deadline comes first, then what is risky, then what is old", () => {
    const [due, grave, some, old] = ["due", "grave", "some", "old"].map((id, n) =>
      shown(id, "running", [n * 1_000]),
    );
    const at = (each: Shown | undefined, more: object): Shown =>
      ({ ...each, asked: (each?.asked ?? []).map((asked) => ({ ...asked, ...more })) }) as Shown;
    const lines = text(
      [
        at(old, { askedAt: 1 }),
        at(some, { risks: [{ level: "some", label: "Network" }] }),
        at(grave, { risks: [{ level: "high", label: "Deletes" }] }),
        at(due, { deadlineAt: NOW + 60_000 }),
      ],
      40,
    );
    expect(lines.filter((each) => each.startsWith("Waiting")).map((each) => each.split(/\s+/)[3])).toEqual([
      ...["due", "grave", "some", "old"],
    ]);
    expect(lines.filter((each) => each.includes("asks"))).toEqual([
      expect.stringContaining("60s left: Bash"),
      expect.stringContaining("[Deletes]: Bash"),
      expect.stringContaining("[Network]: Bash"),
      expect.stringContaining("ago: Bash"),
    ]);
  });

  it("FRAME-2: the sessions that do not fit are counted, those that wait by name", () => {
    const waiting = Array.from({ length: 5 }, (_, n) => shown(`w${n}`, "waiting_input", [NOW - 1000 * n]));
    const cut = text([...waiting, shown("a", "running")], 10);
    expect(cut).toHaveLength(8);
    expect(cut.at(-1)).toBe("… and 3 more that wait, 1 that does not");
    expect(cut.filter((line) => line.startsWith("Waiting"))).toHaveLength(2);
    expect(text([shown("a", "running"), shown("b", "idle"), shown("c", "idle")], 6)).toEqual([
      "3 sessions",
      "",
      "Running          a  (0s ago)",
      "… and 2 more",
    ]);
    for (let rows = 3; rows < 30; rows += 1) {
      const lines = text(waiting, rows);
      const seen = lines.filter((line) => line.startsWith("Waiting")).length;
      const said = Number(/… and (\d+) more/.exec(lines.at(-1) ?? "")?.[1] ?? 0);
      expect([rows, lines.length <= rows - 2, rows === 3 || seen + said === 5]).toEqual([rows, true, true]);
    }
  });

  it("FRAME-1, TERMINAL-2: a line that waits has a tone; the words alone say the same", () => {
    const tones = frameOf([shown("a", "idle", [NOW])], { columns: 80, rows: 40 }, NOW).map(
      ({ tone }) => tone,
    );
    expect(tones).toEqual(["waiting", undefined, "waiting", "waiting"]);
  });

  it.each([
    ["", true],
    ["1", false],
  ])("TERMINAL-2: with NO_COLOR=%j a drawn line is coloured: %j", (value, isColoured) => {
    const written: string[] = [];
    vi.stubEnv("NO_COLOR", value);
    vi.stubEnv("TERM", "xterm");
    vi.spyOn(process.stdout, "write").mockImplementation((chunk) => written.push(String(chunk)) > 0);
    try {
      processTerminal().draw([{ text: "waits \u001b[2J", tone: "waiting" }]);
    } finally {
      vi.restoreAllMocks();
      vi.unstubAllEnvs();
    }
    expect(written.join("")).toBe(isColoured ? "\u001b[1;33mwaits ␛[2J\u001b[0m\n" : "waits ␛[2J\n");
  });

  it.each([
    [true, "", "\u001b[31ma ␛[2J\u001b[0m\nb\n"],
    [true, "1", "a ␛[2J\nb\n"],
    [false, "", "a ␛[2J\nb\n"],
  ])("TERMINAL-2: on a screen: %j, with NO_COLOR=%j printed lines are %j", (isScreen, noColor, expected) => {
    const written: string[] = [];
    vi.stubEnv("NO_COLOR", noColor);
    vi.stubEnv("TERM", "xterm");
    vi.spyOn(process.stdout, "write").mockImplementation((chunk) => written.push(String(chunk)) > 0);
    const before = process.stdout.isTTY;
    process.stdout.isTTY = isScreen;
    try {
      processTerminal().out([{ text: "a \u001b[2J", tone: "bad" }, { text: "b" }]);
    } finally {
      process.stdout.isTTY = before;
      vi.restoreAllMocks();
      vi.unstubAllEnvs();
    }
    expect(written.join("")).toBe(expected);
  });
});
