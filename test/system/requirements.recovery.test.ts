// Seed 001, request tracking, through an engine: lists, what a start finds, what goes by itself.

import { describe, expect, test } from "vitest";
import { Queries } from "../../runtime/reading/queries.ts";
import { created, look, moved } from "../support/sessions/requests.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, Rig, START_MS, WORKSPACE } from "../support/engine/rig.ts";
import { call, said } from "../support/sessions/said.ts";

describe("lists", () => {
  const filled = async (): Promise<Queries> => {
    const rig = await Rig.start();
    for (const [n, id] of ["r1", "r2", "r3", "r4"].entries()) {
      await rig.submit("s1", [created(id)], {
        workspace: (n === 3 ? "other" : WORKSPACE) as typeof WORKSPACE,
      });
      await rig.pass(1_000);
    }
    await rig.tell("s1", moved("request.processing", "r2"));
    return new Queries(rig.engine);
  };
  const ids = (page: { readonly items: readonly { readonly requestId: string }[] }): readonly string[] =>
    page.items.map(({ requestId }) => requestId);

  test("S1.16, S1.17, S1.49: by workspace, by state, by both", async () => {
    const queries = await filled();
    expect(ids(queries.listRequests({ workspace: WORKSPACE }))).toEqual(["r3", "r2", "r1"]);
    expect(ids(queries.listRequests({ state: "created" }))).toEqual(["r4", "r3", "r1"]);
    expect(ids(queries.listRequests({ workspace: WORKSPACE, state: "processing" }))).toEqual(["r2"]);
  });

  test("S1.18: by the time they were created", async () => {
    const queries = await filled();
    expect(ids(queries.listRequests({ since: START_MS + 1_000, until: START_MS + 3_000 }))).toEqual([
      "r3",
      "r2",
    ]);
  });

  test("S1.35: newest first, a hundred unless told otherwise, and what fits is not lost behind what does not", async () => {
    const rig = await Rig.start();
    const all = Array.from({ length: 150 }, (_, n) => `r${n}`);
    for (const [n, id] of all.entries()) {
      await rig.tell("s1", created(id), ...(n < 120 ? [moved("request.processing", id)] : []));
      rig.clock.advance(1);
    }
    const queries = new Queries(rig.engine);
    const first = queries.listRequests({});
    expect(ids(first)).toEqual(all.toReversed().slice(0, 100));
    expect(first.nextCursor).toBeDefined();
    expect(ids(queries.listRequests({ state: "processing" }, { limit: 2 }))).toEqual(["r119", "r118"]);
  });
});

describe("recovery and retention", () => {
  test("S1.19, S1.21: a start finds what is open, and tells", async () => {
    const rig = await Rig.start();
    await rig.tell("s1", created("r1"), created("r2"), moved("request.processing", "r2"), created("r3"));
    await rig.tell("s1", moved("request.failed", "r3"));
    await rig.engine.stop();
    const next = await rig.restart();
    expect(next.engine.recovered).toMatchObject({ openRequests: 2 });
    expect(next.engine.recovered?.oldest).toEqual(expect.arrayContaining([`${WORKSPACE}/s1/request/r1`]));
  });

  test("S1.37, S1.50, S1.57: 61 minutes of processing, told by a clock or found at a start, end as timeout", async () => {
    const live = await Rig.start();
    await live.tell("s1", created("r1"), moved("request.processing", "r1"));
    await live.pass(59 * MINUTE_MS);
    expect(look(live, "r1")?.state).toBe("processing");
    await live.pass(2 * MINUTE_MS);
    expect(look(live, "r1")).toMatchObject({ state: "timeout", timedOut: true, previousState: "processing" });

    const down = await Rig.start();
    await down.tell("s1", created("r1"), moved("request.processing", "r1"));
    await down.engine.stop();
    down.clock.advance(61 * MINUTE_MS);
    const next = await down.restart();
    await next.quiet();
    expect(look(next, "r1")).toMatchObject({ state: "timeout", timedOut: true });
  });

  test("S1.57: waiting for a person is not hanging", async () => {
    const rig = await Rig.start();
    await rig.tell("s1", said.prompt("p1"), said.pre(call("c1")), said.ask("a1", call("c1")));
    await rig.pass(10 * HOUR_MS);
    expect(look(rig, "p1")).toMatchObject({ state: "processing", waiting: true });
  });

  test("S1.13, S1.22, S1.26, S1.51: what has been over for 24 hours is gone, what is open stays", async () => {
    const rig = await Rig.start();
    await rig.tell("s1", created("r1"), created("open"), moved("request.processing", "r1"));
    await rig.tell("s1", moved("request.completed", "r1"));
    await rig.pass(DAY_MS - MINUTE_MS);
    expect(look(rig, "r1")).toBeDefined();
    await rig.pass(2 * MINUTE_MS);
    expect(look(rig, "r1")).toBeUndefined();
    expect(new Queries(rig.engine).listRequests({}).items.map(({ requestId }) => requestId)).toEqual([
      "open",
    ]);
    const left = [...rig.rows().keys()].filter((key) => key.includes("r1") && !/^(book|tomb)\//.test(key));
    expect(left).toEqual([]);
  });

  test("S1.37: a record that cannot be read hides itself and stops nobody", async () => {
    const rig = await Rig.start();
    await rig.tell("s1", created("r1"));
    await rig.tell("s2", created("r2"));
    await rig.engine.stop();
    rig.disk.rows.set(`actor/${WORKSPACE}/s1/request/r1`, "{");
    const next = await rig.restart();
    const page = new Queries(next.engine).listRequests({});
    expect(page).toMatchObject({ items: [{ requestId: "r2" }], unreadable: 1 });
    await next.tell("s2", moved("request.processing", "r2"));
    expect(look(next, "r2")?.state).toBe("processing");
  });
});
