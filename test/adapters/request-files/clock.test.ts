// The request tracker and time: what is old, what hangs, and a clock that is wrong.

import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Recovery, RequestTracker } from "../../../adapters/index.ts";
import { scratchEach } from "../../support/processes/scratch.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEARS = 3_650 * DAY;
const NOW = 1_800_000_000_000;

const scratch = scratchEach();
let now: number;
let told: Recovery[];
let tracker: RequestTracker;

beforeEach(async () => {
  now = NOW;
  told = [];
  const onRecovered = (recovery: Recovery): unknown => told.push(recovery);
  tracker = new RequestTracker({ stateBaseDir: scratch(), now: () => now, onRecovered, sweepMs: 0, env: {} });
  await tracker.start();
});
afterEach(() => tracker.stop());

const at = (...names: readonly string[]): string => join(scratch(), "requests", ...names);
const fileOf = (id: string): string => at(`${id}.json`);
const make = (requestId: string): Promise<unknown> =>
  tracker.createRequest({ requestId, chatId: 7, workspace: "shop" });
const stateOf = async (id: string): Promise<string | undefined> => (await tracker.getRequest(id))?.state;
const states = (...ids: readonly string[]): Promise<readonly (string | undefined)[]> =>
  Promise.all(ids.map(stateOf));
const redatedIn = ({ redated }: Recovery): readonly string[] =>
  redated.map(({ requestId }) => requestId).sort();

describe("what is old and what hangs", () => {
  it("S1.13, S1.22, S1.26, S1.51, REQUEST-FILES-RECOVERY-2: after 24 hours a request goes, from the index too, and is told", async () => {
    await make("old");
    now += DAY;
    await make("new");
    await tracker.recoverState();
    expect(await stateOf("old")).toBe("created");
    now += 1;
    await tracker.recoverState();
    expect(await stateOf("old")).toBeUndefined();
    expect(await stateOf("new")).toBe("created");
    expect(await readdir(at("by-workspace", "shop"))).toEqual(["new.json"]);
    expect(await readdir(at(".before"))).toEqual([]);
    expect(told.flatMap(({ removed }) => removed.map(({ requestId }) => requestId))).toEqual(["old"]);
  });

  it("S1.19, S1.21, S1.50, S1.52, LIFECYCLE-4: after an hour of silence it is in timeout; what was heard of in time goes on", async () => {
    for (const id of ["silent", "heard", "waits", "limited", "created"]) await make(id);
    for (const id of ["silent", "heard", "waits"]) await tracker.updateState(id, { state: "processing" });
    await tracker.updateState("waits", { waiting: true });
    await tracker.updateState("limited", { state: "processing", timeoutAt: now + HOUR / 2 });
    now += HOUR / 2;
    await tracker.updateState("heard", { tokens: 1 });
    now += HOUR / 2;
    await tracker.stop();
    await tracker.start();
    const states = ["silent", "heard", "waits", "limited", "created"].map(stateOf);
    expect(await Promise.all(states)).toEqual(["timeout", "processing", "processing", "timeout", "created"]);
    const timedOut = told.flatMap((recovery) => recovery.timedOut);
    expect(timedOut.map(({ requestId, previousState }) => [requestId, previousState]).sort()).toEqual([
      ["limited", "processing"],
      ["silent", "processing"],
    ]);
  });

  it("R2: one that waits for a person does not hang and does not go, however long; then its hour begins", async () => {
    await make("r1");
    await tracker.updateState("r1", { state: "processing" });
    expect(await tracker.updateState("r1", { waiting: true })).toMatchObject({ waiting: true });
    now += 30 * DAY;
    await tracker.stop();
    await tracker.start();
    expect(await tracker.updateState("r1", { waiting: false })).not.toHaveProperty("waiting");
    now += HOUR - 1;
    await tracker.recoverState();
    expect(await stateOf("r1")).toBe("processing");
    now += 1;
    await tracker.recoverState();
    expect(await stateOf("r1")).toBe("timeout");
  });
});

