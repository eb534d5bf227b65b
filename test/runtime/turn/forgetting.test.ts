// Forgetting
// Random sessions are forgotten piece by piece, with kills in between: nothing is left, and a replay does the same.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Address, sessionAddress, type SessionId, type SourceInput } from "../../../machines/index.ts";
import { tracesOf } from "../../../runtime/reading/traces.ts";
import { writeMessage } from "../../../runtime/message.ts";
import { Rig, WORKSPACE } from "../../support/engine/rig.ts";
import { verified } from "../../support/engine/verifying.ts";
import { asked, diedAt, message, tellOwn } from "../../support/faults/poisoned.ts";
import { holdsLater } from "../../support/properties/property.ts";
import { sessions } from "../../support/sessions/generate.ts";
import { story, type Session } from "../../support/sessions/script.ts";
import { call, said } from "../../support/sessions/said.ts";

const FILE = "test/runtime/turn/forgetting.test.ts";
const S1 = "s1" as SessionId;
const HOME = sessionAddress(WORKSPACE, S1);
/** The journal is kept from its first entry on. */
const KEPT = { journalKept: { ms: Infinity, bytes: Infinity } };

const forget = (rig: Rig, rows: readonly string[] = [], session = S1) =>
  rig.engine.own(WORKSPACE, session, { type: "session.forgotten", rows, by: "me" });

/** What names the session, beside what stays of a session that was removed. */
const left = (rig: Rig, home: Address): readonly string[] =>
  [...rig.rows().keys()].filter(
    (key) => key.includes(home) && !/^(seen|book\/.*\/gone|tomb|ledger|last|owner\/session)\b/.test(key),
  );

async function heard(rig: Rig, { steps }: Session): Promise<void> {
  for (const step of steps)
    if ("hear" in step) await rig.submit("s1", [step.hear as SourceInput]).then(({ settled }) => settled);
  await rig.tell("s1", said.sessionEnd());
}

describe("a session that is forgotten", () => {
  test("FORGETTING-1, FORGETTING-2: goes whole, whatever happened in it, with a kill after each piece; a replay does the same", async () => {
    let forgotten = 0;
    const cases = fc.tuple(sessions(25), fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }));
    const claim = async ([session, kills]: [Session, boolean[]]): Promise<void> => {
      let rig = await Rig.start(KEPT);
      await heard(rig, session);
      await rig.tell("s2", said.prompt("p2"), said.ask("a2", call("c2")));
      const others = [...rig.rows()].filter(([key]) => key.includes("w/s2"));
      for (let n = 0; n < 60; n += 1) {
        const { rows, counts } = await tracesOf(rig.engine.store, HOME);
        if (Object.values(counts).every((count) => count === 0)) break;
        const { outcome, code } = await forget(rig, rows);
        if (outcome === "rejected") {
          expect(code).toBe("SESSION_OPEN");
          await rig.engine.stop();
          return;
        }
        if (kills[n % kills.length] !== true) continue;
        rig.kill();
        rig = await rig.restart(KEPT);
      }
      await rig.quiet();
      expect(left(rig, HOME)).toEqual([]);
      expect([...rig.rows()].filter(([key]) => key.includes("w/s2"))).toEqual(others);
      const { differences, rows } = await verified(rig.disk);
      expect([differences, rows.differences]).toEqual([[], []]);
      forgotten += 1;
      await rig.engine.stop();
    };
    await holdsLater(
      FILE,
      40,
      cases,
      claim,
      ([session, kills]) => `${story(session)}\nkills ${String(kills)}`,
    );
    expect(forgotten).toBeGreaterThan(10);
  });

  test("FORGETTING-4: rows of another session, and rows of other kinds, are left as they are", async () => {
    const rig = await Rig.start(KEPT);
    for (const session of ["s1", "s2"]) {
      await rig.tell(session, said.prompt(`${session}-p`), said.ask(`${session}-a`, call(`${session}-c`)));
      await (await rig.submit(session, [], { type: "test.refused" })).settled.catch(() => undefined);
      await rig.engine.own(WORKSPACE, session as SessionId, {
        ...{ type: "decision", approvalId: `${session}-a` as never, decision: "deny", by: "me" },
      });
    }
    await rig.tell("s1", said.sessionEnd());
    const rows = [...rig.rows()];
    const foreign = rows.filter(([key, text]) => !`${key} ${text}`.includes("s1")).map(([key]) => key);
    expect(foreign.some((key) => key.startsWith("audit/"))).toBe(true);
    expect(foreign.some((key) => key.startsWith("dead/"))).toBe(true);
    await forget(rig, [...foreign, "actor/w/s2", "meta", "no/such"]);
    const now = rig.rows();
    const changing = /^(meta|proof|change|seen|ledger\/w\/s1|mark)/;
    expect(foreign.filter((key) => !changing.test(key) && now.get(key) !== new Map(rows).get(key))).toEqual(
      [],
    );
    await rig.engine.stop();
  });

  test("FORGETTING-4, G1: an accepted entry of another session that was set aside stays, whatever its tool input says", async () => {
    const before = await asked();
    await before.tell("s9", said.prompt("p9"));
    await before.tell("s9", said.sessionEnd());
    await before.engine.stop();
    const names = {
      session_id: "s1",
      hook_event_name: "PreToolUse",
      tool_name: "mcp__get",
      tool_use_id: "c9",
    };
    const data = { hook: { ...names, tool_input: { session_id: "s9" } } };
    await diedAt(before, writeMessage({ ...message("s1", "x"), type: "claude-code.hook", data }));
    const rig = await before.restart();
    const kept = (): unknown => [...rig.rows("dead/"), ...rig.rows("buried/")];
    expect(rig.rows("buried/").size).toBe(1);
    const letters = kept();
    const { rows } = await tracesOf(rig.engine.store, sessionAddress(WORKSPACE, "s9" as SessionId));
    expect(rows).toEqual([]);
    for (let n = 0; n < 3; n += 1) await forget(rig, [...rig.rows("dead/").keys()], "s9" as SessionId);
    expect(kept()).toEqual(letters);
    expect(await tellOwn(rig, { type: "retried", letter: 1 })).toMatchObject({ outcome: "applied" });
    await rig.engine.stop();
  });
});
