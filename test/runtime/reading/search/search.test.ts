// Search
// Words of sessions, prompts and calls, found wherever they are kept; what is gone, what is new, what is too much.

import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { codeOf } from "../../../support/engine/refusal.ts";
import { Reader } from "../../../../runtime/reading/reader.ts";
import { Search } from "../../../../runtime/reading/search/search.ts";
import { keys } from "../../../../runtime/rows/keys.ts";
import { event, serve, type Served } from "../../../support/http/served.ts";

const LIMITS = { things: 1_000, characters: 1_000_000, rows: 1_000, waitMs: 60_000, quiet: 1_000 };

let served: Served;
let search: Search;
beforeEach(async () => {
  served = await serve();
  search = new Search(served.engine, new Reader(served.engine.store), LIMITS);
});
afterEach(() => served.stop());

const limited = (limits: Partial<typeof LIMITS>): Search =>
  new Search(served.engine, new Reader(served.engine.store), { ...LIMITS, ...limits });

/** A session with a request of one call. */
async function play(subject: string, n: number, command: string, prompt = `Prompt ${n}`): Promise<void> {
  const requestId = `r${n}`;
  served.clock.advance(1_000);
  const of = { subject };
  const { status } = await served.post("/v1/events", [
    event("session.started", { title: `Title ${n}`, cwd: "/home/you/shop", branch: "main" }, of),
    event("request.created", { requestId, prompt }, of),
    event("request.processing", { requestId }, of),
    event(
      "tool.started",
      { requestId, toolUseId: `t${n}`, tool: "Bash", input: { command, deep: [{ flag: 7 }] } },
      of,
    ),
  ]);
  expect(status).toBe(200);
}

const found = async (text: string, more: object = {}, by = search): Promise<readonly string[]> =>
  (await by.find({ text, ...more })).items.map(({ kind, id }) => `${kind} ${id}`);

