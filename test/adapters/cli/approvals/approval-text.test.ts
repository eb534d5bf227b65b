// Approvals in words
// An input as a person reads it, and the pending approvals as lines of a screen.

import { fc, test } from "@fast-check/vitest";
import { describe, expect, it } from "vitest";
import { approvalAnswer, sessionAnswer } from "../../../../adapters/cli/answers.ts";
import { inputLines } from "../../../../adapters/cli/approval/input-text.ts";
import { jsonOf } from "../../../../adapters/cli/approval/text.ts";
import type { ShownApproval } from "../../../../adapters/cli/approval/read.ts";
import { tonedLines } from "../../../../adapters/cli/approval/risk-text.ts";
import { described } from "../../../../adapters/cli/approval/text.ts";
import { WaitingList } from "../../../../adapters/cli/waiting/list.ts";
import { broken, cut, widthOf } from "../../../../adapters/cli/output/width.ts";

/** Texts as tools get them, and texts that try to look like something else. */
const text = fc
  .array(fc.constantFrom("ls", " ", "\n", "漢字", "│ ", "↪ ", '"hash": 1', "a".repeat(30), "  }"))
  .map((parts) => parts.join(""));
const input = fc.dictionary(
  fc.constantFrom("command", "content", "hash"),
  fc.oneof(text, fc.integer(), fc.array(text, { maxLength: 3 })),
);

describe("inputs", () => {
  test.prop([fc.dictionary(fc.string({ unit: fc.constantFrom("a", "b", '"', "\\") }), fc.jsonValue())])(
    "INPUT-TEXT-1: an input without texts of several lines is its JSON",
    (value) => {
      fc.pre(!/\\n|[^\u0020-\u007e]/.test(JSON.stringify(value)));
      expect(JSON.parse(inputLines(value, Infinity).join("\n"))).toEqual(JSON.parse(JSON.stringify(value)));
    },
  );

  test.prop([input, fc.integer({ min: 24, max: 90 })])(
    "INPUT-TEXT-1: nothing is left out within its columns, and whatever is no field begins with a sign of ours",
    (value, columns) => {
      const whole = inputLines(value, Infinity);
      const lines = inputLines(value, columns);
      expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(columns);
      const joined: string[] = [];
      for (const line of lines) {
        const [, piece] = /^\s*↪ ([^]*)$/.exec(line) ?? [];
        if (piece === undefined) joined.push(line);
        else joined.push(`${joined.pop() ?? ""}${piece}`);
      }
      expect(joined).toEqual(whole);
      const written = Object.values(value)
        .flat()
        .filter((each) => typeof each === "string" && each.includes("\n"));
      const shown = whole.flatMap((line) => /^\s+│ ([^]*)$/.exec(line)?.[1] ?? []);
      expect(shown).toEqual(written.flatMap((each) => String(each).split("\n")));
    },
  );

  it("INPUT-TEXT-1, VISIBLE-1: a script stands in its lines, hidden characters shown", () => {
    const value = { content: "set -e\n\u001b[2Krm\u202e x\n", file_path: "/x.sh" };
    expect(inputLines(value, 80)).toEqual([
      "{",
      '  "content":',
      "    │ set -e",
      "    │ ␛[2Krm<U+202E> x",
      "    │ ",
      '  "file_path": "/x.sh"',
      "}",
    ]);
  });
});

describe("widths", () => {
  it.each([
    ["abc", 3],
    ["漢字", 4],
    ["e\u0301", 1],
    ["😀", 2],
    ["␛", 1],
  ])("CLI: %s takes its columns", (text, columns) => {
    expect(widthOf(text)).toBe(columns);
  });

  test.prop([
    fc.string({ unit: fc.constantFrom("a", "漢", "e\u0301", "😀") }),
    fc.integer({ min: 3, max: 20 }),
  ])("CLI: what is cut or broken fits, and pieces are the whole", (text, columns) => {
    expect(widthOf(cut(text, columns))).toBeLessThanOrEqual(columns);
    const pieces = broken(text, columns);
    expect(pieces.join("")).toBe(text);
    for (const piece of pieces) expect(widthOf(piece)).toBeLessThanOrEqual(columns);
  });
});

const NOW = 1_000_000;

function question(id: string, askedAt: number, command: string): ShownApproval {
  const approval = approvalAnswer.parse({
    id,
    workspace: "shop",
    sessionId: "s1",
    requestId: "r1",
    agentId: "main",
    tool: "Bash",
    state: "pending",
    askedAt,
    ambiguous: false,
    candidates: 1,
    channels: ["gateway"],
    onDeadline: "ask",
    onDeny: "none",
    input: { command },
  });
  const session = sessionAnswer.parse({
    id: "s1",
    workspace: "shop",
    state: "waiting_input",
    source: "x",
    title: "购物车的总计",
    cwd: "/home/dev/shop",
    createdAt: 0,
    lastEvent: { type: "x", at: 0 },
    counts: { requests: 1, openRequests: 1, calls: 1, openCalls: 1, pendingApprovals: 1 },
  });
  return { approval, session, parents: [], ends: [] };
}

