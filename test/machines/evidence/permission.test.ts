// Permission
// Who is behind a client's word that a call was allowed, and which alarms follow.

import { describe, expect, test } from "vitest";
import { childAddress, type Input } from "../../../machines/index.ts";
import { isPersons, kept, type Permission } from "../../../machines/evidence/permission.ts";
import { alarmIn } from "../../../runtime/rows/views.ts";
import { beginning, inputOf } from "../../support/machines/evidence.ts";
import { none, call, started } from "../../support/sessions/asking.ts";
import type { SessionRun } from "../../support/sessions/session-run.ts";

const RULE: Permission = { decision: "accept", source: "user_permanent", reason: "rule" };
const ONCE: Permission = { decision: "accept", source: "user_temporary", reason: "bashMiss:no-rule-match" };
const ALWAYS: Permission = { decision: "accept", source: "user_permanent" };
const BARE: Permission = { decision: "accept", source: "user_permanent", bare: true };

const said = (permission: Permission): Input => ({
  type: "tool.permission",
  call: { toolUseId: "t1" },
  ...permission,
});
const alarm = (run: SessionRun): string | undefined => {
  const found = run.snapshot(childAddress(run.home, "call", "t1"));
  const raised = found && alarmIn(found);
  return raised && `${raised.kind} ${raised.because}`;
};

/** A call that ran where the client asks a gate of ours before it asks a person. */
function ran(words: readonly Permission[]): string | undefined {
  const ls = call("ls", "t1");
  const run = none().tell(started(ls), { type: "tool.finished", call: ls, output: "", gated: "permission" });
  return alarm(run.tell(...words.map(said)));
}

describe("a rule", () => {
  test("PERMISSION-1, C7: is no person, whosever settings it stands in: no gate was to be asked about its call", () => {
    expect(isPersons(RULE)).toBe(false);
    const others = ["subcommandResults", "mode", "classifier"].map((reason) => ({ ...RULE, reason }));
    const ofSession: Permission = { ...RULE, source: "user_temporary" };
    for (const each of [RULE, ofSession, ...others]) expect(ran([each])).toBeUndefined();
    expect(ran([ONCE])).toBe("gateFailedOpen never-asked");
    expect(ran([ALWAYS])).toBe("gateFailedOpen never-asked");
  });

  test("PERMISSION-1, ALARM-2: does not excuse a call that ran though it was denied here", () => {
    const run = none().tell(
      ...beginning({ closes: "deny", answer: "deny", evidence: [] }),
      inputOf("ran on asked"),
    );
    expect(alarm(run.tell(said(RULE)))).toBe("executedAfterDenial denied");
    expect(alarm(run.tell(said(BARE)))).toBe("executedAfterDenial denied");
    expect(alarm(run.tell(said(ONCE)))).toBeUndefined();
  });
});

describe("a bare word", () => {
  test("PERMISSION-2: does not prove that a person was asked", () => {
    expect(ran([BARE])).toBeUndefined();
    expect(ran([{ ...BARE, source: "user_temporary" }])).toBeUndefined();
  });

  test("PERMISSION-3: does not take the place of a whole one that decides alike", () => {
    for (const whole of [RULE, ONCE]) {
      expect(kept(whole, BARE)).toBe(whole);
      expect(kept(BARE, whole)).toBe(whole);
      expect(ran([whole, BARE])).toBe(ran([BARE, whole]));
    }
    const reject: Permission = { decision: "reject", source: "user_reject", bare: true };
    expect(kept(ONCE, reject)).toBe(reject);
  });
});
