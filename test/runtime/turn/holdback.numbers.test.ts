// Hold-back, case by case: numbers repeated, late, counted anew, given up on, in a removed session, in rows of builds
// before 0.1.0.

import { describe, expect, it } from "vitest";
import type { Reply } from "../../../runtime/turn/turn-result.ts";
import { MemoryJournal } from "../../../adapters/memory/index.ts";
import { digestId } from "../../../runtime/foreign-id.ts";
import { RefusedError } from "../../../runtime/errors/errors.ts";
import type { SourceMessage } from "../../../runtime/message.ts";
import { DAY_MS, HOUR_MS, Rig, type RigOptions, START_MS, translate } from "../../support/engine/rig.ts";
import { call, said } from "../../support/sessions/said.ts";

const SECOND_MS = 1_000;

/** Announces a call of this id, under a number. */
const say = async (rig: Rig, sequence: number, id = `c${sequence}`, source = "gateway"): Promise<Reply> =>
  (await rig.submit("s1", [said.announced(call(id))], { id, source, sequence })).settled;

/** Ids of calls in the order they were entered. */
const entered = (rig: Rig): readonly string[] =>
  rig
    .log()
    .filter(({ entity, to }) => entity === "toolcall" && to === "created")
    .map(({ id }) => id);

const rejections = (rig: Rig): readonly { what: string; reason: string }[] =>
  (rig.row("ledger/w/s1") as { rejections: { what: string; reason: string }[] } | undefined)?.rejections ??
  [];

const gaps = (rig: Rig): readonly string[] =>
  rejections(rig).flatMap(({ what, reason }) => (what === "gap" ? [reason.replace(/^.*: /, "")] : []));

const waitsFor = (n: number): object => ({ outcome: "held", waitsFor: n });
const applied = { outcome: "applied" };

describe("G13: numbers other than 1, 2, 3", () => {
  it("G13, I-23: two waiting events with one number are both applied, in the order they came, and the next number never goes back", async () => {
    const rig = await Rig.start();
    expect(await say(rig, 1)).toMatchObject(applied);
    expect(await say(rig, 3, "a")).toMatchObject(waitsFor(2));
    expect(await say(rig, 3, "b")).toMatchObject(waitsFor(2));
    for (const n of [2, 4, 5, 6, 7, 8]) expect(await say(rig, n)).toMatchObject(applied);
    expect(entered(rig)).toEqual(["c1", "c2", "a", "b", "c4", "c5", "c6", "c7", "c8"]);
    await rig.pass(33 * SECOND_MS, SECOND_MS);
    for (const n of [9, 10]) expect(await say(rig, n)).toMatchObject(applied);
    expect(rejections(rig)).toEqual([]);
    expect(rig.rows("held/").size).toBe(0);
  });

  it("G13: a second event with an applied number is applied at once; the same event again is a repeat", async () => {
    const rig = await Rig.start();
    for (const n of [1, 2]) await say(rig, n);
    expect(await say(rig, 1, "again")).toMatchObject(applied);
    expect(await say(rig, 4, "waits")).toMatchObject(waitsFor(3));
    expect(await say(rig, 4, "waits")).toMatchObject({ outcome: "duplicate" });
    await say(rig, 3);
    expect(entered(rig)).toEqual(["c1", "c2", "again", "c3", "waits"]);
  });

  it("G13: a missing number that comes after the wait for it ended is applied at once, and the next number stays", async () => {
    const rig = await Rig.start();
    for (const n of [1, 3, 6]) await say(rig, n);
    await rig.pass(31 * SECOND_MS, SECOND_MS);
    expect(gaps(rig)).toEqual(["2 of gateway, 4–5 of gateway"]);
    expect(await say(rig, 2)).toMatchObject(applied);
    expect(await say(rig, 5)).toMatchObject(applied);
    expect(await say(rig, 8)).toMatchObject(waitsFor(7));
    await say(rig, 7);
    expect(entered(rig)).toEqual(["c1", "c3", "c6", "c2", "c5", "c7", "c8"]);
    expect(gaps(rig)).toHaveLength(1);
  });

  it("G13: a source that begins at 5 waits for 1 to 4; one that counts anew is late until it passes its old numbers", async () => {
    const rig = await Rig.start();
    expect(await say(rig, 5)).toMatchObject(waitsFor(1));
    await rig.pass(30 * SECOND_MS, SECOND_MS);
    expect(gaps(rig)).toEqual(["1–4 of gateway"]);
    for (const n of [0, 1, 2]) expect(await say(rig, n, `anew${n}`)).toMatchObject(applied);
    expect(await say(rig, 7)).toMatchObject(waitsFor(6));
    await say(rig, 6, "anew6");
    expect(entered(rig)).toEqual(["c5", "anew0", "anew1", "anew2", "anew6", "c7"]);
  });

  it("G13: each message waits its own 30 s: a later gap is not given up on together with an earlier one", async () => {
    const rig = await Rig.start();
    await say(rig, 3);
    await rig.pass(29 * SECOND_MS, SECOND_MS);
    await say(rig, 6);
    await rig.pass(SECOND_MS, SECOND_MS);
    expect(gaps(rig)).toEqual(["1–2 of gateway"]);
    for (const n of [5, 4]) await say(rig, n);
    expect(entered(rig)).toEqual(["c3", "c4", "c5", "c6"]);
    await rig.pass(60 * SECOND_MS, SECOND_MS);
    expect(gaps(rig)).toHaveLength(1);
  });

  it("G13: the largest number ends its line; what comes after is applied at once", async () => {
    const rig = await Rig.start();
    await say(rig, 2 ** 53 - 1);
    await rig.pass(30 * SECOND_MS, SECOND_MS);
    expect(gaps(rig)).toEqual([`1–${2 ** 53 - 2} of gateway`]);
    for (const n of [2, 1]) expect(await say(rig, n)).toMatchObject(applied);
    expect(entered(rig)).toHaveLength(3);
  });

  it.each([1.5, -1, 2 ** 53, "1", null])(
    "G13: an entry whose number is %j is a dead letter, and waits for nothing",
    async (sequence) => {
      const rig = await Rig.start();
      const body = { ...rig.message("s1", [said.announced(call("c1"))]), sequence };
      const journal = new MemoryJournal(rig.disk, rig.clock);
      await journal.open(undefined);
      await journal.append([JSON.stringify(body)]);
      await rig.quiet();
      expect(rig.row("dead/0000000000000001")).toMatchObject({ code: "NOT_A_MESSAGE", path: "sequence" });
      expect(rig.rows("held/").size).toBe(0);
    },
  );
});

