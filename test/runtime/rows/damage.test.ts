// Damage
// Unreadable entries and broken rows: each harms what it belongs to, and nothing else.

import { describe, expect, test } from "vitest";
import { MemoryJournal } from "../../../adapters/memory/index.ts";
import { Queries } from "../../../runtime/reading/queries.ts";
import { changed, changedBy } from "../../support/properties/changed.ts";
import { messages } from "../../support/sessions/play.ts";
import { recording } from "../../support/sessions/recording.ts";
import { HOUR_MS, MINUTE_MS, Rig, START_MS } from "../../support/engine/rig.ts";
import { call, said } from "../../support/sessions/said.ts";

/** Appends to the journal what no door would accept. */
async function appendRaw(rig: Rig, body: string): Promise<void> {
  const journal = new MemoryJournal(rig.disk, rig.clock);
  await journal.open(undefined);
  await journal.append([body]);
  await rig.quiet();
}

describe("dead letters", () => {
  test.each([
    ["no JSON", "{not json", "NOT_JSON"],
    ["null", "null", "NOT_A_MESSAGE"],
    ["no door", "{}", "NOT_A_MESSAGE"],
    ["an unknown door", '{"door":"window"}', "NOT_A_MESSAGE"],
    ["a source's message without a session", '{"door":"in","workspace":"w"}', "NOT_A_MESSAGE"],
    [
      "a session that is no id",
      '{"door":"in","workspace":"w","session":"a/b","source":"x","id":"1","type":"t"}',
      "NOT_A_MESSAGE",
    ],
    [
      "an id that is no text",
      '{"door":"in","workspace":"w","session":"s1","source":"x","id":1,"type":"t"}',
      "NOT_A_MESSAGE",
    ],
    ["an own message that says nothing", '{"door":"own","workspace":"w","session":"s1"}', "NOT_A_MESSAGE"],
    [
      "an own message of an unknown kind",
      '{"door":"own","workspace":"w","session":"s1","said":{"type":"xstate.stop"}}',
      "NOT_A_MESSAGE",
    ],
  ])("G1: an entry with %s becomes one dead letter with its reason and body", async (_, body, code) => {
    const rig = await Rig.start();
    await rig.tell("s1", said.prompt("p1"));
    const rows = await changedBy(rig, () => appendRaw(rig, body));
    expect(rows).toEqual(["dead/0000000000000001", "meta"]);
    expect(rig.row("dead/0000000000000001")).toMatchObject({ position: rig.disk.tail, code, body });
    expect((await rig.tell("s1", said.pre(call("c1")))).outcome).toBe("applied");
    expect(rig.fatals).toEqual([]);
  });

  test("G1: an input that its translator refuses is a dead letter that names the field", async () => {
    const rig = await Rig.start();
    const { settled } = await rig.submit("s1", [], { type: "test.refused" });
    expect(await settled).toMatchObject({ outcome: "dead" });
    expect(rig.row("dead/0000000000000001")).toMatchObject({ code: "BAD_SHAPE", path: "data.x" });
    expect(rig.defects).toEqual([]);
  });

  test("G9: a translator that breaks makes a dead letter and a defect, and the engine goes on", async () => {
    const rig = await Rig.start();
    const { settled } = await rig.submit("s1", [], { type: "test.broken" });
    expect(await settled).toMatchObject({ outcome: "dead" });
    expect(rig.defects).toHaveLength(1);
    expect((await rig.tell("s1", said.prompt("p1"))).outcome).toBe("applied");
    expect(rig.fatals).toEqual([]);
  });

  test("G1: the keyed sender of a dead letter gets the same answer again, and no second letter", async () => {
    const rig = await Rig.start();
    const first = await (await rig.submit("s1", [], { type: "test.refused", key: "k1" })).settled;
    const again = await (await rig.submit("s1", [], { type: "test.refused", key: "k1" })).settled;
    expect(again).toEqual(first);
    expect(rig.rows("dead/").size).toBe(1);
  });
});

