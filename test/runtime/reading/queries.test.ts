// Queries
// Lists of a few hundred requests, read page by page, compared with a model that only filters and sorts.

import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RequestFilter } from "../../../runtime/reading/filters.ts";
import { AmbiguousError } from "../../../runtime/errors/ambiguous.ts";
import type { Page, Slice } from "../../../runtime/reading/paging.ts";
import { RefusedError } from "../../../runtime/errors/errors.ts";
import { event, serve, type Served } from "../../support/http/served.ts";

interface Known {
  readonly requestId: string;
  readonly workspace: string;
  readonly sessionId: string;
  readonly chatId: string | number;
  readonly createdAt: number;
  state: string;
}

const T0 = 1_800_000_000_000;
const COUNT = 400;
const WORKSPACES = ["shop", "shop-2", "bank"];
const CHATS = [1, "1", "general", "a/b *"];
const MOVES = ["created", "queued", "processing", "completed", "failed"];

let served: Served;
const model: Known[] = [];

/** A number from 0 to `below`, the same in every run, without a pattern that lists could follow. */
const scatter = (n: number, salt: number, below: number): number =>
  ((n * 7919 + salt * 104_729) % 1_000_003) % below;

beforeAll(async () => {
  served = await serve();
  for (let n = 0; n < COUNT; n += 1) {
    const known: Known = {
      requestId: `r${scatter(n, 1, 1_000_003)}`,
      workspace: WORKSPACES[scatter(n, 2, 3)] ?? "",
      sessionId: `s${scatter(n, 3, 5)}`,
      chatId: CHATS[scatter(n, 4, 4)] ?? 0,
      createdAt: T0 + Math.floor(n / 3) * 1000,
      state: MOVES[scatter(n, 5, 5)] ?? "",
    };
    model.push(known);
    served.clock.advance(known.createdAt - served.clock.now());
    await served.post("/v1/events", lifeOf(known));
  }
}, 60_000);
afterAll(() => served.stop());

/** The inputs that bring a request to its state. */
function lifeOf({ requestId, workspace, sessionId, chatId, state }: Known): readonly object[] {
  const subject = `${workspace}/${sessionId}`;
  const moves = state === "created" ? [] : state === "queued" ? ["queued"] : ["queued", "processing"];
  const end = state === "completed" || state === "failed" ? [state] : [];
  return [
    event("request.created", { requestId, chatId }, { subject }),
    ...[...moves, ...end].map((move) => event(`request.${move}`, { requestId }, { subject })),
  ];
}

interface Read<T> {
  readonly items: readonly T[];
  readonly pages: number;
}

function all<T>(ask: (slice: Slice) => Page<T> | undefined, limit: number): Read<T> {
  const items: T[] = [];
  let pages = 0;
  let cursor: string | undefined;
  do {
    const page = ask(cursor === undefined ? { limit } : { limit, cursor });
    if (!page) throw new Error("There is no such list.");
    expect(page.items.length).toBeLessThanOrEqual(limit);
    items.push(...page.items);
    cursor = page.nextCursor;
    pages += 1;
  } while (cursor !== undefined);
  return { items, pages };
}

function expected({ workspace, session, chatId, state, since, until }: RequestFilter): readonly string[] {
  return model
    .filter((known) => workspace === undefined || known.workspace === workspace)
    .filter((known) => session === undefined || known.sessionId === session)
    .filter((known) => chatId === undefined || String(known.chatId) === chatId)
    .filter((known) => state === undefined || known.state === state)
    .filter(({ createdAt }) => createdAt >= (since ?? 0) && createdAt < (until ?? Infinity))
    .map(({ requestId }) => requestId)
    .sort();
}

const filters = fc
  .record(
    {
      workspace: fc.constantFrom(...WORKSPACES, "nowhere"),
      chatId: fc.constantFrom(...CHATS.map(String), "none"),
      state: fc.constantFrom(...MOVES, "timeout"),
      since: fc.integer({ min: T0 - 5000, max: T0 + 140_000 }),
      until: fc.integer({ min: T0 - 5000, max: T0 + 140_000 }),
    },
    { requiredKeys: [] },
  )
  .chain((filter) =>
    filter.workspace === undefined
      ? fc.constant(filter)
      : fc.oneof(fc.constant(filter), fc.constant({ ...filter, session: "s3" })),
  );