describe("I-37: waiting is bounded", () => {
  const large = async (rig: Rig, sequence: number, kib: number, source = "gateway"): Promise<Reply> => {
    const id = `${source}${sequence}`;
    const input = said.announced(call(id, "Write", { text: "x".repeat(kib * 1024) }));
    return (await rig.submit("s1", [input], { id, source, sequence })).settled;
  };

  it("G13, I-37: beyond 1 MiB the source with the most stops waiting, others go on; a message larger than that does not wait at all", async () => {
    const rig = await Rig.start();
    await large(rig, 2, 300, "small");
    for (const n of [2, 4]) expect(await large(rig, n, 300)).toMatchObject(waitsFor(1));
    expect(await large(rig, 6, 300)).toMatchObject(waitsFor(3));
    expect(entered(rig)).toEqual(["gateway2"]);
    expect(gaps(rig)).toEqual(["1 of gateway"]);
    expect(await large(rig, 8, 1_100)).toMatchObject(applied);
    expect(entered(rig)).toEqual(["gateway2", "gateway4", "gateway6", "gateway8"]);
    expect(gaps(rig)).toEqual(["1 of gateway", "3 of gateway, 5 of gateway, 7 of gateway"]);
    const held = [...rig.rows("held/").values()].reduce((bytes, text) => bytes + Buffer.byteLength(text), 0);
    expect([held > 0, held <= 1024 ** 2, rig.rows("held/").size]).toEqual([true, true, 1]);
    await large(rig, 1, 1, "small");
    expect(entered(rig).slice(4)).toEqual(["small1", "small2"]);
  });

  it("G13, I-34: further messages do not postpone the end of the wait", async () => {
    const rig = await Rig.start();
    await say(rig, 3);
    const alarm = rig.row("alarm/w/s1/holdback");
    for (const n of [5, 7, 9]) await say(rig, n);
    await say(rig, 2, "other", "bot");
    expect(rig.row("alarm/w/s1/holdback")).toEqual(alarm);
    expect(alarm).toMatchObject({ at: START_MS + 30 * SECOND_MS, generation: 1 });
  });
});

