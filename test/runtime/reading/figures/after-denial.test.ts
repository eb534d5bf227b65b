// After denial
// What agents did next after a denial, against a script of it.

import fc from "fast-check";
import { expect, test } from "vitest";
import type { ApprovalId, SessionId } from "../../../../machines/index.ts";
import { type AfterDenials, afterDenials } from "../../../../runtime/reading/figures/after-denial.ts";
import { Reader } from "../../../../runtime/reading/reader.ts";
import { Rig, WORKSPACE } from "../../../support/engine/rig.ts";
import { holdsLater } from "../../../support/properties/property.ts";
import { call, said } from "../../../support/sessions/said.ts";

const FILE = "test/runtime/reading/figures/after-denial.test.ts";
const NEXT = ["same", "changed", "other", "none"] as const;

interface Step {
  readonly next: (typeof NEXT)[number];
  /** A subagent makes another call in between. */
  readonly isDistracted: boolean;
  readonly hasMore: boolean;
}

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    next: fc.constantFrom(...NEXT),
    isDistracted: fc.boolean(),
    hasMore: fc.boolean(),
  }),
  { minLength: 1, maxLength: 8 },
);

async function played(rig: Rig, n: number, { next, isDistracted, hasMore }: Step): Promise<void> {
  const session = `s${n}` as SessionId;
  await rig.tell(session, said.prompt(`p${n}`));
  const asked = call(`c${n}`, "Bash", { command: "rm x" });
  // What stood beside it before is nothing that followed.
  await rig.tell(session, said.announced(call(`b${n}`, "Read", {})), said.announced(asked));
  await rig.tell(session, said.ask(`a${n}`, asked));
  rig.clock.advance(10);
  const decision = { approvalId: `a${n}` as ApprovalId, decision: "deny", by: "local:ann" } as const;
  await rig.engine.own(WORKSPACE, session, { type: "decision", ...decision });
  rig.clock.advance(10);
  if (isDistracted) await rig.tell(session, said.agentPre("sub", call(`d${n}`, "Bash", { command: "rm x" })));
  rig.clock.advance(10);
  const made = {
    same: call(`e${n}`, "Bash", { command: "rm x" }),
    changed: call(`e${n}`, "Bash", { command: "rm -f x" }),
    other: call(`e${n}`, "Edit", { command: "rm x" }),
  };
  if (next !== "none") await rig.tell(session, said.announced(made[next]));
  rig.clock.advance(10);
  if (next !== "none" && hasMore) await rig.tell(session, said.announced(call(`f${n}`, "Grep", {})));
}

test("AFTER-DENIAL-1: tells of each denial which call of its agent came next", async () => {
  await holdsLater(FILE, 15, steps, async (all) => {
    const rig = await Rig.start();
    for (const [n, step] of all.entries()) await played(rig, n, step);
    const found = await afterDenials(new Reader(rig.engine.store), { workspace: WORKSPACE, since: 0 });
    const counts = NEXT.map((name) => [name, all.filter(({ next }) => next === name).length]);
    const expected = Object.fromEntries([...counts, ["denials", all.length]]) as AfterDenials;
    expect(found).toEqual(expected);
    const later = { workspace: WORKSPACE, since: rig.clock.now() };
    expect((await afterDenials(new Reader(rig.engine.store), later)).denials).toBe(0);
    await rig.engine.stop();
  });
});
