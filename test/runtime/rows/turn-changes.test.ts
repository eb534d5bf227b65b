// Turn changes
// One row a turn: what is read back, from the middle of a turn, from a damaged row, from a folder of the version before.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MemoryDisk } from "../../../adapters/memory/index.ts";
import { ManualClock } from "../../support/engine/manual-clock.ts";
import { changesOfRow, rowsAfter, rowWith } from "../../../runtime/rows/change-log.ts";
import type { StateChange } from "../../../runtime/rows/changes.ts";
import { keys } from "../../../runtime/rows/keys.ts";
import { decodeTurnChanges, encodeTurnChanges } from "../../../runtime/rows/turn-changes.ts";
import { Queries } from "../../../runtime/reading/queries.ts";
import { FORMAT_3 } from "../../support/engine/stored-format.ts";
import { changesIn, Rig } from "../../support/engine/rig.ts";
import { recording } from "../../support/sessions/recording.ts";
import { messages, play } from "../../support/sessions/play.ts";
import { call, said } from "../../support/sessions/said.ts";

/** As JSON reads it: a field without a value is none. */
const asRead = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

const things = fc.record({
  entity: fc.constantFrom("toolcall", "approval", "request", "session"),
  id: fc.constantFrom("a", "b"),
  requestId: fc.option(fc.constantFrom("r1", "r2"), { nil: undefined }),
  from: fc.option(fc.constantFrom("x", "y"), { nil: null }),
  to: fc.constantFrom("x", "y", "z"),
  cause: fc.option(fc.record({ callId: fc.string() }), { nil: undefined }),
  cascade: fc.option(fc.array(fc.string(), { maxLength: 2 }), { nil: undefined }),
  view: fc.dictionary(
    fc.constantFrom("state", "input", "at", "then", "like", "__proto__", "toString"),
    fc.oneof(fc.constant(undefined), fc.string(), fc.integer(), fc.constant(null), fc.array(fc.string())),
    { maxKeys: 5, noNullPrototype: true },
  ),
});

const turns = fc.array(things, { minLength: 1, maxLength: 6 }).map((drafts) =>
  drafts.map(
    (draft, index) =>
      ({
        n: 40 + index,
        previous: 39 + index,
        workspace: "w",
        sessionId: "s",
        version: 7 + index,
        epoch: 2,
        turn: 5,
        part: index + 1,
        parts: drafts.length,
        at: 1_800_000_000_000,
        ...draft,
      }) as StateChange,
  ),
);

describe("the row of a turn", () => {
  test("TURN-CHANGES-1, I-25: whatever its changes say, they are read back as they were", () => {
    fc.assert(
      fc.property(turns, (changes) => {
        const at = changes[0]?.at ?? 0;
        expect(decodeTurnChanges(encodeTurnChanges({ at, changes }))).toEqual(asRead({ at, changes }));
      }),
    );
  });

  test("TURN-CHANGES-3, I-36: changes that say the same have the same text, whichever objects say it", () => {
    fc.assert(
      fc.property(turns, fc.nat(), (changes, shared) => {
        const [view] = changes.map((each) => each.view);
        const alike = changes.map((each, index) =>
          index === shared % changes.length ? { ...each, view } : each,
        );
        const apart = asRead(alike);
        expect(encodeTurnChanges({ at: 1, changes: alike })).toBe(
          encodeTurnChanges({ at: 1, changes: apart }),
        );
      }),
    );
  });

  test("TURN-CHANGES-1: the changes of recorded sessions are told and stored alike, in fewer rows and characters", async () => {
    const rig = await Rig.start();
    for (const name of ["s1-ten-allowed", "s3-permreq-deny-interrupt"])
      await play(rig.engine, rig.clock, messages(recording(name), ["hooks", "stream"]));
    expect(rig.log()).toEqual(asRead(rig.changes));
    const rows = [...rig.rows(keys.changes)];
    expect(rows.length).toBe(new Set(rig.changes.map(({ turn }) => turn)).size);
    // The turn's proof stands with its changes; it is not about how they are stored.
    const ofChanges = (row: string): string => row.replace(/,"proof":"[0-9a-f]{16}[nap]*"\}$/, "}");
    const text = rows.reduce((sum, [, row]) => sum + ofChanges(row).length, 0);
    expect(text).toBeLessThan(
      0.7 * rig.changes.reduce((sum, change) => sum + JSON.stringify(change).length, 0),
    );
  });

  test.each(['{"n":1', "null", "[]", '{"n":1,"then":[]}'])(
    "TURN-CHANGES-1: %s is no row of the log",
    (text) => {
      expect(() => decodeTurnChanges(text)).toThrow();
    },
  );

  test.each([[3], [null], [{ to: "x", like: 4, view: {} }], [{ entity: "call" }], "none"])(
    "TURN-CHANGES-1: a change after the first that is %j is refused",
    (then) => {
      const first = {
        n: 1,
        version: 1,
        workspace: "w",
        sessionId: "s",
        entity: "session",
        id: "s",
        to: "idle",
      };
      expect(() => decodeTurnChanges(JSON.stringify({ ...first, view: {}, then }))).toThrow();
    },
  );
});

