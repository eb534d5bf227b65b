// Seed 001, request tracking, through an engine: the life of a request, and how it is kept.

import { describe, expect, test } from "vitest";
import { systemIds } from "../../adapters/system/index.ts";
import { clients } from "../../adapters/composition/clients.ts";
import { Door } from "../../runtime/door/door.ts";
import { Queries } from "../../runtime/reading/queries.ts";
import { created, delivery, look, moved } from "../support/sessions/requests.ts";
import { HOUR_MS, Rig, START_MS, WORKSPACE } from "../support/engine/rig.ts";
import { WrappedStore } from "../support/faults/wrapped-store.ts";

/** The states a request's changes went through. */
const path = (rig: Rig, id: string): readonly (string | null)[] =>
  rig.changes.filter((change) => change.entity === "request" && change.id === id).map(({ to }) => to);

describe("states and facts", () => {
  test.each([
    ["completed", "request.completed"],
    ["failed", "request.failed"],
  ] as const)("S1.1, S1.30, S1.46: created, queued, processing, %s", async (end, type) => {
    const rig = await Rig.start();
    await rig.tell("s1", created("r1"));
    await rig.tell("s1", moved("request.queued", "r1"));
    await rig.tell("s1", moved("request.processing", "r1"));
    await rig.tell("s1", moved(type, "r1"));
    expect(path(rig, "r1")).toEqual(["created", "queued", "processing", end]);
    expect(look(rig, "r1")?.state).toBe(end);
  });

  test("S1.4, S1.15, S1.45, S1.48: a request is found by its id from its creation on, as it stands", async () => {
    const rig = await Rig.start();
    expect(look(rig, "r1")).toBeUndefined();
    await rig.tell("s1", created("r1"));
    expect(look(rig, "r1")?.state).toBe("created");
    await rig.tell("s1", moved("request.processing", "r1"));
    expect(look(rig, "r1")?.state).toBe("processing");
  });

  test("S1.5, S1.6: it keeps its id, its chat, text or number, and its workspace", async () => {
    const rig = await Rig.start();
    const id = "0193a1d2-7c4e-7b5a-9f00-3d2c1b0a9f8e";
    await rig.tell("s1", created(id, { chatId: 42 }), created("r2", { chatId: "room 7" }));
    expect(look(rig, id)).toMatchObject({ requestId: id, chatId: 42, workspace: WORKSPACE });
    expect(look(rig, "r2")).toMatchObject({ chatId: "room 7" });
  });

  test("S1.7: it has the time of every step, and of the last", async () => {
    const rig = await Rig.start();
    await rig.tell("s1", created("r1"));
    for (const type of ["request.queued", "request.processing", "request.completed"] as const) {
      rig.clock.advance(1_000);
      await rig.tell("s1", moved(type, "r1"));
    }
    expect(look(rig, "r1")).toMatchObject({
      createdAt: START_MS,
      queuedAt: START_MS + 1_000,
      processingStartedAt: START_MS + 2_000,
      completedAt: START_MS + 3_000,
      lastUpdatedAt: START_MS + 3_000,
    });
  });

  test("S1.8, S1.10, S1.40: what the executor says of its run stands on it: model, tokens, exit code, output, error", async () => {
    const rig = await Rig.start();
    const run = { model: "opus", tokens: 1_234, exitCode: 2, output: "half of it" };
    await rig.tell("s1", created("r1", { prompt: "do it" }), moved("request.processing", "r1"));
    await rig.tell("s1", moved("request.failed", "r1", { ...run, error: "out of space" }));
    expect(look(rig, "r1")).toMatchObject({
      ...run,
      state: "failed",
      error: "out of space",
      prompt: "do it",
    });
  });

  test("S1.9, S1.41: the delivery of its result is counted, also after its end", async () => {
    const rig = await Rig.start();
    await rig.tell("s1", created("r1"), moved("request.processing", "r1"), moved("request.completed", "r1"));
    await rig.tell("s1", delivery("r1", "delivering"));
    await rig.tell("s1", delivery("r1", "failed", "refused"));
    rig.clock.advance(2_000);
    await rig.tell("s1", delivery("r1", "delivering"));
    expect(look(rig, "r1")?.callback).toMatchObject({ success: false, attempts: 2 });
    await rig.tell("s1", delivery("r1", "delivered"));
    expect(look(rig, "r1")).toMatchObject({
      state: "completed",
      callback: { success: true, attempts: 2, retryTimestamps: [new Date(START_MS + 2_000).toISOString()] },
      lastUpdatedAt: START_MS + 2_000,
    });
  });

  test("S1.28: the view has every field of the schema under its name", async () => {
    const rig = await Rig.start();
    const timeoutAt = START_MS + HOUR_MS;
    await rig.tell("s1", created("r1", { chatId: 1, prompt: "do it", timeoutAt }));
    await rig.tell("s1", moved("request.queued", "r1"), moved("request.processing", "r1"));
    const outcome = { model: "opus", tokens: 1, exitCode: 1, output: "o", error: "e" };
    await rig.tell("s1", moved("request.failed", "r1", outcome), delivery("r1", "failed", "gone"));
    const names = [
      ...["requestId", "chatId", "workspace", "state", "previousState", "createdAt", "queuedAt"],
      ...["processingStartedAt", "completedAt", "lastUpdatedAt", "prompt", "model", "tokens", "exitCode"],
      ...["output", "error", "callback", "timeoutAt", "timedOut"],
    ];
    const view = look(rig, "r1");
    expect(Object.keys(view ?? {})).toEqual(expect.arrayContaining(names));
    const callback = ["success", "attempts", "retryTimestamps", "error"];
    expect(Object.keys(view?.callback ?? {})).toEqual(expect.arrayContaining(callback));
  });

  test("S1.29, S1.55: a transition has from, to and a time, and leaves the state before it on the request", async () => {
    const rig = await Rig.start();
    await rig.tell("s1", created("r1"));
    rig.clock.advance(5);
    await rig.tell("s1", moved("request.processing", "r1"));
    expect(rig.changes.at(-1)).toMatchObject({ from: "created", to: "processing", at: START_MS + 5 });
    expect(look(rig, "r1")).toMatchObject({ state: "processing", previousState: "created" });
  });
});