describe("damage", () => {
  const future = (text: string) => JSON.stringify({ ...(JSON.parse(text) as object), version: "99" });
  const regionless = (text: string) =>
    JSON.stringify({ ...(JSON.parse(text) as object), value: { execution: "processing" } });
  const garbage = () => "{";

  test.each([
    ["its session's snapshot", "actor/w/bad", garbage],
    ["a version of its session's snapshot that is not known", "actor/w/bad", future],
    ["its call's snapshot", "actor/w/bad/call/c1", garbage],
    ["a region of its call's snapshot", "actor/w/bad/call/c1", regionless],
    ["a book with a row of its own", "book/w/bad/queue/main/Bash/", garbage],
  ])(
    "G9, ACTORS-3: a session that has lost %s stops alone, after a restart too",
    async (_, wanted, damage) => {
      const rig = await Rig.start();
      for (const session of ["bad", "good"]) {
        await rig.tell(session, said.prompt(`${session}-p`));
        for (const id of ["c1", "c2"]) await rig.tell(session, said.pre(call(id)));
      }
      await rig.engine.stop();
      const [found] = rig.rows(wanted);
      if (found === undefined) throw new Error(`No row ${wanted}`);
      const [key, whole] = found;
      rig.disk.rows.set(key, damage(whole));
      const next = await rig.restart();
      const before = next.rows();
      const bad = await next.tell("bad", said.post(call("c1")));
      expect(bad.outcome).toMatch(/^(rejected|dead)$/);
      expect(next.defects).toHaveLength(1);
      const rows = changed(before, next.rows()).map((row) => row.replace(/^(seen\/w\/bad)\/.*/, "$1"));
      const recorded =
        bad.outcome === "dead"
          ? ["dead/0000000000000001", "meta"]
          : ["ledger/w/bad", "meta", "quota/w", "seen/w/bad"];
      expect(rows).toEqual(recorded);
      expect((await next.tell("good", said.post(call("c1")))).outcome).toBe("applied");
      expect(next.state("good/call/c1")).toMatchObject({ execution: "completed" });
      expect(next.fatals).toEqual([]);
    },
  );

  test("G9: the history of a session whose row is broken is still shown, from its changes", async () => {
    const rig = await Rig.start();
    for (const session of ["bad", "good"])
      await rig.tell(session, said.prompt(`${session}-p`), said.pre(call("c1")));
    await rig.engine.stop();
    rig.disk.rows.set("actor/w/bad", garbage());
    const next = await rig.restart();
    const queries = new Queries(next.engine);
    const told = queries.history("bad", {}, { limit: 100 })?.items ?? [];
    expect(told.map(({ version }) => version)).toEqual(told.map((_, index) => told.length - index));
    expect(told.map(({ sessionId, entity, to }) => [sessionId, entity, to])).toContainEqual([
      "bad",
      "toolcall",
      "processing",
    ]);
    expect(queries.versionOf("bad")).toBe(told.length);
    expect(queries.rejections("bad")).toEqual({ rejected: 0, rejections: [] });
    expect(next.defects).toHaveLength(1);
  });

  test("G9, G1: a session that has lost its ledger goes on; a message rejected there becomes a dead letter", async () => {
    const rig = await Rig.start();
    for (const session of ["bad", "good"])
      await rig.tell(session, said.prompt(`${session}-p`), said.pre(call("c1")), said.completed("nobody"));
    await rig.engine.stop();
    expect(rig.row("ledger/w/bad")).toMatchObject({ rejected: 1 });
    rig.disk.rows.set("ledger/w/bad", garbage());
    const next = await rig.restart();
    expect((await next.tell("bad", said.post(call("c1")))).outcome).toBe("applied");
    const before = next.rows();
    expect((await next.tell("bad", said.completed("nobody"))).outcome).toBe("dead");
    expect(changed(before, next.rows())).toEqual(["dead/0000000000000001", "meta"]);
    expect((await next.tell("good", said.completed("nobody"))).outcome).toBe("rejected");
    expect([next.defects.length, next.fatals]).toEqual([1, []]);
  });

  test.each([
    ["no JSON", "{"],
    ["null", "null"],
    ["an address that is none", '{"address":"a/b/c","timer":"hung","at":1,"generation":1}'],
    ["no time", '{"address":"w/s1","timer":"hung","generation":1}'],
  ])("G9: a deadline's row that is %s is reported once, and every other deadline fires", async (_, text) => {
    const damaged = await Rig.start();
    await damaged.engine.stop();
    const due = (n: number) => `timer/${String(START_MS + n).padStart(16, "0")}/w/s0/hung`;
    for (const key of [due(1), due(10 * HOUR_MS)]) damaged.disk.rows.set(key, text);
    const rig = await damaged.restart();
    await rig.tell("s1", said.prompt("p1"));
    await rig.pass(HOUR_MS + MINUTE_MS);
    expect(rig.state("s1/request/p1")).toMatchObject({ lifecycle: "timeout" });
    await rig.tell("s2", said.prompt("p2"));
    await rig.pass(2 * HOUR_MS);
    expect(rig.state("s2/request/p2")).toMatchObject({ lifecycle: "timeout" });
    expect(rig.defects.map(String).toSorted()).toEqual(
      [due(1), due(10 * HOUR_MS)].map((key) => expect.stringContaining(key) as string),
    );
    expect(rig.fatals).toEqual([]);
  });

  test.each([
    ["an address cut off", (text: string) => text.slice(0, -3)],
    ["an address that is none", () => '"w"'],
    ["no address", () => "7"],
  ])(
    "G9: a list's row that holds %s hides itself, is reported once, and the page goes on",
    async (_, damage) => {
      const rig = await Rig.start();
      for (const n of [1, 2, 3]) await rig.tell("s1", said.prompt(`p${n}`), said.pre(call(`c${n}`)));
      const spoil = (prefix: string): string => {
        const [key, text] = [...rig.rows(prefix)][1] ?? [];
        if (key === undefined || text === undefined) throw new Error(`No row under ${prefix}`);
        rig.disk.rows.set(key, damage(text));
        return key;
      };
      const spoilt = [spoil("list/request/all/"), spoil("calls/w/s1/")];
      const queries = new Queries(rig.engine);
      for (let times = 0; times < 2; times += 1) {
        const requests = queries.listRequests({});
        expect([requests.items.map(({ requestId }) => requestId), requests.unreadable]).toEqual([
          ["p3", "p1"],
          1,
        ]);
        const calls = queries.toolCallsOf("s1", {});
        expect([calls?.items.map(({ id }) => id), calls?.unreadable]).toEqual([["c3", "c1"], 1]);
      }
      expect(rig.defects).toHaveLength(2);
      expect(String(rig.defects[0])).toContain(spoilt[0]);
    },
  );

  test.each(["a\nb", "é", "x".repeat(1_000)])(
    "G9, ROWS-KEYS-2, OVERLAY-2: an id that no door would accept (%j) fails its turn, not the commit of a group",
    async (id) => {
      const rig = await Rig.start();
      await rig.tell("s1", said.prompt("p1"));
      const tells = ["s1", "s2", "s1"].map((session, n) =>
        rig.tell(session, said.pre(call(n === 2 ? id : "c1"))),
      );
      expect((await Promise.all(tells)).map(({ outcome }) => outcome)).toEqual([
        "applied",
        "applied",
        "rejected",
      ]);
      expect([rig.fatals, rig.defects.length]).toEqual([[], 1]);
    },
  );

  test("I-38: a session's rows are the same bytes, whatever is sent to other sessions in between", async () => {
    const mine = messages(recording("s3-permreq-deny"), ["hooks", "stream"]);
    const others = messages(recording("s6-subagent"), ["hooks", "stream"]);
    const session = mine[0]?.session ?? "";
    const alone = await Rig.start();
    for (const message of mine) await alone.engine.submit(message);
    await alone.quiet();
    const among = await Rig.start();
    for (let n = 0; n < Math.max(mine.length, others.length); n += 1)
      for (const message of [mine[n], others[n]]) if (message) await among.engine.submit(message);
    await among.quiet();
    // Changes of all sessions are numbered in one log.
    const own = (rig: Rig) =>
      [...rig.rows()]
        .filter(([key]) => /^(actor|book|calls|alarm)\//.test(key) && key.includes(session))
        .map(([key, text]) => [key, text.replace(/"newest":\d+/, "")]);
    expect(own(alone).length).toBeGreaterThan(40);
    expect(own(among)).toEqual(own(alone));
    expect([...among.rows("actor/").keys()].length).toBeGreaterThan([...alone.rows("actor/").keys()].length);
  });
});
