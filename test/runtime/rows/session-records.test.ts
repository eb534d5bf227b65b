// Session records
// What one input reads and writes of its session: each row once, all or nothing, nothing of another session.

import { describe, expect, test } from "vitest";
import {
  callBooks,
  type CallId,
  head,
  requestBooks,
  type RequestId,
  sessionAddress,
  type SessionId,
  type SourceInput,
} from "../../../machines/index.ts";
import { occurrences, setHead } from "../../../machines/books.ts";
import { actorRow } from "../../../runtime/rows/actors/actor-rows.ts";
import type { Snapshot } from "../../../runtime/rows/actors/actors.ts";
import { keys } from "../../../runtime/rows/keys.ts";
import { Layer } from "../../../runtime/rows/overlay.ts";
import { SESSION, SessionRecords } from "../../../runtime/rows/session-records.ts";
import type { Store } from "../../../runtime/ports.ts";
import { Rig } from "../../support/engine/rig.ts";
import { keyOf, WrappedStore } from "../../support/faults/wrapped-store.ts";
import { call, said } from "../../support/sessions/said.ts";
import { emptyLayer, SESSION as ID, SessionRun, WORKSPACE } from "../../support/sessions/session-run.ts";

const home = sessionAddress(WORKSPACE, ID);
const CALL = "call/c1";
const id = "c1" as CallId;

/** A session with a request and a call, and which of its rows are read from now on. */
function played(): { readonly layer: Layer; readonly reads: string[]; readonly records: SessionRecords } {
  const run = new SessionRun().tell(said.prompt("p1"), said.pre(call("c1")));
  const reads: string[] = [];
  const layer = new Layer({
    get: (key) => {
      reads.push(key);
      return run.layer.get(key);
    },
    keys: (prefix) => run.layer.keys(prefix),
  });
  return { layer, reads, records: new SessionRecords(layer, home) };
}

const known = (records: SessionRecords, name: string): Snapshot => {
  const snapshot = records.snapshot(name);
  if (!snapshot) throw new Error(`No actor ${name}`);
  return snapshot;
};