describe("persistence", () => {
  test("S1.2, S1.11, S1.12, S1.52, S1.56: after every step a new engine on the same disk knows the request as it stood", async () => {
    let rig = await Rig.start();
    const steps = [created("r1"), moved("request.queued", "r1"), moved("request.processing", "r1")];
    for (const step of steps) {
      await rig.tell("s1", step);
      const before = look(rig, "r1");
      await rig.engine.stop();
      rig = await rig.restart();
      expect(look(rig, "r1")).toEqual(before);
    }
    await rig.tell("s1", moved("request.completed", "r1"));
    expect(look(rig, "r1")?.state).toBe("completed");
  });

  test("S1.24, S1.27, S1.47: a step whose commit fails is not there in part", async () => {
    let broken = false;
    const rig = await Rig.start({
      wrapStore: (store) =>
        new WrappedStore(store, (_, commit) => (broken ? Promise.reject(new Error("no disk")) : commit())),
    });
    await rig.tell("s1", created("r1"));
    const rows = rig.rows();
    broken = true;
    await expect(rig.tell("s1", moved("request.processing", "r1"))).rejects.toThrow();
    expect(rig.fatals).toHaveLength(1);
    expect(rig.rows()).toEqual(rows);
  });

  test("S1.3, S1.25, S1.54: a thousand requests at once, and many steps of one, end as if told one by one", async () => {
    const rig = await Rig.start();
    const ids = Array.from({ length: 1_000 }, (_, n) => `r${n}`);
    const settled = ids.flatMap((id, n) => [
      rig.submit(`s${n % 7}`, [created(id)]),
      rig.submit(`s${n % 7}`, [moved("request.processing", id)]),
      rig.submit(`s${n % 7}`, [moved(n % 2 === 0 ? "request.completed" : "request.failed", id)]),
    ]);
    for (const receipt of await Promise.all(settled)) await receipt.settled;
    expect(ids.map((id) => look(rig, id)?.state)).toEqual(
      ids.map((_, n) => (n % 2 === 0 ? "completed" : "failed")),
    );
    for (let n = 0; n < 7; n += 1) {
      const versions = rig.changes
        .filter(({ sessionId }) => sessionId === `s${n}`)
        .map(({ version }) => version);
      expect(versions).toEqual(versions.map((_, index) => index + 1));
    }
  });
});

test("S1.64: a request id that may not stand in a path or a subject is refused at the door, with its field", async () => {
  const rig = await Rig.start();
  const door = new Door({ engine: rig.engine, clock: rig.clock, ids: systemIds(), clients });
  for (const requestId of ["", "../x", "a b", "a*", "a\r\nPUB", "x".repeat(129)]) {
    const body = { specversion: "1.0", id: "1", source: "gw", type: "request.created", subject: "w/s1" };
    const bytes = Buffer.from(JSON.stringify({ ...body, data: { requestId } }));
    const { taken } = await door.events(bytes, { door: "http", by: "test" });
    expect(taken).toMatchObject([{ refused: { path: "data.requestId" } }]);
  }
  expect(new Queries(rig.engine).listRequests({}).items).toEqual([]);
});