describe("S1.16–S1.18: lists", () => {
  it("S1.16, S1.17, S1.18, LISTING-1: any filter shows what the model shows, page by page, newest first", () => {
    fc.assert(
      fc.property(filters, fc.integer({ min: 1, max: 60 }), (filter, limit) => {
        const { items } = all((slice) => served.queries.listRequests(filter, slice), limit);
        expect(items.map(({ requestId }) => requestId).sort()).toEqual(expected(filter));
        const times = items.map(({ createdAt }) => createdAt);
        expect(times).toEqual([...times].sort((a, b) => b - a));
      }),
      { numRuns: 200 },
    );
  });

  it("S1.35: the limit is 100 when none is given, and the newest are first", () => {
    const page = served.queries.listRequests({});
    expect(page.items).toHaveLength(100);
    expect(page.items[0]?.createdAt).toBe(model.at(-1)?.createdAt);
  });

  it("S1.35: an invalid limit or cursor is refused", () => {
    for (const limit of [0, 1001, 1.5, -1, NaN])
      expect(() => served.queries.listRequests({}, { limit })).toThrow(RefusedError);
    for (const cursor of ["", "x", "%%%", Buffer.from("list/../meta").toString("base64url")])
      expect(() => served.queries.listRequests({}, { cursor })).toThrow(RefusedError);
  });

  it("S1.4, S1.15: a request is found by its id, in its state", () => {
    for (const { requestId, state, workspace, sessionId, chatId } of model)
      expect(served.queries.getRequest(requestId)).toMatchObject({
        requestId,
        state,
        workspace,
        sessionId,
        chatId,
      });
    for (const id of ["nobody", "", "a/b", "x".repeat(3000)])
      expect(served.queries.getRequest(id)).toBeUndefined();
  });

  it("S1.16: sessions are listed by the time they began: from since on, before until", () => {
    const every = all((slice) => served.queries.listSessions({}, slice), 100).items;
    const times = [...new Set(every.map(({ createdAt }) => createdAt))].toSorted((a, b) => a - b);
    const [since = 0, until = 0] = [times.at(1), times.at(-2)];
    const wanted = every.filter(({ createdAt }) => createdAt >= since && createdAt < until);
    expect(wanted.length).toBeGreaterThan(0);
    expect(wanted.length).toBeLessThan(every.length);
    expect(all((slice) => served.queries.listSessions({ since, until }, slice), 2).items).toEqual(wanted);
  });

  it("S1.16: sessions are listed by workspace and state; an id in several workspaces is not guessed", () => {
    const { items } = all((slice) => served.queries.listSessions({ workspace: "bank" }, slice), 2);
    const wanted = new Set(
      model.filter(({ workspace }) => workspace === "bank").map(({ sessionId }) => sessionId),
    );
    expect(items.map(({ id }) => id).sort()).toEqual([...wanted].sort());
    expect(() => served.queries.getSession("s0")).toThrow(AmbiguousError);
    expect(served.queries.getSession("s0", { workspace: "bank" })).toMatchObject({
      id: "s0",
      workspace: "bank",
    });
    expect(all((slice) => served.queries.listSessions({ state: "running" }, slice), 100).items).toHaveLength(
      15,
    );
  });

  it("S1.37: a record that cannot be read hides only itself", async () => {
    const [known] = model.filter(({ workspace }) => workspace === "bank");
    if (!known) throw new Error("The model has none.");
    const key = [...served.engine.store.range({ gte: "actor/bank/", lt: "actor/bank0" })]
      .map(([found]) => found)
      .find((found) => found.endsWith(`/request/${known.requestId}`));
    const text = served.disk.rows.get(key ?? "") ?? "";
    served.disk.rows.set(key ?? "", text.slice(0, 40));
    const page = served.queries.listRequests({ workspace: "bank" }, { limit: 1000 });
    expect([page.items.length, page.unreadable]).toEqual([expected({ workspace: "bank" }).length - 1, 1]);
    expect((await served.get(`/v1/requests/${known.requestId}`)).status).toBe(500);
    served.disk.rows.set(key ?? "", text);
  });
});
