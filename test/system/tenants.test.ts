// Tenants
// Two workspaces that use the same ids for everything: each ends as if it were alone.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { TurnResult } from "../../runtime/turn/turn-result.ts";
import type { WorkspaceId } from "../../machines/index.ts";
import { keys } from "../../runtime/rows/keys.ts";
import type { Message } from "../../runtime/message.ts";
import { sessions } from "../support/sessions/generate.ts";
import { holds } from "../support/properties/property.ts";
import { Rig } from "../support/engine/rig.ts";
import { call, said as inputs } from "../support/sessions/said.ts";
import { type Session, story } from "../support/sessions/script.ts";
import { ACME, BOLT, interleaved, plain, said } from "../support/sessions/tenants.ts";
import { messagesOf, Turns } from "../support/sessions/turns.ts";

const FILE = "test/system/tenants.test.ts";

/** All rows a workspace has: each names it in its key, but for audit rows. Of a seen input the place is the journal's. */
const rowsOf = (turns: Turns, workspace: WorkspaceId): readonly string[] =>
  [...turns.texts()].flatMap(([key, text]) => {
    if (key.startsWith(keys.audits)) return text.includes(`"${workspace}"`) ? [plain(text, workspace)] : [];
    if (!key.split("/").includes(workspace)) return [];
    return [plain(key.startsWith("seen/") ? key : [key, text], workspace)];
  });

describe("two workspaces with the same ids", () => {
  test("G12, I-38: whatever is said in one, in whatever order, the rows and results of the other are those it has alone", () => {
    let asked = 0;
    const claim = ([first, second, pattern]: readonly [Session, Session, readonly boolean[]]): void => {
      const [ofAcme, ofBolt] = [first, second].map((session) => messagesOf(session)) as [
        Message[],
        Message[],
      ];
      const together = new Turns(first.policy);
      const results: [TurnResult[], TurnResult[]] = [[], []];
      const clocks: [number[], number[]] = [[], []];
      let at = 0;
      for (const [isAcme, message] of interleaved(ofAcme, ofBolt, pattern)) {
        at += 1;
        results[isAcme ? 0 : 1].push(together.apply(said(message, isAcme ? ACME : BOLT), at));
        clocks[isAcme ? 0 : 1].push(at);
      }
      for (const [which, workspace, messages] of [
        [0, ACME, ofAcme],
        [1, BOLT, ofBolt],
      ] as const) {
        const alone = new Turns(first.policy);
        const own = messages.map((message, n) => alone.apply(said(message, workspace), clocks[which][n]));
        expect(rowsOf(together, workspace)).toEqual(rowsOf(alone, workspace));
        expect(plain(results[which], workspace)).toBe(plain(own, workspace));
        asked += own.filter(({ changes }) => changes.some(({ entity }) => entity === "approval")).length;
      }
    };
    const order = fc.array(fc.boolean(), { minLength: 1, maxLength: 7 });
    // The same history twice has every id twice; two of them have many ids in common.
    const twins = sessions(25).map((session): readonly [Session, Session] => [session, session]);
    const pairs = fc.oneof(twins, fc.tuple(sessions(25), sessions(25)));
    const both = fc.tuple(pairs, order).map(([[one, other], pattern]) => [one, other, pattern] as const);
    holds(FILE, 80, both, claim, ([session]) => story(session));
    expect(asked).toBeGreaterThan(50);
  });

  test("G12, I-38: what is removed in one workspace stays in the other", async () => {
    const rig = await Rig.start();
    const tell = async (workspace: WorkspaceId, ...given: Parameters<Rig["tell"]>) => {
      const [session, ...said] = given;
      return (await rig.submit(session, said, { workspace })).settled;
    };
    for (const workspace of [ACME, BOLT])
      await tell(
        workspace,
        "s1",
        inputs.created("r1"),
        inputs.processing("r1"),
        inputs.ask("a1", call("t1")),
      );
    await tell(BOLT, "s1", inputs.completed("r1"), inputs.sessionEnd());
    const before = ownRows(rig, ACME);
    await rig.pass(2 * 24 * 60 * 60_000, 60 * 60_000);
    expect(ownRows(rig, BOLT).filter((key) => /^(actor|owner|list|asked|calls)\//.test(key))).toEqual([]);
    expect(ownRows(rig, ACME).filter((key) => key.startsWith("owner/"))).toEqual(
      before.filter((key) => key.startsWith("owner/")),
    );
    expect(before.filter((key) => key.startsWith("owner/"))).toHaveLength(3);
    expect((await tell(BOLT, "s1", inputs.created("r1"))).reason).toBe("late: r1 was removed");
  });
});

const ownRows = (rig: Rig, workspace: string): readonly string[] =>
  [...rig.rows().keys()].filter((key) => key.split("/").includes(workspace));