describe("G13: waiting messages are kept", () => {
  /** A session that ended almost a day ago; its removal is due in a second. */
  async function ended(options: RigOptions = {}): Promise<Rig> {
    const rig = await Rig.start(options);
    await rig.tell("s1", said.sessionStart());
    await say(rig, 1);
    await rig.tell("s1", said.sessionEnd());
    await rig.pass(2 * DAY_MS - SECOND_MS, HOUR_MS);
    return rig;
  }

  it("G13, G1: a session is not removed before its waiting messages are applied; if one of them is work, the session stays", async () => {
    const rig = await ended();
    expect(rig.state("s1")).toBe("ended");
    await say(rig, 3, "waits");
    await rig.pass(2 * SECOND_MS, SECOND_MS);
    expect(entered(rig)).toEqual(["c1", "waits"]);
    expect(gaps(rig)).toEqual(["2 of gateway"]);
    expect(rig.state("s1/call/waits")).toBeDefined();
    expect(rig.defects).toEqual([]);
  });

  it("G13, S1.51: the sources of a removed session go on counting where they were, until its ids are forgotten", async () => {
    const rig = await ended();
    await rig.pass(DAY_MS, HOUR_MS);
    expect(rig.state("s1")).toBeUndefined();
    expect(await say(rig, 2)).toMatchObject(applied);
    await rig.tell("s1", said.sessionEnd());
    await rig.pass(12 * DAY_MS, 6 * HOUR_MS);
    expect([...rig.rows("seen/").keys(), ...rig.rows("holdback/").keys()]).toEqual([]);
    expect(await say(rig, 3, "afresh")).toMatchObject(waitsFor(1));
  });

  it("G13: rows of builds before 0.1.0 are carried on; a number that it kept twice has one message", async () => {
    const old = await Rig.start();
    for (const n of [1, 3, 5]) await say(old, n);
    await old.engine.stop();
    const source = digestId("q_", ["gateway"]);
    for (const [key, text] of old.rows("held/")) {
      old.disk.rows.delete(key);
      old.disk.rows.set(key.slice(0, key.lastIndexOf("/")), text);
    }
    for (const key of old.rows("holdback/").keys()) old.disk.rows.delete(key);
    const line = { next: 2, held: [3, 3, 5], since: START_MS };
    old.disk.rows.set("holdback/w/s1", JSON.stringify({ [source]: line }));
    const rig = await old.restart();
    expect(await say(rig, 2)).toMatchObject(applied);
    await rig.pass(31 * SECOND_MS, SECOND_MS);
    expect(entered(rig)).toEqual(["c1", "c2", "c3", "c5"]);
    expect(gaps(rig)).toEqual(["4 of gateway"]);
    expect(rig.rows("held/").size).toBe(0);
  });

  it("G13, G9: a waiting message that can no longer be understood is a dead letter; the message that released it is applied", async () => {
    let isNewer = false;
    const rig = await Rig.start({
      translate: (message: SourceMessage) => {
        if (isNewer && message.id === "c2") throw new RefusedError("BAD_SHAPE", "It is no longer so.", "-");
        return translate(message);
      },
    });
    await say(rig, 2);
    isNewer = true;
    expect(await say(rig, 1)).toMatchObject(applied);
    expect(entered(rig)).toEqual(["c1"]);
    expect(rig.row("dead/0000000000000001")).toMatchObject({ code: "BAD_SHAPE", position: rig.disk.tail });
    expect(await say(rig, 3)).toMatchObject(applied);
  });

  it("G13: a sender whose message ends the wait of others is told about its own message only", async () => {
    const rig = await Rig.start();
    const finish = async (sequence: number, id: string): Promise<Reply> =>
      (await rig.submit("s1", [said.completed(id)], { source: "gateway", sequence })).settled;
    await finish(2, "nobody");
    expect(await say(rig, 1)).toEqual(expect.not.objectContaining({ reason: expect.anything() as unknown }));
    await say(rig, 4, "ok");
    expect(await finish(3, "nobody")).toMatchObject({ outcome: "rejected" });
    expect(entered(rig)).toEqual(["c1", "ok"]);
    expect(rejections(rig)).toHaveLength(2);
  });
});