describe("the waiting list", () => {
  it("WAITING-FOLLOW-1: pending approvals stand most urgent first within half a screen, the rest is counted", () => {
    const list = new WaitingList();
    for (const n of [3, 1, 2, ...Array.from({ length: 20 }, (_, i) => i + 4)])
      list.add(question(`a${n}`, n * 1000, `echo \u001b[2J ${"漢字".repeat(40)}`));
    const frame = list.frame({ columns: 80, rows: 20 }, NOW, false).map(({ text }) => text);
    expect(frame[0]).toBe("23 approvals wait, the oldest for 17m. Ctrl-C ends.");
    expect(frame.slice(1, -1).map((line) => line.split(" ", 1)[0])).toEqual([
      "a1",
      "a2",
      "a3",
      "a4",
      "a5",
      "a6",
      "a7",
      "a8",
    ]);
    expect(frame.at(-1)).toBe("and 15 more");
    expect(frame[1]).toContain("echo ␛[2J");
    expect(frame[1]).toContain("购物车的总计");
    expect(Math.max(...frame.map(widthOf))).toBeLessThan(80);
    list.remove({ workspace: "elsewhere", id: "a1" });
    expect(list.find({ workspace: "shop", id: "a1" })).toBeDefined();
    list.remove({ workspace: "shop", id: "a1" });
    expect(list.find({ workspace: "shop", id: "a1" })).toBeUndefined();
    expect(list.frame({ columns: 80, rows: 20 }, NOW, true).slice(0, 2)).toEqual([
      { text: "The connection is lost. Trying again." },
      { text: "22 approvals wait, the oldest for 17m. Ctrl-C ends." },
    ]);
  });

  it("WAITING-FOLLOW-1: when nothing is pending it says so", () => {
    expect(new WaitingList().frame({ columns: 80, rows: 20 }, NOW, false)).toEqual([
      { text: "Nothing waits for an answer. Ctrl-C ends." },
    ]);
  });
});

describe("risks", () => {
  const risky = (command: string): ShownApproval => question("a1", 0, command);
  const told = (command: string): readonly string[] =>
    described(risky(command), { now: NOW, columns: 200 })
      .split("\n")
      .filter((line) => /^ {2}(?:risk|input) /.test(line));

  it("RISKS-1, RISKS-3: an approval has its marks above its input, with the reason and what shows them", () => {
    const lines = told(`npm run build${" ".repeat(90)}&& rm -rf ../assets`);
    expect(lines[0]).toBe(
      "  risk      ! Stands behind a gap. This part is so far from the rest of the text that a person may overlook it. && rm -rf ../assets",
    );
    expect(lines[1]).toBe(
      "  risk      ! Deletes folders. Nobody can restore what the command deletes. rm -rf",
    );
    expect(lines.at(-1)).toMatch(/^ {2}input /);
    expect(told("cat week\u202etxt.sj")[0]).toContain("Characters that do not show");
    expect(told("cat week\u202etxt.sj").join("\n")).not.toContain("\u202e");
    expect(told("npm test")).toHaveLength(1);
  });

  it("RISKS-1, URGENCY-1: the list at the bottom of a screen has what is grave first, with a sign and in colour", () => {
    const list = new WaitingList();
    list.add(question("a2", 0, "npm test"));
    list.add(question("a1", 1, "git push --force"));
    const [head, grave, plain] = list.frame({ columns: 120, rows: 20 }, 60_000, false);
    expect(head?.text).toContain("the oldest for 60s.");
    expect(grave).toEqual({ text: expect.stringContaining("! git push --force") as string, tone: "bad" });
    expect(plain?.text).not.toContain("!");
    expect(plain?.tone).toBeUndefined();
  });

  it("RISKS-1: of a description only the lines with a mark have a colour", () => {
    const text = described(risky("sudo ls"), { now: NOW, columns: 200 });
    const toned = tonedLines(text);
    expect(toned.map((line) => line.text).join("\n")).toBe(text);
    expect(toned.filter(({ tone }) => tone).map(({ text, tone }) => [text.slice(0, 15), tone])).toEqual([
      ["  risk      ! R", "bad"],
    ]);
  });

  it("RISKS-1: as JSON it has its marks, too", () => {
    expect(jsonOf(risky("sudo ls"))).toMatchObject({
      risks: [{ id: "sudo", level: "high", label: "Runs as another user", found: "sudo" }],
    });
  });
});
