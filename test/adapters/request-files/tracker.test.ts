// The request tracker: what it does in one process, on a disk that does as it is told.

import { readdir, readFile, readlink, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type RequestState, RequestTracker, type TrackerOptions } from "../../../adapters/index.ts";
import { refused } from "../../support/engine/refusal.ts";
import { scratchEach } from "../../support/processes/scratch.ts";

const HOUR = 3_600_000;

const scratch = scratchEach();
let base: string;
let now: number;
let logged: unknown[][];
let tracker: RequestTracker;

const started = async (options: Partial<TrackerOptions> = {}): Promise<RequestTracker> => {
  const note =
    (level: string) =>
    (facts: object, text: string): unknown =>
      logged.push([level, text, facts]);
  const log = { debug: note("debug"), info: note("info"), warn: note("warn") };
  const made = new RequestTracker({
    stateBaseDir: base,
    now: () => now,
    log,
    env: {},
    sweepMs: 0,
    ...options,
  });
  await made.start();
  return made;
};
beforeEach(async () => {
  base = scratch();
  now = 1_800_000_000_000;
  logged = [];
  tracker = await started();
});
afterEach(() => tracker.stop());

const make = (requestId: string, more: object = {}): Promise<RequestState> =>
  tracker.createRequest({ requestId, chatId: 7, workspace: "shop", ...more });
const ids = (found: readonly RequestState[]): string[] => found.map(({ requestId }) => requestId);
const fileOf = (id: string): string => join(base, "requests", `${id}.json`);