describe.each([
  ["ten years ahead", YEARS],
  ["ten years behind", -YEARS],
])("a clock that is suddenly %s", (_, jump) => {
  beforeEach(async () => {
    for (const id of ["done", "open", "limited"]) await make(id);
    for (const id of ["done", "open", "limited"]) await tracker.updateState(id, { state: "processing" });
    await tracker.updateState("done", { state: "completed" });
    await tracker.updateState("limited", { timeoutAt: now + 45 * MINUTE });
    now += 30 * MINUTE;
    await tracker.updateState("open", { state: "processing", processingStartedAt: NOW });
    now += jump;
  });

  it("DATING-1, REQUEST-FILES-RECOVERY-3: ends nothing and takes nothing away; each has the time left that it had", async () => {
    const found = await tracker.recoverState();
    expect(redatedIn(found)).toEqual(["done", "limited", "open"]);
    expect([found.timedOut, found.removed]).toEqual([[], []]);
    expect(await states("done", "open", "limited")).toEqual(["completed", "processing", "processing"]);
    now += 30 * MINUTE - 1;
    await tracker.recoverState();
    expect(await states("open", "limited")).toEqual(["processing", "processing"]);
    now += 1;
    await tracker.recoverState();
    expect(await states("open", "limited")).toEqual(["timeout", "processing"]);
    now += 15 * MINUTE;
    await tracker.recoverState();
    expect(await states("limited")).toEqual(["timeout"]);
    now += DAY - 45 * MINUTE;
    await tracker.recoverState();
    expect(await states("done")).toEqual(["completed"]);
    now += 1;
    expect((await tracker.recoverState()).removed.map(({ requestId }) => requestId)).toEqual(["done"]);
  });

  it("DATING-1, DATING-2: put right again it ends nothing either, and what happened has the times it was told with", async () => {
    await tracker.updateState("open", { tokens: 1 });
    await make("new");
    await tracker.recoverState();
    now -= jump;
    expect(redatedIn(await tracker.recoverState())).toEqual(["done", "limited", "new", "open"]);
    expect(await tracker.getRequest("open")).toMatchObject({
      ...{ state: "processing", createdAt: NOW, processingStartedAt: NOW, lastUpdatedAt: now, tokens: 1 },
    });
    expect(redatedIn(await tracker.recoverState())).toEqual([]);
    now += HOUR;
    await tracker.recoverState();
    expect(await states("open", "new")).toEqual(["timeout", "created"]);
  });
});

describe("files whose times are far from the clock", () => {
  it.each([
    ["a last update in ten years", { lastUpdatedAt: NOW + YEARS }],
    ["a last update at the end of time", { lastUpdatedAt: 8.64e15, processingStartedAt: 8.64e15 }],
    ["a last update in 1970", { lastUpdatedAt: 0, processingStartedAt: 0 }],
    ["a start in ten years", { processingStartedAt: NOW + YEARS }],
  ])(
    "DATING-1, REQUEST-FILES-RECOVERY-3: a request with %s hangs after its time limit and is removed later, both counted from now",
    async (_, times) => {
      const request = { requestId: "r1", chatId: 1, workspace: "shop", state: "processing", timedOut: false };
      const file = { ...request, createdAt: NOW, processingStartedAt: NOW, lastUpdatedAt: NOW, ...times };
      await writeFile(fileOf("r1"), JSON.stringify(file), { mode: 0o600 });
      await tracker.recoverState();
      now += HOUR - 1;
      await tracker.recoverState();
      expect(await states("r1")).toEqual(["processing"]);
      now += 1;
      await tracker.recoverState();
      expect(await states("r1")).toEqual(["timeout"]);
      now += DAY + 1;
      await tracker.recoverState();
      expect(await states("r1")).toEqual([undefined]);
    },
  );

  it("DATING-1: an update brings its last update back to the clock, and one within 35 days leaves it ahead", async () => {
    await make("r1");
    now -= 35 * DAY;
    expect(await tracker.updateState("r1", { tokens: 1 })).toMatchObject({ lastUpdatedAt: NOW });
    now -= 1;
    expect(await tracker.updateState("r1", { tokens: 2 })).toMatchObject({ lastUpdatedAt: now });
    expect(JSON.parse(await readFile(fileOf("r1"), "utf8"))).toMatchObject({ lastUpdatedAt: now, tokens: 2 });
  });

  it("S1.26, DATING-1: a month without power is believed, and what is old goes", async () => {
    await make("r1");
    now += 35 * DAY;
    expect((await tracker.recoverState()).removed).toHaveLength(1);
  });
});