describe("session records", () => {
  test("ACTOR-ROWS-1: an actor's snapshot and book are one row; a session's has the books written last, too", () => {
    const { layer } = played();
    const kept = [...layer.keys(keys.books(home))].map((key) => key.slice(keys.books(home).length));
    expect(kept.filter((key) => /^(head|call|approval|agent)/.test(key))).toEqual([]);
    expect(actorRow(layer, home)?.recent?.map(([name]) => name)).toContain("request/p1");
    expect(actorRow(layer, home)?.book).toMatchObject({ calls: 1, main: { id: "main", batchId: "b1" } });
    expect(actorRow(layer, `${home}/${CALL}` as typeof home)?.book).toMatchObject({ stage: "started" });
    expect(actorRow(layer, `${home}/request/p1` as typeof home)?.book).toBeUndefined();
  });

  test("ACTOR-ROWS-1: a call takes 15 rows in its two turns, the cursor's and its workspace's quota among them", async () => {
    const written: string[] = [];
    const watch = (store: Store): Store =>
      new WrappedStore(store, (writes, commit) => {
        written.push(...writes.map(keyOf));
        return commit();
      });
    const rig = await Rig.start({ wrapStore: watch });
    await rig.tell("s1", said.prompt("p1"), said.pre(call("c0")));
    const rowsOf = async (input: SourceInput): Promise<readonly string[]> => {
      written.length = 0;
      await rig.tell("s1", input);
      return [...written];
    };
    const rows = [await rowsOf(said.pre(call("c1"))), await rowsOf(said.post(call("c1")))];
    expect(rows.map(({ length }) => length)).toEqual([9, 6]);
    for (const each of rows) expect(each).toEqual([...new Set(each)]);
    await rig.engine.stop();
  });

  test("SESSION-RECORDS-1: a row is read once, however often it is looked up, present or not, and written once", () => {
    const { layer, reads, records } = played();
    for (let times = 0; times < 3; times += 1) {
      expect(head(records).calls).toBe(1);
      expect(callBooks.get(records, id)?.stage).toBe("started");
      expect(callBooks.get(records, "c2" as CallId)).toBeUndefined();
      expect(requestBooks.get(records, "p1" as RequestId)?.open).toBe(true);
      expect(occurrences.get(records, "never")).toBeUndefined();
      expect(records.snapshot(CALL)).toBeDefined();
      setHead(records, { unbound: times });
    }
    expect(reads).toEqual([...new Set(reads)]);
    expect(reads).toHaveLength(4);
    expect(layer.size).toBe(0);
    records.keep();
    expect(reads).toHaveLength(4);
    expect([...layer.writes()].map(([key]) => key)).toEqual([keys.actor(home)]);
    expect(head(records).unbound).toBe(2);
  });

  test("SESSION-RECORDS-1: a write is read back at once, and what is kept is there for the next reader", () => {
    const { layer, reads, records } = played();
    const closed = { ...callBooks.get(records, id), stage: "closed" } as NonNullable<
      ReturnType<typeof callBooks.get>
    >;
    callBooks.set(records, id, closed);
    const before = reads.length;
    occurrences.set(records, "n", 1);
    expect(reads).toHaveLength(before);
    occurrences.set(records, "gone", 1);
    occurrences.delete(records, "gone");
    expect([callBooks.get(records, id)?.stage, occurrences.get(records, "n")]).toEqual(["closed", 1]);
    const snapshot = known(records, CALL);
    records.keep();
    const next = new SessionRecords(layer, home);
    expect([callBooks.get(next, id), next.snapshot(CALL)]).toEqual([closed, snapshot]);
    expect([occurrences.get(next, "n"), occurrences.get(next, "gone")]).toEqual([1, undefined]);
    occurrences.set(next, "n", 2);
    setHead(next, { unbound: 1 });
    next.keep();
    expect([occurrences.get(records, "n"), head(records).unbound]).toEqual([2, 1]);
  });

  test("SESSION-RECORDS-2: records dropped before they are kept change nothing", () => {
    const { layer, records } = played();
    setHead(records, { unbound: 7 });
    callBooks.delete(records, id);
    records.setSnapshot(CALL, undefined);
    records.setSnapshot(SESSION, known(records, "request/p1"));
    expect(layer.size).toBe(0);
    expect(head(new SessionRecords(layer, home)).unbound).toBe(0);
  });

  test("SESSION-RECORDS-3: a book without its actor is a defect; an actor goes with its book, in one row", () => {
    const { layer, records } = played();
    callBooks.set(records, "c2" as CallId, { ...callBooks.get(records, id) } as never);
    expect(() => records.keep()).toThrow(expect.objectContaining({ code: "BOOK_ALONE" }) as Error);
    const next = new SessionRecords(layer, home);
    next.setSnapshot(CALL, undefined);
    expect(() => next.keep()).toThrow(expect.objectContaining({ code: "BOOK_ALONE" }) as Error);
    const last = new SessionRecords(layer, home);
    last.setSnapshot(CALL, undefined);
    callBooks.delete(last, id);
    last.keep();
    expect([...layer.writes()]).toEqual([[keys.actor(`${home}/${CALL}` as typeof home), undefined]]);
  });

  test("SESSION-RECORDS-4: a book is in the session's row or in its own, never in both, and as it was last written", () => {
    const { layer } = played();
    const name = (n: number): RequestId => `r${n % 7}` as RequestId;
    const told = new Map<RequestId, number | undefined>();
    for (let n = 0; n < 60; n += 1) {
      const records = new SessionRecords(layer, home);
      const id = name(n * n + (n >> 2));
      expect(requestBooks.get(records, id)?.lastInputAt).toBe(told.get(id));
      const isGone = n % 5 === 4;
      if (isGone) requestBooks.delete(records, id);
      else requestBooks.set(records, id, { lastInputAt: n } as never);
      told.set(id, isGone ? undefined : n);
      records.keep();
      const recent = actorRow(layer, home)?.recent?.map(([each]) => each) ?? [];
      expect(recent.length).toBeLessThanOrEqual(4);
      const apart = [...layer.keys(`${keys.books(home)}request/r`)].map((key) =>
        key.slice(keys.books(home).length),
      );
      const all = [...recent.filter((each) => each.startsWith("request/r")), ...apart].toSorted();
      const kept = [...told].filter(([, at]) => at !== undefined).map(([each]) => `request/${each}`);
      expect(all).toEqual(kept.toSorted());
      const pages = [...new SessionRecords(layer, home).pages()].map((page) => page.join("/"));
      for (const each of all) expect(pages).toContain(each);
    }
  });

  test("I-38: the same keys in two sessions are two rows", () => {
    const layer = emptyLayer();
    const [one, two] = ["s1", "s2"].map(
      (session) => new SessionRecords(layer, sessionAddress(WORKSPACE, session as SessionId)),
    );
    if (!one || !two) throw new Error("No records");
    occurrences.set(one, "n", 1);
    one.keep();
    expect([occurrences.get(one, "n"), occurrences.get(two, "n")]).toEqual([1, undefined]);
  });
});