describe("a request's life", () => {
  it("S1.1, S1.2, S1.11, S1.33, S1.40, S1.46: goes created, queued, processing, completed, each in its file", async () => {
    const kept = async (): Promise<unknown> => JSON.parse(await readFile(fileOf("r1"), "utf8"));
    const created = await make("r1", { prompt: "hello", model: "m" });
    expect(await kept()).toMatchObject(created);
    expect(created).toEqual({
      ...{ requestId: "r1", chatId: 7, workspace: "shop", state: "created", prompt: "hello", model: "m" },
      ...{ createdAt: now, lastUpdatedAt: now, timedOut: false },
    });
    now += 10;
    await tracker.updateState("r1", { state: "queued" });
    now += 10;
    await tracker.updateState("r1", { state: "processing", tokens: 5 });
    now += 10;
    const done = await tracker.updateState("r1", {
      state: "completed",
      tokens: 9,
      exitCode: 0,
      output: "hi",
    });
    expect(done).toEqual({
      ...created,
      ...{ state: "completed", previousState: "processing", tokens: 9, exitCode: 0, output: "hi" },
      ...{ queuedAt: now - 20, processingStartedAt: now - 10, completedAt: now, lastUpdatedAt: now },
    });
    expect(await kept()).toMatchObject(done ?? {});
    expect(await tracker.getRequest("r1")).toEqual(done);
  });

  it("S1.7, S1.28: takes the times that the caller gives", async () => {
    await make("r1", { createdAt: now - 500 });
    await tracker.updateState("r1", { state: "queued", queuedAt: now - 400 });
    await tracker.updateState("r1", { state: "processing", processingStartedAt: now - 300 });
    await tracker.updateState("r1", { state: "failed", completedAt: now - 100, error: "no" });
    expect(await tracker.getRequest("r1")).toMatchObject({
      ...{
        createdAt: now - 500,
        queuedAt: now - 400,
        processingStartedAt: now - 300,
        completedAt: now - 100,
      },
      ...{ lastUpdatedAt: now, state: "failed", error: "no", previousState: "processing" },
    });
  });

  it.each([
    [["processing", "completed"], "processing", "MOVE_REFUSED"],
    [["processing", "failed"], "completed", "MOVE_REFUSED"],
    [["processing"], "queued", "MOVE_REFUSED"],
    [["processing"], "created", "MOVE_REFUSED"],
    [[], "completed", "MOVE_REFUSED"],
    [["timeout"], "processing", "MOVE_REFUSED"],
  ] as const)(
    "S1.46, LIFECYCLE-1: after %j it refuses to become %s, and nothing is changed",
    async (path, wanted, code) => {
      await make("r1");
      for (const state of path) await tracker.updateState("r1", { state });
      const before = await tracker.getRequest("r1");
      expect(await refused(tracker.updateState("r1", { state: wanted }))).toBe(code);
      tracker.cache.clear();
      expect(await tracker.getRequest("r1")).toEqual(before);
    },
  );

  it("S1.8, S1.10, LIFECYCLE-2: after its end a fact is filled in once, and never changed", async () => {
    await make("r1");
    await tracker.updateState("r1", { state: "processing" });
    await tracker.updateState("r1", { state: "completed" });
    expect(await tracker.updateState("r1", { tokens: 12 })).toMatchObject({ tokens: 12, state: "completed" });
    expect(await refused(tracker.updateState("r1", { tokens: 13 }))).toBe("FIELD_FIXED");
    expect(await refused(tracker.updateState("r1", { error: "late" }))).toBe("FIELD_FIXED");
    expect(await tracker.updateState("r1", { tokens: 12 })).toMatchObject({ tokens: 12 });
  });

  it("S1.9, S1.41: keeps the delivery of its result as it was told, and a delivered one for good", async () => {
    await make("r1");
    const failed = {
      success: false,
      attempts: 2,
      retryTimestamps: ["2026-01-02T03:04:05.000Z"],
      error: "503",
    };
    expect((await tracker.updateState("r1", { callback: failed }))?.callback).toEqual(failed);
    const delivered = { success: true, attempts: 3, retryTimestamps: failed.retryTimestamps };
    expect((await tracker.updateState("r1", { callback: delivered }))?.callback).toEqual(delivered);
    expect(await refused(tracker.updateState("r1", { callback: failed }))).toBe("FIELD_FIXED");
  });

  it("S1.20: ends in timeout when it is told so, with its error, and only then has timed out", async () => {
    await make("r1");
    await tracker.updateState("r1", { state: "processing" });
    expect(await refused(tracker.updateState("r1", { timedOut: true }))).toBe("BAD_FIELD");
    expect(await refused(tracker.updateState("r1", { error: "no end" }))).toBe("ERROR_WITHOUT_END");
    const timedOut = { state: "timeout", timedOut: true, error: "too long" } as const;
    expect(await tracker.updateState("r1", timedOut)).toMatchObject(timedOut);
  });

  it("S1.5: has a UUID where it is given no id, and none is given twice", async () => {
    const { requestId } = await tracker.createRequest({ chatId: 1, workspace: "shop" });
    expect(requestId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-/);
    expect(await refused(make(requestId))).toBe("REQUEST_EXISTS");
    expect(await refused(make("r2", { colour: 1 }))).toBe("BAD_FIELD");
  });

  it("S1.33: an unknown one gives nothing, and makes nothing", async () => {
    expect(await tracker.updateState("r9", { state: "processing" })).toBeNull();
    expect(await tracker.getRequest("r9")).toBeNull();
    expect(await readdir(join(base, "requests"))).not.toContain("r9.json");
  });

  it("LIFECYCLE-3: a clock that goes back takes no time back, and ends nothing", async () => {
    await make("r1");
    await tracker.updateState("r1", { state: "processing" });
    now -= 48 * HOUR;
    await tracker.recoverState();
    expect(await tracker.updateState("r1", { tokens: 1 })).toMatchObject({ lastUpdatedAt: now + 48 * HOUR });
    const done = await tracker.updateState("r1", { state: "completed" });
    expect(done?.completedAt).toBeGreaterThanOrEqual(done?.processingStartedAt ?? Infinity);
  });

  it("S1.64: an id with ../ in it stays in the folder, and is found again", async () => {
    const id = "../../../etc/passwd";
    await tracker.createRequest({ requestId: id, chatId: 1, workspace: "../../up" });
    tracker.cache.clear();
    expect(ids(await tracker.listRequests("../../up"))).toEqual([id]);
    expect(await tracker.getRequest(id)).toMatchObject({ requestId: id, workspace: "../../up" });
    expect(await readdir(base)).toEqual(["requests"]);
  });
});

describe("many at once", () => {
  it("S1.3, S1.25: a thousand requests made at once are all there, as they were told", async () => {
    const all = Array.from({ length: 1_000 }, (_, n) => `m${n}`);
    await Promise.all(all.map((id) => make(id, { prompt: id })));
    tracker.cache.clear();
    const found = await tracker.listRequests("shop", { limit: 2_000 });
    expect(ids(found).sort()).toEqual([...all].sort());
    expect(found.every(({ requestId, prompt }) => prompt === requestId)).toBe(true);
  }, 60_000);

  it("S1.54: a hundred updates of one at once are made one after the other", async () => {
    await make("r1");
    await tracker.updateState("r1", { state: "processing" });
    const add = ({ tokens = 0 }: RequestState): object => ({ tokens: tokens + 1 });
    const after = await Promise.all(Array.from({ length: 100 }, () => tracker.updateState("r1", add)));
    expect(after.map((request) => request?.tokens)).toEqual(Array.from({ length: 100 }, (_, n) => n + 1));
  });
});

