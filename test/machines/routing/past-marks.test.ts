// Past marks
// Which lines of a transcript are older than the process that writes it.

import { describe, expect, test } from "vitest";
import type { Input } from "../../../machines/index.ts";
import { announced, BEGAN, by, HOOK, LINE, prompt, stop } from "../../support/sessions/history.ts";
import { SessionRun, START } from "../../support/sessions/session-run.ts";

describe("which lines are history", () => {
  const stopAt = (observedAt?: number): Input => (observedAt === undefined ? stop : { ...stop, observedAt });
  const ends = (reason: "fork" | "resume", began: number | undefined, line: Input): string => {
    const run = new SessionRun();
    const begun = {
      type: "session.started",
      reason,
      ...(began !== undefined && { observedAt: began }),
    } as Input;
    for (const input of [begun, prompt("p1", "now")]) run.hear(input, HOOK);
    run.hear(line, LINE);
    return run.requests[0]?.state ?? "";
  };

  test("PAST-MARKS-1: a line is history up to the start of the process, and not from then on", () => {
    for (const reason of ["fork", "resume"] as const) {
      expect(ends(reason, BEGAN, stopAt(BEGAN - 1))).toBe("processing");
      expect(ends(reason, BEGAN, stopAt(BEGAN))).toBe("completed");
    }
  });

  test("PAST-MARKS-1: a fork that came without a time began when the journal heard of it; a resume has no history then", () => {
    expect(ends("fork", undefined, stopAt(BEGAN))).toBe("processing");
    expect(ends("resume", undefined, stopAt(BEGAN))).toBe("completed");
  });

  test("PAST-MARKS-1: a start that claims to be of tomorrow makes no history of today", () => {
    for (const reason of ["fork", "resume"] as const)
      expect(ends(reason, Number.MAX_SAFE_INTEGER, stopAt(START + 10))).toBe("completed");
  });

  test("PAST-MARKS-2: a line that is well older than its prompt is history; the prompt's own is not", () => {
    const endedBy = (observedAt: number): string | undefined => {
      const run = new SessionRun();
      run.hear({ ...prompt("p1", "now"), observedAt: BEGAN } as Input, HOOK);
      run.hear({ ...stop, observedAt }, LINE);
      return run.requests[0]?.state;
    };
    expect([endedBy(BEGAN - 2_001), endedBy(BEGAN - 2_000)]).toEqual(["processing", "completed"]);
  });

  test("PAST-MARKS-2: what a subagent says under an earlier prompt is of the present", () => {
    const run = new SessionRun();
    const hear = (input: object, channel: string): unknown => run.hear(input as Input, channel);
    hear({ ...prompt("p1", "now"), observedAt: BEGAN }, HOOK);
    hear({ type: "agent.started", agentId: "a1" }, HOOK);
    hear({ ...prompt("p2", "more"), observedAt: BEGAN + 60_000 }, HOOK);
    hear({ ...prompt("p2", "more"), observedAt: BEGAN + 60_000 }, LINE);
    hear({ ...by("a1", announced("sub", "make")), observedAt: BEGAN + 30_000 }, LINE);
    hear({ ...by("a1", stop), observedAt: BEGAN + 30_001 }, LINE);
    expect(run.ends).toEqual(["sub missing-post unreported"]);
  });

  test("PAST-MARKS-3: a line without a time is never history", () => {
    expect(ends("fork", BEGAN, stopAt())).toBe("completed");
  });
});