describe("reading the log", () => {
  test("CHANGE-LOG-1, FOLLOWING-2: followed from any number, also within a turn, each later change is there once", async () => {
    const rig = await busy();
    const queries = new Queries(rig.engine);
    const { incarnation } = rig.engine;
    for (let n = 0; n <= rig.changes.length; n += 1) {
      expect(rowWith(rig.engine.store, n)?.last ?? 0).toBeGreaterThanOrEqual(n);
      const found: StateChange[] = [];
      let after = `${incarnation}-${n}`;
      for (let more = true; more;) {
        const page = queries.changes({}, { after, limit: 2 });
        found.push(...page.items);
        [after, more] = [page.next, page.more];
      }
      expect(found).toEqual(asRead(rig.changes.slice(n)));
    }
  });

  test("CHANGE-LOG-1, READING-HISTORY-2: pages of any length show every change of the session once", async () => {
    const rig = await busy();
    const queries = new Queries(rig.engine);
    const whole = asRead(rig.changes.filter(({ sessionId }) => sessionId === "s1")).toReversed();
    for (const limit of [1, 2, 3, 1_000]) {
      const found: StateChange[] = [];
      let cursor: string | undefined;
      do {
        const page = queries.history("s1", {}, { limit, ...(cursor !== undefined && { cursor }) });
        found.push(...(page?.items ?? []));
        cursor = page?.nextCursor;
      } while (cursor !== undefined);
      expect(found).toEqual(whole);
    }
  });

  test.each(["{", "null", ""])(
    "G9: a turn that cannot be read (%j) hides its own changes only, and is counted",
    async (bad) => {
      const rig = await busy();
      const queries = new Queries(rig.engine);
      const row = [...rowsAfter(rig.engine.store, 0, Infinity, Infinity)].findLast(
        (each) => changesOfRow(each, ({ sessionId }) => sessionId === "s1").length > 2,
      );
      if (!row) throw new Error("No turn made several changes.");
      const lost = changesOfRow(row).map(({ n }) => n);
      rig.disk.rows.set(row.key, bad);
      const kept = asRead(rig.changes.filter(({ n }) => !lost.includes(n)));
      const page = queries.changes({}, { after: "start", limit: 1_000 });
      expect([page.items, page.unreadable]).toEqual([kept, lost.length]);
      const history = queries.history("s1", {}, { limit: 1_000 });
      const ofSession = kept.filter(({ sessionId }) => sessionId === "s1").toReversed();
      expect([history?.items, history?.unreadable]).toEqual([ofSession, 1]);
    },
  );
});

describe("a folder of format 3", () => {
  const opened = () =>
    Rig.start({ disk: FORMAT_3.disk(), manual: new ManualClock(FORMAT_3.meta.at + 1_000) });

  test("MIGRATION-3, TURN-CHANGES-2: only its format changes, every change is read as before, and new turns follow", async () => {
    const rig = await opened();
    const before = FORMAT_3.rows
      .filter(([key]) => key.startsWith("change/"))
      .map(([, text]) => JSON.parse(text) as StateChange);
    expect(rig.log()).toEqual(before);
    expect(rig.engine.meta()).toMatchObject({ format: 6, changes: before.length });
    const after = new Map(rig.rows());
    for (const [key, text] of FORMAT_3.rows)
      if (!["meta", "starts"].includes(key)) expect([key, after.get(key)]).toEqual([key, text]);
    const reply = await rig.submit("chat-1", [said.pre(call("new")), said.post(call("new"))], {
      workspace: "acme" as never,
    });
    expect((await reply.settled).outcome).toBe("applied");
    expect(rig.log()).toEqual([...before, ...asRead(rig.changes)]);
    const queries = new Queries(rig.engine);
    const history = queries.history("chat-1", { workspace: "acme" }, { limit: 1_000 });
    const mine = rig
      .log()
      .filter(({ workspace, sessionId }) => `${workspace}/${sessionId}` === "acme/chat-1");
    expect(history?.items).toEqual(mine.toReversed());
    expect(rig.defects).toEqual([]);
  });

  test("MIGRATION-3, TURN-SWEEP-1: its changes are removed with age, like those of this version", async () => {
    const rig = await opened();
    await rig.pass(9 * 24 * 60 * 60_000, 6 * 60 * 60_000);
    expect(rig.engine.meta().changesFrom).toBeGreaterThanOrEqual(FORMAT_3.meta.changes);
    expect(changesIn(rig.rows("change/")).every(({ n }) => n > FORMAT_3.meta.changes)).toBe(true);
  });
});

/** Turns of one and of several changes, of two sessions in turn. */
async function busy(): Promise<Rig> {
  const rig = await Rig.start({ disk: new MemoryDisk("rig") });
  for (const session of ["s1", "s2"]) await rig.tell(session, said.prompt(`${session}-p`));
  for (let n = 0; n < 4; n += 1)
    for (const session of ["s1", "s2"]) {
      await rig.tell(session, said.pre(call(`${session}-c${n}`)));
      await rig.tell(session, said.post(call(`${session}-c${n}`)));
    }
  await rig.tell("s1", said.stop());
  return rig;
}
