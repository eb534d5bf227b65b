// Left open
// What comes with a page of a history, against the lists of the same engine.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { keys } from "../../../../runtime/rows/keys.ts";
import { at, listAt, textAt } from "../../../support/engine/json.ts";
import { event, serve, type Served } from "../../../support/http/served.ts";
import {
  childAddress,
  sessionAddress,
  type SessionId,
  type WorkspaceId,
} from "../../../../machines/index.ts";

let served: Served;
beforeEach(async () => {
  served = await serve();
});
afterEach(() => served.stop());

const HOME = sessionAddress("shop" as WorkspaceId, "s1" as SessionId);
const send = (type: string, data: object) =>
  served.post("/v1/events", event(type, data, { subject: "shop/s1" }));

const callOf = (id: string, more: object = {}) => ({
  requestId: "r1",
  toolUseId: id,
  tool: "Bash",
  input: { command: `echo ${id}` },
  ...more,
});

/** Calls that run from early on, one of a subagent and one that waits for a person, and many that ran after them. */
async function play(later: number): Promise<void> {
  await send("request.created", { requestId: "r0", prompt: "Before." });
  await send("request.processing", { requestId: "r0" });
  await send("request.completed", { requestId: "r0" });
  await send("request.created", { requestId: "r1", prompt: "All of it." });
  await send("request.processing", { requestId: "r1" });
  await send("tool.started", callOf("long"));
  await send("tool.started", callOf("inner", { agentId: "a1", parentToolUseId: "long" }));
  await send("tool.announced", callOf("asked", { messageId: "m1", blockIndex: 0 }));
  await send("approval.requested", { ...callOf("asked"), approvalId: "q1" });
  for (let n = 0; n < later; n += 1) {
    await send("tool.started", callOf(`c${n}`));
    await send("tool.finished", { ...callOf(`c${n}`), output: "ok" });
  }
}

const page = async (wish: string): Promise<unknown> =>
  (await served.get(`/v1/sessions/s1/history?standing=true&${wish}`)).body;
const standingIn = (body: unknown): readonly string[] =>
  listAt(body, "standing").map((each) => `${textAt(each, "entity") ?? ""} ${textAt(each, "id") ?? ""}`);
const changedIn = (body: unknown): ReadonlySet<string> =>
  new Set(listAt(body, "items").map((each) => `${textAt(each, "entity") ?? ""} ${textAt(each, "id") ?? ""}`));

/** The calls that the list of calls says are open. */
async function openCalls(): Promise<readonly unknown[]> {
  const { body } = await served.get("/v1/sessions/s1/tool-calls?limit=1000");
  return listAt(body, "items").filter((call) =>
    ["created", "queued", "processing"].includes(textAt(call, "execution") ?? ""),
  );
}

describe("what comes with a page of a history", () => {
  test.each([1, 10, 70, 1_000])(
    "LEFT-OPEN-1: with %i changes, page and standing together name every open call, and no call twice",
    async (limit) => {
      await play(20);
      const body = await page(`limit=${limit}`);
      const told = changedIn(body);
      const open = await openCalls();
      const named = standingIn(body).filter((each) => each.startsWith("toolcall"));
      const expected = open
        .map((call) => `toolcall ${textAt(call, "id") ?? ""}`)
        .filter((each) => !told.has(each));
      expect(new Set(named)).toEqual(new Set(expected));
      expect(named).toHaveLength(expected.length);
      expect(expected.length > 0).toBe(limit < 1_000);
    },
  );

  test("LEFT-OPEN-1: the views are those of the queries, with the approval of a call that waits", async () => {
    await play(20);
    const body = await page("limit=10");
    expect(new Set(standingIn(body))).toEqual(
      new Set([
        "session s1",
        "request r1",
        "toolcall long",
        "toolcall inner",
        "toolcall asked",
        "approval q1",
      ]),
    );
    const views = new Map(listAt(body, "standing").map((each) => [textAt(each, "id"), at(each, "view")]));
    for (const call of await openCalls())
      expect({ workspace: "shop", ...(views.get(textAt(call, "id")) as object) }).toEqual(call);
    expect(views.get("s1")).toEqual((await served.get("/v1/sessions/s1")).body);
    const { body: requests } = await served.get("/v1/requests?session=s1");
    expect(listAt(requests, "items")).toContainEqual(views.get("r1"));
    const { body: approvals } = await served.get("/v1/approvals?state=pending");
    expect(listAt(approvals, "items")).toEqual([views.get("q1")]);
  });

  test.each([
    ["call=long", "toolcall long"],
    ["call=c3", "toolcall c3"],
    ["id=q1", "approval q1"],
    ["id=r0", "request r0"],
    ["id=s1", "session s1"],
  ])("LEFT-OPEN-1: with the changes of one machine (%s) comes that machine", async (wish, name) => {
    await play(5);
    expect(standingIn(await page(`${wish}&limit=1`))).toEqual([name]);
  });

  test("LEFT-OPEN-2: an older page has the requests it names, and neither the session nor its calls", async () => {
    await play(20);
    const cursor = textAt(await page("limit=10"), "nextCursor") ?? "";
    expect(standingIn(await page(`limit=10&cursor=${cursor}`))).toEqual(["request r1"]);
  });

  test("LEFT-OPEN-2: of more than 100 open calls the newest 100 come", async () => {
    await send("request.created", { requestId: "r1" });
    for (let n = 0; n < 130; n += 1) await send("tool.started", callOf(`c${n}`));
    await send("request.created", { requestId: "r2" });
    const named = standingIn(await page("limit=1")).filter((each) => each.startsWith("toolcall"));
    expect(named).toEqual(Array.from({ length: 100 }, (_, n) => `toolcall c${n + 30}`));
  });

  test("G9: a call that cannot be read hides only itself", async () => {
    await play(20);
    served.disk.rows.set(keys.actor(childAddress(HOME, "call", "long")), "{not json");
    const named = standingIn(await page("limit=10"));
    expect(new Set(named)).toEqual(
      new Set(["session s1", "request r1", "toolcall inner", "toolcall asked", "approval q1"]),
    );
  });

  test("LEFT-OPEN-1: it does not come unless it is asked for", async () => {
    await play(1);
    expect((await served.get("/v1/sessions/s1/history")).body).not.toHaveProperty("standing");
  });
});
