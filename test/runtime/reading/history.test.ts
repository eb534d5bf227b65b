// History
// The changes of a session and the journal entries they came from, a page at a time.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { keys } from "../../../runtime/rows/keys.ts";
import { at, listAt, textAt } from "../../support/engine/json.ts";
import { event, serve, type Served } from "../../support/http/served.ts";
import { splitLog } from "../../support/engine/rig.ts";

let served: Served;
beforeEach(async () => {
  served = await serve();
});
afterEach(() => served.stop());

const send = (type: string, data: object, subject = "shop/s1") =>
  served.post("/v1/events", event(type, data, { subject }));

/** Two sessions side by side, one of them with rejections. */
async function play(requests: number): Promise<void> {
  for (let n = 1; n <= requests; n += 1) {
    served.clock.advance(10);
    const requestId = `r${n}`;
    await send("request.created", { requestId });
    await send("request.created", { requestId: `o${n}` }, "shop/other");
    await send("request.processing", { requestId });
    await send("request.queued", { requestId });
    await send("request.completed", { requestId, output: `done ${n}` });
  }
}

interface Whole {
  readonly changes: readonly unknown[];
  readonly entries: readonly unknown[];
}

async function historyOf(limit: number, path = "/v1/sessions/s1/history?entries=true"): Promise<Whole> {
  const changes: unknown[] = [];
  const entries: unknown[] = [];
  for (let cursor = ""; ;) {
    const { status, body } = await served.get(`${path}&limit=${limit}${cursor}`);
    expect(status).toBe(200);
    changes.push(...listAt(body, "items"));
    entries.push(...listAt(body, "entries"));
    const next = textAt(body, "nextCursor");
    if (next === undefined) return { changes, entries };
    cursor = `&cursor=${next}`;
  }
}

/** A session's entries in the journal, newest first: position and type. */
const journalled = (session: string): readonly unknown[] =>
  served.disk.entries.toReversed().flatMap(({ position, body }) => {
    const message: unknown = JSON.parse(body);
    return at(message, "session") === session ? [[position, at(message, "type")]] : [];
  });

const shown = (entries: readonly unknown[]): readonly unknown[] => {
  const seen = new Map(entries.map((entry) => [at(entry, "position"), at(entry, "type")]));
  return [...seen].sort(([a], [b]) => Number(b) - Number(a));
};

describe("READING-HISTORY-2: the entries of a history", () => {
  test.each([1, 3, 7, 1000])(
    "READING-HISTORY-2: %i a page, the pages show every entry that led to a change or was rejected, and none of another session",
    async (limit) => {
      await play(5);
      const { changes, entries } = await historyOf(limit);
      expect(shown(entries)).toEqual(journalled("s1"));
      expect(changes.map((change) => at(change, "version"))).toEqual(
        Array.from({ length: changes.length }, (_, n) => changes.length - n),
      );
      const turnedAway = entries.filter((entry) => at(entry, "rejected") !== undefined);
      expect(new Set(turnedAway.map((entry) => at(entry, "type")))).toEqual(new Set(["request.queued"]));
    },
  );

  test("READING-HISTORY-2: an entry is shown as it was said; if longer than 16 KiB, its length is shown instead", async () => {
    await send("request.created", { requestId: "r1", prompt: "short" });
    await send("request.created", { requestId: "r2", prompt: "x".repeat(17_000) });
    const { entries } = await historyOf(100);
    const [long, short] = entries;
    expect(short).toMatchObject({ door: "in", source: "/test", data: { requestId: "r1", prompt: "short" } });
    expect([at(long, "data"), at(long, "type")]).toEqual([undefined, "request.created"]);
    expect(at(long, "bytes")).toBe(Buffer.byteLength(served.disk.entries.at(-1)?.body ?? ""));
  });

  test("READING-HISTORY-2: senders' keys are not shown", async () => {
    const created = event("request.created", { requestId: "r1" });
    await served.post("/v1/events", created, { "Idempotency-Key": "secret" });
    const { entries } = await historyOf(100);
    expect(Object.keys(entries[0] as object).sort()).toEqual(
      ["at", "data", "door", "id", "position", "source", "type"].sort(),
    );
  });

  test("READING-HISTORY-2: entries that the journal has trimmed are missing; the changes stay", async () => {
    await play(3);
    const before = await historyOf(100);
    const upTo = 8;
    await served.journal.trim(upTo);
    const after = await historyOf(100);
    expect(after.changes).toEqual(before.changes);
    expect(after.entries).toEqual(before.entries.filter((entry) => Number(at(entry, "position")) > upTo));
    expect(after.entries.length).toBeLessThan(before.entries.length);
  });

  test.each(["{not json", "null", '"text"'])(
    "G9, READING-HISTORY-2: a change that cannot be read (%s) hides only itself, also at the end or the beginning of a page",
    async (bad) => {
      await play(4);
      splitLog(served.disk);
      const whole = await historyOf(3);
      const numbers = whole.changes.map((change) => Number(at(change, "n")));
      for (const [index, n] of numbers.entries()) {
        const kept = served.disk.rows.get(keys.change(n));
        const first = await served.get("/v1/sessions/s1/history?entries=true&limit=3");
        served.disk.rows.set(keys.change(n), bad);
        const after = await historyOf(3);
        expect(after.changes).toEqual(whole.changes.toSpliced(index, 1));
        // A change's entry may have led to others.
        const turn = at(whole.changes[index], "turn");
        const lost = whole.changes.filter((change) => at(change, "turn") === turn).length === 1 ? [turn] : [];
        expect(shown(after.entries)).toEqual(
          shown(whole.entries).filter((entry) => !lost.includes((entry as readonly unknown[])[0])),
        );
        const behind = await served.get(
          `/v1/sessions/s1/history?entries=true&limit=3&cursor=${textAt(first.body, "nextCursor") ?? ""}`,
        );
        expect(behind.status).toBe(200);
        served.disk.rows.set(keys.change(n), kept ?? "");
      }
    },
  );

  test("READING-HISTORY-1: a page reads the entries it shows and no others, however long the journal is", async () => {
    await play(20);
    const read: number[] = [];
    const entry = served.journal.entry.bind(served.journal);
    served.journal.entry = (position) => {
      read.push(position);
      return entry(position);
    };
    const { body } = await served.get("/v1/sessions/s1/history?entries=true&limit=5");
    expect(read.sort()).toEqual(
      listAt(body, "entries")
        .map((each) => at(each, "position"))
        .sort(),
    );
    expect(read.length).toBeLessThanOrEqual(5 + 20);
  });

  test("READING-HISTORY-2: unless asked for, entries are neither read nor shown", async () => {
    await play(1);
    const { body } = await served.get("/v1/sessions/s1/history");
    expect(at(body, "entries")).toBeUndefined();
    expect((await served.get("/v1/sessions/s1/history?entries=1")).status).toBe(400);
    expect((await served.get("/v1/sessions/nobody/history?entries=true")).status).toBe(404);
  });
});

