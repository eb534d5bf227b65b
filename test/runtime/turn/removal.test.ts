// Removal
// How things are removed: piece by piece and completely; what is left of them, and for how long.

import { describe, expect, test } from "vitest";
import type { RequestId } from "../../../machines/index.ts";
import { DEFAULT_CONFIGURATION } from "../../../runtime/config.ts";
import type { Ledger } from "../../../runtime/rows/ledger.ts";
import { DAY_MS, HOUR_MS, Rig, type RigOptions } from "../../support/engine/rig.ts";
import { call, said, unnamed } from "../../support/sessions/said.ts";
import { WrappedStore } from "../../support/faults/wrapped-store.ts";

/** Every key that names the session, except its log. */
const keysOf = (rig: Rig, session: string): readonly string[] =>
  [...rig.rows().keys()].filter((key) => key.includes(`w/${session}`) && !/^(change|audit)\//.test(key));

/** A rig whose store reports how many rows each commit removed, one turn per commit. */
const counting = (deletions: number[]): RigOptions => ({
  groupMax: 1,
  wrapStore: (store) =>
    new WrappedStore(store, (writes, commit) => {
      deletions.push(writes.filter((write) => "del" in write).length);
      return commit();
    }),
});

/** A session that stays open however idle it is, because its requests are what is tested. */
const AWAKE = { configuration: { ...DEFAULT_CONFIGURATION, idleMs: 1_000 * DAY_MS } };

describe("a request", () => {
  test("REMOVAL-1: one with hundreds of calls and approvals is removed piece by piece, each an ordinary turn, and completely", async () => {
    const deletions: number[] = [];
    const rig = await Rig.start({ ...AWAKE, ...counting(deletions) });
    await rig.tell("s1", said.prompt("p1"), said.pre(call("agent", "Agent")));
    const numbers = [...Array(150).keys()];
    for (const n of numbers) await rig.tell("s1", said.pre(call(`c${n}`)), said.post(call(`c${n}`)));
    for (const n of numbers.slice(0, 40))
      await rig.tell(
        "s1",
        said.pre(call(`q${n}`)),
        said.ask(`a${n}`, call(`q${n}`)),
        said.post(call(`q${n}`)),
      );
    await rig.tell("s1", said.post(call("agent", "Agent")), said.stop());
    const asked = () => keysOf(rig, "s1").filter((key) => key.includes("/ask/"));
    expect(asked()).toHaveLength(40);
    deletions.length = 0;
    const before = rig.saidOwn("timer.fired").length;
    await rig.pass(25 * HOUR_MS, 25 * HOUR_MS);
    const actors = 1 + numbers.length + 2 * 40;
    expect(rig.saidOwn("timer.fired").length - before).toBe(Math.floor(actors / 32) + 1);
    expect(Math.max(...deletions)).toBeLessThan(32 * 25);
    expect([...rig.rows("actor/").keys()]).toEqual(["actor/w/s1"]);
    expect(rig.row("actor/w/s1")).toMatchObject({ book: { keptRequests: 0, openRequests: 0, openCalls: 0 } });
    expect([
      ...rig.rows("calls/").keys(),
      ...rig.rows("asked/").keys(),
      ...rig.rows("queue/").keys(),
      ...asked(),
    ]).toEqual([]);
    expect([...rig.rows("owner/").keys()]).toEqual(["owner/session/s1/w"]);
    for (const gone of ["c0", "c149", "q39", "agent"])
      expect(await rig.tell("s1", said.pre(call(gone, gone === "agent" ? "Agent" : "Bash")))).toMatchObject({
        reason: `late: ${gone} was removed`,
      });
    expect(await rig.tell("s1", said.processing("p1"))).toMatchObject({ reason: "late: p1 was removed" });
    await rig.pass(8 * DAY_MS, HOUR_MS);
    expect(keysOf(rig, "s1").filter((key) => /gone|tomb/.test(key))).toEqual([]);
  });
});

describe("a session", () => {
  const ended = async (): Promise<Rig> => {
    const rig = await Rig.start();
    await rig.tell("s1", said.prompt("p1"), said.pre(call("c1")), said.post(call("c1")), said.stop());
    await rig.tell("s1", said.sessionEnd());
    return rig;
  };

  test("TOMBS-3: its count of changes outlives it by 400 days; then nothing of it is left", async () => {
    const rig = await ended();
    await rig.pass(398 * DAY_MS, DAY_MS);
    expect(keysOf(rig, "s1")).toEqual([expect.stringMatching(/^last\//), "ledger/w/s1"]);
    await rig.pass(5 * DAY_MS, DAY_MS);
    expect([...rig.rows().keys()].filter((key) => key.includes("s1") && !key.startsWith("audit/"))).toEqual(
      [],
    );
  });

  test("TOMBS-3: one that came back keeps its count from its newest removal on", async () => {
    const short = { ...DEFAULT_CONFIGURATION, ledgersKeptMs: 20 * DAY_MS };
    const rig = await Rig.start({ configuration: short });
    await rig.tell("s1", said.sessionStart(), said.sessionEnd());
    await rig.pass(15 * DAY_MS, HOUR_MS);
    await rig.tell("s1", said.sessionStart(), said.sessionEnd());
    await rig.pass(15 * DAY_MS, HOUR_MS);
    expect((rig.row("ledger/w/s1") as Ledger).changes?.version).toBe(4);
    await rig.pass(10 * DAY_MS, HOUR_MS);
    expect(keysOf(rig, "s1")).toEqual([]);
  });

  test("REMOVAL-1, TOMBS-1: one with thousands of messages is removed piece by piece, and so are the ids it has seen", async () => {
    const deletions: number[] = [];
    const rig = await Rig.start(counting(deletions));
    // Without ids, each input is counted in a book of its own.
    for (let n = 0; n < 1_200; n += 1) {
      const ref = unnamed("Read", { path: n });
      await rig.submit("s1", n % 2 === 0 ? [said.pre(ref), said.post(ref)] : []);
    }
    await rig.tell("s1", said.stop(), said.sessionEnd());
    await rig.quiet();
    deletions.length = 0;
    await rig.pass(10 * DAY_MS, HOUR_MS);
    expect(Math.max(...deletions)).toBeLessThan(1_100);
    expect(keysOf(rig, "s1").map((key) => key.split("/")[0])).toEqual(["last", "ledger"]);
  });

  test("TOMBS-2: a session that never began leaves nothing either, whatever wrong messages it was sent", async () => {
    const rig = await Rig.start();
    const wrong = { type: "request.completed", requestId: "nobody" as RequestId } as const;
    await rig.tell("s1", wrong);
    const first = rig.clock.now();
    await rig.submit("s1", [wrong], { sequence: 3 });
    await rig.pass(2 * DAY_MS, HOUR_MS);
    await rig.tell("s1", wrong);
    expect([...rig.rows("actor/").keys()]).toEqual([]);
    expect(keysOf(rig, "s1").filter((key) => key.startsWith("tomb/"))).toEqual([
      `tomb/${String(first).padStart(16, "0")}/w/s1/session`,
    ]);
    await rig.pass(6 * DAY_MS, HOUR_MS);
    expect(keysOf(rig, "s1")).toEqual([]);
    // A later message has a tombstone of its own; a session that begins after all is not harmed by it.
    await rig.tell("s1", wrong);
    await rig.tell("s1", said.prompt("p1"));
    await rig.pass(8 * DAY_MS, HOUR_MS);
    expect(rig.changes.map(({ version }) => version)).toEqual(rig.changes.map((_, index) => index + 1));
    expect(rig.defects).toEqual([]);
  });
});