describe("asking for requests", () => {
  beforeEach(async () => {
    for (const [n, id] of ["a", "b", "c", "d"].entries())
      await make(id, { createdAt: now + n, ...(id === "d" && { workspace: "bank" }) });
    await tracker.updateState("b", { state: "processing" });
  });

  it("S1.16, S1.17, S1.35, S1.49: by workspace and state, newest first, cut after the state was looked at", async () => {
    expect(ids(await tracker.listRequests("shop"))).toEqual(["c", "b", "a"]);
    expect(ids(await tracker.listRequests("shop", { state: "created", limit: 1 }))).toEqual(["c"]);
    expect(ids(await tracker.listRequests("shop", { state: "processing", limit: 1 }))).toEqual(["b"]);
    expect(ids(await tracker.listRequests("nowhere"))).toEqual([]);
    expect(ids(await tracker.queryRequests({ state: ["created", "queued"] }))).toEqual(["d", "c", "a"]);
  });

  it("S1.18: by time", async () => {
    expect(ids(await tracker.queryRequests({ since: now + 1, until: now + 3 }))).toEqual(["c", "b"]);
    expect(ids(await tracker.listRequests("shop", { since: now + 2 }))).toEqual(["c"]);
  });

  it("S1.35: a hundred unless told otherwise", async () => {
    await Promise.all(Array.from({ length: 120 }, (_, n) => make(`n${n}`)));
    expect(await tracker.listRequests("shop")).toHaveLength(100);
    expect(await tracker.listRequests("shop", { limit: 1_000 })).toHaveLength(123);
  });

  it("S1.34: what another one wrote is seen at once, cached or not", async () => {
    const other = await started();
    await other.updateState("a", { state: "processing", tokens: 3 });
    expect(await tracker.getRequest("a")).toMatchObject({ state: "processing", tokens: 3 });
    await other.stop();
  });

  it("TRACKER-2: what a caller does to what it got changes nothing that is kept", async () => {
    const got = await tracker.getRequest("a");
    if (got) got.state = "failed";
    expect((await tracker.getRequest("a"))?.state).toBe("created");
  });

  it("S1.36: files by id, and by workspace and id, where a script reads them", async () => {
    const indexed = join(base, "requests", "by-workspace", "shop", "b.json");
    expect(JSON.parse(await readFile(indexed, "utf8"))).toMatchObject({
      requestId: "b",
      state: "processing",
    });
    expect(await readlink(indexed)).toBe("../../b.json");
    expect((await stat(fileOf("b"))).mode & 0o777).toBe(0o600);
  });

  it("S1.38: stop lets go of the cache and loses nothing", async () => {
    await tracker.stop();
    expect(tracker.cache.size).toBe(0);
    tracker = await started();
    expect(ids(await tracker.queryRequests())).toEqual(["d", "c", "b", "a"]);
  });

  it("S1.39: creating, moving and recovering are logged, without what was said", async () => {
    await tracker.recoverState();
    expect(logged).toContainEqual(["info", "Request created", { requestId: "a", workspace: "shop" }]);
    expect(logged).toContainEqual([
      "debug",
      "State transition",
      { requestId: "b", from: "created", to: "processing" },
    ]);
    const counts = { recovered: 4, timedOut: 0, redated: 0, removed: 0, restored: 0, unreadable: 0 };
    expect(logged).toContainEqual(["info", "State recovery complete", counts]);
  });
});

describe("switched off", () => {
  it.each(["SIGNALBOX_REQUEST_TRACKER", "ENABLE_REQUEST_TRACKER"])(
    "S1.58, TRACKER-3: by %s=false it touches nothing, and whoever uses it goes on",
    async (name) => {
      const folder = join(base, "none");
      const off = await started({ stateBaseDir: folder, env: { [name]: "false" } });
      expect(await off.createRequest({ requestId: "r1", chatId: 1, workspace: "w" })).toMatchObject({
        requestId: "r1",
        state: "created",
      });
      expect(await off.updateState("r1", { state: "processing" })).toBeNull();
      expect(await off.getRequest("r1")).toBeNull();
      expect(await off.listRequests("w")).toEqual([]);
      expect(await off.recoverState()).toMatchObject({ recovered: 0 });
      await off.stop();
      await expect(stat(folder)).rejects.toMatchObject({ code: "ENOENT" });
    },
  );

  it("S1.58: any other value leaves it on", async () => {
    await writeFile(join(base, "x"), "");
    expect((await started({ env: { ENABLE_REQUEST_TRACKER: "true" } })).enabled).toBe(true);
  });
});