describe("READING-HISTORY-1: the changes of one session among those of all", () => {
  const versions = (body: unknown) => listAt(body, "items").map((change) => at(change, "version"));
  const numbers = (body: unknown) => listAt(body, "items").map((change) => Number(at(change, "n")));

  test("READING-HISTORY-1: a page reads each turn that it shows once, and one more, whatever other sessions did before, between and after", async () => {
    await play(3);
    const aside = Array.from({ length: 300 }, (_, n) =>
      event("request.created", { requestId: `aside${n}` }, { subject: "shop/other" }),
    );
    await served.post("/v1/events", aside);
    const whole = listAt((await served.get("/v1/sessions/s1/history")).body, "items");
    const turns = (from: number, to: number) =>
      new Set(whole.slice(from, to).map((change) => at(change, "turn"))).size;
    const read: string[] = [];
    const { store } = served.engine;
    const [get, range] = [store.get.bind(store), store.range.bind(store)];
    store.get = (key) => {
      read.push(key);
      return get(key);
    };
    store.range = (bounds) => {
      read.push(bounds.gte);
      return range(bounds);
    };
    const { body } = await served.get("/v1/sessions/s1/history?limit=4");
    const page = read.filter((key) => key.startsWith("change/"));
    expect(versions(body)).toHaveLength(4);
    expect(page).toHaveLength(turns(0, 5));
    expect(turns(0, 5)).toBeLessThan(5);
    read.length = 0;
    const older = await served.get(`/v1/sessions/s1/history?limit=4&cursor=${textAt(body, "nextCursor")}`);
    expect(Math.max(...numbers(older.body))).toBeLessThan(Math.min(...numbers(body)));
    expect(read.filter((key) => key.startsWith("change/"))).toHaveLength(turns(3, 9));
  });

  test("READING-HISTORY-1, G9: an unreadable change hides only itself; a change of an older folder, which names none before it, hides nothing", async () => {
    await play(3);
    splitLog(served.disk);
    const whole = (await served.get("/v1/sessions/s1/history")).body;
    const [, second = 0, , fourth = 0] = numbers(whole);
    const unnamed = { ...(JSON.parse(served.disk.rows.get(keys.change(fourth)) ?? "") as object) };
    served.disk.rows.set(keys.change(fourth), JSON.stringify({ ...unnamed, previous: undefined }));
    served.disk.rows.set(keys.change(second), "no JSON");
    const { body } = await served.get("/v1/sessions/s1/history");
    expect(versions(body)).toEqual(versions(whole).filter((_, index) => index !== 1));
    expect(at(body, "unreadable")).toBe(1);
    const paged = (await historyOf(2, "/v1/sessions/s1/history?workspace=shop")).changes;
    expect(paged.map((change) => at(change, "version"))).toEqual(versions(body));
  });

  test("READING-HISTORY-1: for one actor, or one kind of actors, only its own changes are shown", async () => {
    await play(3);
    const of = async (query: string) =>
      listAt((await served.get(`/v1/sessions/s1/history?${query}`)).body, "items").map((change) => [
        at(change, "entity"),
        at(change, "id"),
        at(change, "to"),
      ]);
    const one = await of("id=r2");
    expect(one).toEqual([
      ["request", "r2", "completed"],
      ["request", "r2", "processing"],
      ["request", "r2", "created"],
    ]);
    expect(await of("entity=session")).toEqual(
      (await of("limit=100")).filter(([entity]) => entity === "session"),
    );
    expect((await served.get("/v1/sessions/s1/history?entity=call")).status).toBe(400);
  });
});

describe("QUERY-TABLE-1: where to follow from", () => {
  test("QUERY-TABLE-1: the answers about one session carry its version, and every answer the change after which to follow", async () => {
    await play(2);
    const { headers, body } = await served.get("/v1/sessions/s1");
    const [newest] = (await historyOf(1)).changes;
    expect(headers.get("signalbox-version")).toBe(String(at(newest, "version")));
    expect(headers.get("signalbox-change")).toBe(
      `${served.engine.incarnation}-${served.engine.meta().changes}`,
    );
    expect(at(body, "id")).toBe("s1");
    expect((await served.get("/v1/requests")).headers.get("signalbox-version")).toBeNull();
  });
});