describe("the search", () => {
  test("SEARCH-1, SEARCH-WORDS-1: finds titles, prompts, tools, values of inputs and ids, in whatever case", async () => {
    await play("shop/one", 1, 'git push "origin"\n--force', "Mend the CART");
    await play("shop/two", 2, "npm test");
    expect(await found("title 1")).toEqual(["session one"]);
    expect(await found("cart")).toEqual(["request r1"]);
    expect(await found("PUSH force")).toEqual(["call t1"]);
    expect(await found('"origin" 7')).toEqual(["call t1"]);
    expect(await found("bash")).toEqual(["call t2", "call t1"]);
    // A name in an input is no word, nor is half of what was looked for.
    expect(await found("command")).toEqual([]);
    expect(await found("push nowhere")).toEqual([]);
    expect((await search.find({ text: "force" })).items).toEqual([
      {
        ...{ kind: "call", workspace: "shop", sessionId: "one", id: "t1", at: served.clock.now() - 1_000 },
        ...{ state: "processing", title: "Bash", around: "--force", session: "Title 1" },
      },
    ]);
  });

  test("SEARCH-1: a call that waits for a person, and its request, are found as waiting, until the answer", async () => {
    await play("shop/one", 1, "npm test", "Run npm test");
    const call = { requestId: "r1", toolUseId: "t1", tool: "Bash", input: { command: "npm test" } };
    const of = { subject: "shop/one" };
    const states = async () =>
      (await search.find({ text: "npm" })).items.map(({ kind, state }) => `${kind} ${state}`);
    expect(await states()).toEqual(["request processing", "call processing"]);
    await served.post("/v1/events", [event("approval.requested", { ...call, approvalId: "a1" }, of)]);
    expect(await states()).toEqual(["request waiting", "call waiting"]);
    await served.post("/v1/events", [
      event("approval.answered", { approvalId: "a1", decision: "approve", by: "ann" }, of),
    ]);
    expect(await states()).toEqual(["request processing", "call processing"]);
  });

  test("SEARCH-1, LOOKUP-2: an id is found as it is, an approval's too, in every workspace or in the named one", async () => {
    await play("shop/one", 1, "ls");
    await play("bank/one", 1, "ls");
    const asked = { approvalId: "q7", requestId: "r1", tool: "Write", input: { path: "a" } };
    await served.post("/v1/events", event("approval.requested", asked, { subject: "bank/one" }));
    expect(await found("q7")).toEqual(["approval q7"]);
    expect(await found("q7", { workspace: "shop" })).toEqual([]);
    expect(await found("t1")).toEqual(["call t1", "call t1"]);
    const { items } = await search.find({ text: "one", workspace: "bank" });
    expect(items.map(({ kind, workspace }) => `${kind} ${workspace}`)).toEqual(["session bank"]);
    expect(await found("t1", { workspace: "../x" })).toEqual([]);
  });

  test("SEARCH-1: what comes after the index was begun is found as it is now, and what is gone is not", async () => {
    await play("shop/one", 1, "ls early");
    expect(await found("early")).toEqual(["call t1"]);
    await play("shop/two", 2, "ls late");
    expect(await found("late")).toEqual(["call t2"]);
    await served.post(
      "/v1/events",
      event("tool.finished", { toolUseId: "t2", tool: "Bash", output: "" }, { subject: "shop/two" }),
    );
    expect((await search.find({ text: "late" })).items).toMatchObject([{ state: "completed" }]);
    served.disk.rows.delete(keys.actor("shop/two/call/t2" as never));
    expect(await found("late")).toEqual([]);
    expect(search.kept).toBe(5);
  });

  test("SEARCH-2, SEARCH-FILLING-1: answers before everything was read, tells how far it is, and the reading goes on by itself", async () => {
    for (let n = 1; n <= 6; n += 1) await play(`shop/s${n}`, n, `echo ${n}`);
    const slow = limited({ rows: 4, waitMs: 0 });
    const first = await slow.find({ text: "echo" });
    expect([first.searched < 18, first.isWhole, first.since]).toEqual([true, false, undefined]);
    // The newest session first.
    expect(first.items[0]?.id).toEqual("t6");
    await expect.poll(() => slow.kept).toBe(18);
    await expect.poll(async () => (await slow.find({ text: "echo" })).isWhole).toBe(true);
    const { items, searched } = await slow.find({ text: "echo" });
    expect([items.length, searched]).toEqual([6, 18]);
  });

  test("SEARCH-FILLING-2: an engine that is stopped while it reads reads no further", async () => {
    for (let n = 1; n <= 6; n += 1) await play(`shop/s${n}`, n, `echo ${n}`);
    const slow = limited({ rows: 1, waitMs: 0 });
    await slow.find({ text: "echo" });
    const stopping = served.engine.stop();
    const { kept } = slow;
    await stopping;
    await sleep(50);
    expect(slow.kept).toBe(kept);
  });

  test("SEARCH-2, SEARCH-ROWS-1: with more than it may keep, the oldest are left out, and it says since when", async () => {
    for (let n = 1; n <= 6; n += 1) await play(`shop/s${n}`, n, `echo ${n}`);
    const small = limited({ things: 9 });
    const told = await small.find({ text: "echo" });
    expect(told.items.map(({ id }) => id)).toEqual(["t6", "t5", "t4"]);
    expect([told.isWhole, told.searched]).toEqual([false, 9]);
    expect(told.since).toBe(served.clock.now() - 2_000);
    const { more } = await search.find({ text: "echo", limit: 2 });
    expect(more).toEqual(["call"]);
  });

  test("SEARCH-3: an engine nobody searches keeps nothing, nor does one that was searched long ago", async () => {
    await play("shop/one", 1, "ls");
    const forgetful = limited({ quiet: 20 });
    expect(forgetful.kept).toBe(0);
    await forgetful.find({ text: "ls" });
    expect(forgetful.kept).toBe(3);
    for (let n = 2; n <= 4; n += 1) await play("shop/one", n, "ls");
    expect(forgetful.kept).toBe(0);
    expect(await found("ls", {}, forgetful)).toHaveLength(4);
  });

  test("SEARCH-ROWS-2: a session with more calls than are read at once is read whole, each call once", async () => {
    await play("shop/long", 0, "begin");
    const calls = Array.from({ length: 250 }, (_, n) =>
      event(
        "tool.started",
        { requestId: "r0", toolUseId: `more${n}`, tool: "Bash", input: { command: `step ${n}` } },
        { subject: "shop/long" },
      ),
    );
    expect((await served.post("/v1/events", calls)).status).toBe(200);
    const { items, searched } = await search.find({ text: "step", limit: 1_000 });
    expect(new Set(items.map(({ id }) => id)).size).toBe(250);
    expect([items.length, searched]).toEqual([250, 253]);
  });

  test("SEARCH-1: more words than anybody types are refused, and a text without a word finds the newest", async () => {
    await play("shop/one", 1, "ls");
    for (const text of ["x".repeat(201), "a b c d e f g h i"])
      expect(await codeOf(search.find({ text }))).toBe("BAD_PARAMETER");
    expect(await codeOf(search.find({ text: "a", limit: 0 }))).toBe("BAD_LIMIT");
    expect(await found("  ")).toEqual(["session one", "request r1", "call t1"]);
  });

  test("SEARCH-1: over HTTP, with its parameters", async () => {
    await play("shop/one", 1, "ls -la");
    const { status, body, headers } = await served.get("/v1/search?text=la&limit=5&workspace=shop");
    expect([status, body]).toMatchObject([200, { items: [{ kind: "call", id: "t1" }], isWhole: true }]);
    expect(headers.get("Signalbox-Change")).toMatch(/^journal-1-\d+$/);
    expect((await served.get("/v1/search?text=la&workspace=bank")).body).toMatchObject({
      items: [],
      searched: 0,
    });
  });
});
