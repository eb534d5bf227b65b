// Rules
// Making, removing and listing rules over HTTP; who is taken for their maker.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { textAt, at } from "../../../support/engine/json.ts";
import { read } from "../../../support/http/asking-doors.ts";
import { event, serve, type Served } from "../../../support/http/served.ts";
import { PREFIX, ruleDesk } from "../../../support/rules/rule-desk.ts";

const BY = "local:tester";

let served: Served;
beforeEach(async () => {
  served = await serve();
});
afterEach(() => served.stop());

const { ask, decide, listed, made } = ruleDesk(() => served);

describe("rules over HTTP", () => {
  test("RULING-7: a folder answers for its files, not for those in it that run later", async () => {
    await made({ ...PREFIX, tool: "Write", match: { kind: "prefix", text: "/repo" } });
    const write = (approvalId: string, file_path: string) =>
      ask(approvalId, "", { tool: "Write", input: { file_path, content: "x" } });
    await write("q1", "/repo/a.ts");
    await write("q2", "/repo/.git/hooks/pre-commit");
    await write("q3", "/repo/package.json");
    const states = ["q1", "q2", "q3"].map(
      async (id) => (await served.get(`/v1/approvals/${id}?workspace=shop`)).body,
    );
    expect(await Promise.all(states)).toMatchObject([
      { state: "approved" },
      { state: "pending" },
      { state: "pending" },
    ]);
  });

  test("RULE-DOOR-1, HTTP-RULING-1: is made by the token's name, answers, and says so on the approval and its call", async () => {
    const rule = await made({ ...PREFIX, note: "reads", uses: 3, forMs: 60_000 });
    expect(rule).toMatchObject({ madeBy: BY, state: "in-force", used: 0, expiresAt: rule.madeAt + 60_000 });
    await served.post(
      "/v1/events",
      event("tool.started", { tool: "Bash", input: { command: "git status" }, toolUseId: "t1" }),
    );
    await ask("q1", "git status", { toolUseId: "t1" });
    const message = `Allowed by rule ${rule.id}, made by ${BY}: reads`;
    const { body } = await served.get("/v1/approvals/q1?workspace=shop");
    expect(body).toMatchObject({ state: "approved", by: `rule:${rule.id}`, message });
    const call = (await served.get("/v1/tool-calls/t1")).body;
    expect(at(call, "approval")).toMatchObject({ id: "q1", state: "approved", by: `rule:${rule.id}` });
    expect(await listed()).toMatchObject([{ id: rule.id, used: 1 }]);
    const asked = { id: "q1", session: "s1", call: "t1", tool: "Bash", input: { command: "git status" } };
    expect((await read(served, asked)).body).toMatchObject({ decision: "allow", state: "approved" });
  });

  test("PAGING-2: the pages of the rules of several workspaces have each once, the newest first", async () => {
    const ids: string[] = [];
    for (const workspace of ["shop", "web", "shop"]) ids.push((await made({ ...PREFIX, workspace })).id);
    const paged: unknown[] = [];
    let cursor: string | undefined;
    do {
      const { body } = await served.get(
        `/v1/rules?limit=1${cursor === undefined ? "" : `&cursor=${cursor}`}`,
      );
      paged.push(at(body, "items", 0, "id"));
      cursor = textAt(body, "nextCursor");
    } while (cursor !== undefined);
    expect(paged).toEqual(ids.toReversed());
  });

  test("RULE-DOOR-1: names its maker no other way, and needs a token", async () => {
    const { status, body } = await served.post("/v1/rules", { ...PREFIX, madeBy: "root" });
    expect([status, textAt(body, "error", "path")]).toEqual([400, "madeBy"]);
    const stranger = { Authorization: "Bearer none" };
    expect((await served.post("/v1/rules", PREFIX, stranger)).status).toBe(401);
    const { id } = await made(PREFIX);
    expect((await served.remove(`/v1/rules/${id}`, stranger)).status).toBe(401);
    const other = { Authorization: "Bearer another-token" };
    expect((await served.remove(`/v1/rules/${id}`, other)).body).toMatchObject({
      rule: { state: "removed", madeBy: BY, ended: { by: "http:other" } },
    });
  });

  test("RULE-DOOR-2: what cannot be made is refused with its field, and is in no journal", async () => {
    const wrong: readonly (readonly [object, string])[] = [
      [{ ...PREFIX, match: undefined }, "match"],
      [{ ...PREFIX, match: { kind: "glob", text: "git *; rm *" } }, "match.glob"],
      [{ ...PREFIX, match: { kind: "regex", text: "x" } }, "match"],
      [{ ...PREFIX, uses: 0 }, "uses"],
      [{ ...PREFIX, effect: "maybe" }, "effect"],
      [{ ...PREFIX, workspace: "a/b" }, "workspace"],
      [{ ...PREFIX, project: "/" }, "project"],
      [{ ...PREFIX, forMs: 5, expiresAt: 5 }, "forMs"],
      [{ ...PREFIX, surprise: 1 }, "surprise"],
    ];
    for (const [rule, path] of wrong) {
      const { status, body } = await served.post("/v1/rules", rule);
      expect([rule, status, textAt(body, "error", "path")]).toEqual([rule, 400, path]);
    }
    const over = await served.post("/v1/rules", { ...PREFIX, expiresAt: 1 });
    expect([over.status, textAt(over.body, "error", "path")]).toEqual([400, "expiresAt"]);
    expect(await listed()).toEqual([]);
  });

  test("DOOR-2: the same key makes one rule, and removes it once", async () => {
    const key = { "Idempotency-Key": "k1" };
    const [one, two] = [
      await served.post("/v1/rules", PREFIX, key),
      await served.post("/v1/rules", PREFIX, key),
    ];
    expect(two.body).toEqual(one.body);
    expect(await listed()).toHaveLength(1);
    expect((await served.post("/v1/rules", { ...PREFIX, uses: 1 }, key)).status).toBe(422);
    const id = textAt(one.body, "rule", "id") ?? "";
    const removed = [await served.remove(`/v1/rules/${id}`), await served.remove(`/v1/rules/${id}`)];
    expect(removed.map(({ status }) => status)).toEqual([200, 404]);
  });

  test("RULE-ROWS-4: lists those in force and those that ended; each is of its workspace", async () => {
    const [one, two] = [await made(PREFIX), await made({ ...PREFIX, workspace: "other" })];
    await served.remove(`/v1/rules/${one.id}?workspace=shop`);
    expect((await served.remove(`/v1/rules/${two.id}?workspace=shop`)).status).toBe(404);
    expect((await listed()).map(({ id }) => id)).toEqual([two.id]);
    expect((await listed("?workspace=shop")).length).toBe(0);
    expect(await listed("?state=ended&workspace=shop")).toMatchObject([{ id: one.id, state: "removed" }]);
    expect((await served.get(`/v1/rules/${one.id}`)).body).toMatchObject({ state: "removed" });
    expect((await served.get(`/v1/rules/${two.id}?workspace=shop`)).status).toBe(404);
    expect((await served.get("/v1/rules/r_zz")).status).toBe(404);
  });

  test("RULING-8, DRY-RECORDING-1: a dry rule leaves each to a person, counts, and answers once somebody makes it", async () => {
    const { id, dry } = await made({ ...PREFIX, dry: true });
    expect(dry).toBe(true);
    await ask("q1", "git status");
    await decide("q1", "approve");
    await ask("q2", "git status", { toolUseId: "t2" });
    await decide("q2", "deny");
    expect(await listed()).toMatchObject([
      { id, dry: true, used: 0, record: { asked: 2, answered: 2, contradicted: 1 } },
    ]);
    expect((await served.post("/v1/rules/test", { workspace: "shop", rules: [id] })).body).toMatchObject({
      allow: 2,
      differing: 1,
    });
    const enforced = await served.post(`/v1/rules/${id}/enforce?workspace=shop`, {});
    expect(enforced.body).toMatchObject({ rule: { id, enforced: { by: BY }, state: "in-force" } });
    expect((await served.post(`/v1/rules/${id}/enforce?workspace=other`, {})).status).toBe(404);
    await ask("q3", "git status", { toolUseId: "t3", requestId: "later" });
    expect((await served.get("/v1/approvals/q3")).body).toMatchObject({
      state: "approved",
      by: `rule:${id}`,
    });
  });

  test("RULE-ROWS-2: 200 are the most", async () => {
    for (let n = 0; n < 200; n += 1)
      await made({ ...PREFIX, match: { kind: "prefix", text: `git log ${n}` } });
    const { status, body } = await served.post("/v1/rules", PREFIX);
    expect([status, textAt(body, "error", "code")]).toEqual([409, "TOO_MANY_RULES"]);
  });
});
