// Starting
// What a start finds, reports and takes over.

import { describe, expect, test } from "vitest";
import { MemoryDisk } from "../../../adapters/memory/index.ts";
import { MemoryOutlet } from "../../support/engine/memory-outlet.ts";
import { Hold } from "../../../runtime/cluster/hold.ts";
import type { OwnMessage } from "../../../runtime/message.ts";
import { RetryableError } from "../../../runtime/errors/errors.ts";
import { Queries } from "../../../runtime/reading/queries.ts";
import { Rig, type RigOptions } from "../../support/engine/rig.ts";
import { call, said } from "../../support/sessions/said.ts";

describe("starting", () => {
  test("S1.19, S1.21: a start reports what is open: requests and approvals, the oldest first", async () => {
    const rig = await Rig.start();
    await rig.tell("s1", said.prompt("p1"), said.pre(call("c1")), said.ask("a1", call("c1")));
    rig.clock.advance(1);
    await rig.tell("s2", said.created("g1"));
    await rig.tell("s3", said.prompt("p3"), said.stop());
    await rig.engine.stop();
    const next = await rig.restart();
    expect(next.engine.recovered).toEqual({
      epoch: 2,
      at: next.clock.now(),
      replayed: 0,
      openRequests: 2,
      pendingApprovals: 1,
      oldest: ["w/s1/request/p1", "w/s2/request/g1"],
    });
  });

  test("ENGINE-OPENING-1: a start whose journal does not answer can be repeated: it opens the store once, and goes on", async () => {
    let [opens, isAway] = [0, true];
    const rig = new Rig({
      wrapStore: (store) => {
        const open = store.open.bind(store);
        store.open = () => {
          opens += 1;
          return open();
        };
        return store;
      },
      wrapJournal: (journal) => {
        const open = journal.open.bind(journal);
        journal.open = (...asked) =>
          isAway
            ? Promise.reject(new RetryableError("NATS_UNAVAILABLE", "Away.", "Wait.", 1))
            : open(...asked);
        return journal;
      },
    });
    await expect(rig.engine.start()).rejects.toMatchObject({ code: "NATS_UNAVAILABLE" });
    isAway = false;
    await rig.engine.start();
    expect((await rig.tell("s", said.prompt("p"))).outcome).toBe("applied");
    expect(opens).toBe(1);
  });

  test("ENGINE-MANDATE-7: a spare says that it stands by, and knows no owner, before its store is open", () => {
    const rig = new Rig({ cluster: { start: "own", node: () => "", follows: true, hold: new Hold() } });
    expect(rig.engine.mandate.refusal).toMatchObject({
      code: "STANDING_BY",
      message: expect.stringContaining("does not know the owner yet") as string,
    });
  });

  describe("a fresh store on a journal that let go of its beginning", () => {
    /** The journal alone. */
    function withoutRows({ incarnation, entries, trimmed }: MemoryDisk): MemoryDisk {
      const disk = new MemoryDisk(incarnation);
      disk.entries = [...entries];
      disk.trimmed = trimmed;
      return disk;
    }

    /** An engine whose store is lost, and the place of its last change. */
    async function lost() {
      const rig = await Rig.start();
      await rig.tell("s1", said.prompt("p1"), said.pre(call("c1")), said.ask("a1", call("c1")));
      const { disk, clock } = rig;
      const place = `${rig.engine.incarnation}-${rig.engine.meta().changes}`;
      const trimmed = disk.tail;
      await rig.tell("s1", said.created("r2"));
      await rig.engine.stop();
      disk.entries = disk.entries.slice(trimmed);
      disk.trimmed = trimmed;
      return { disk: withoutRows(disk), manual: clock, place, trimmed };
    }

    test("JOURNAL-CURSOR-2, STORE-JOURNAL-2: is refused: it would know half of the sessions; the refusal names what is gone, and who has it", async () => {
      const { disk, manual, trimmed } = await lost();
      await expect(Rig.start({ disk, manual })).rejects.toMatchObject({
        code: "JOURNAL_REGRESSED",
        missing: [{ first: 1, last: trimmed }],
        message: expect.stringMatching(/data folder is new.*: \d.*`store`/) as string,
        next: expect.stringMatching(/--data.*--adopt-journal/) as string,
      });
      expect(disk.rows.get("meta")).toBeUndefined();
    });

    test("STORE-JOURNAL-4, META-3, OUTLET-PUBLISHER-5, G1: goes on once told to, records the loss, and tells whoever has an old place", async () => {
      const { disk, manual, place, trimmed } = await lost();
      const outlet = new MemoryOutlet();
      const rig = await Rig.start({ disk, manual, adoptJournal: true, outlet });
      expect(rig.engine.recovered?.lost).toMatchObject({
        count: trimmed,
        missing: [{ first: 1, last: trimmed }],
      });
      expect(rig.state("s1/request/r2")).toBeDefined();
      const queries = new Queries(rig.engine);
      expect(queries.changes({}, { after: place })).toMatchObject({ gap: "replaced" });
      await rig.tell("s1", said.created("r3"));
      await rig.engine.stop();
      const { log } = rig.engine.meta();
      expect(log).toMatch(/^rig_\d+$/);
      expect(outlet.published.length).toBeGreaterThan(1);
      expect(outlet.published.every((change) => change.log === log)).toBe(true);
      expect(outlet.published[0]?.messageId).toBe(`${log}/w/s1:1`);
      expect(outlet.letters.map(({ messageId }) => messageId)).toEqual([`dead:${log}:1`]);

      // From then on it is a store like any other: the next start names nothing, and its log goes on.
      const next = await Rig.start({ disk, manual });
      expect(next.engine.recovered?.lost).toBeUndefined();
      expect(next.engine.incarnation).toBe(log);
    });

    test("STORE-JOURNAL-4: a store that is built of the whole journal has the log of the one before", async () => {
      const rig = await Rig.start();
      await rig.tell("s1", said.created("r1"));
      await rig.engine.stop();
      const again = await Rig.start({ disk: withoutRows(rig.disk), manual: rig.clock });
      expect(again.engine.incarnation).toBe("rig");
      expect(again.state("s1/request/r1")).toBeDefined();
      expect(again.engine.recovered?.lost).toBeUndefined();
    });
  });

  test("G7: a store in the format of another version is refused, with what to do, and keeps every row", async () => {
    const rig = await Rig.start();
    await rig.tell("s1", said.prompt("p1"));
    await rig.engine.stop();
    const meta = JSON.parse(rig.disk.rows.get("meta") ?? "") as object;
    rig.disk.rows.set("meta", JSON.stringify({ ...meta, format: 1 }));
    const before = rig.rows();
    await expect(rig.restart()).rejects.toMatchObject({
      code: "STORE_FORMAT",
      obligation: "stop",
      next: expect.stringContaining("--data") as string,
    });
    expect(rig.rows()).toEqual(before);
  });

  test("G10: a changed configuration is a journalled input; an unchanged one is not", async () => {
    const rig = await Rig.start();
    await rig.engine.stop();
    const { configuration } = JSON.parse(rig.disk.rows.get("meta") ?? "") as {
      configuration: NonNullable<RigOptions["configuration"]>;
    };
    const other = { ...configuration, hungAfterMs: 5 };
    const next = await rig.restart({ configuration: other });
    expect(next.disk.entries.map(({ body }) => (JSON.parse(body) as OwnMessage).said)).toEqual([
      { type: "configured", configuration: other },
    ]);
    expect(next.engine.meta().configuration).toEqual(other);
    await next.engine.stop();
    const last = await next.restart({ configuration: other });
    expect(last.disk.tail).toBe(1);
  });
});
