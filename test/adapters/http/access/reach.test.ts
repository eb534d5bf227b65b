// HTTP: reach
// Whoever is limited to workspaces learns nothing of another: no byte of an answer has its name, its ids, its words.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Access, Part } from "../../../../runtime/access-token.ts";
import { PARTS } from "../../../../runtime/access-token.ts";
import { at, listAt, textAt } from "../../../support/engine/json.ts";
import { INPUT, inputHash, READS, story } from "../../../support/http/canary.ts";
import { isOfWholeEngine } from "../../../support/http/opened.ts";
import { event, serve, type Served } from "../../../support/http/served.ts";

const ONE = { name: "http:one", token: "the-token-of-one-is-long-enough" };
const TWO = { name: "http:two", token: "the-token-of-two-is-long-enough" };
const ROOT = { name: "http:root", token: "the-token-of-root-is-long-enough" };
const within = (...workspaces: readonly string[]): Access => ({
  parts: new Set<Part>(PARTS),
  workspaces: new Set(workspaces),
});
/** In each name, id and word of the workspace that nobody here may know of. */
const CANARY = "canary";

let served: Served;
let rules: Readonly<Record<string, string>> = {};
beforeAll(async () => {
  served = await serve({
    place: { tokens: [{ ...ONE, access: within("shop") }, { ...TWO, access: within("shop", "web") }, ROOT] },
  });
  const made: Record<string, string> = {};
  for (const workspace of ["shop", "web", CANARY]) {
    await served.post("/v1/events", story(workspace), as(ROOT));
    const rule = {
      workspace,
      effect: "deny",
      tool: "Bash",
      match: { kind: "prefix", text: `rm ${workspace}` },
    };
    made[workspace] = textAt((await served.post("/v1/rules", rule, as(ROOT))).body, "rule", "id") ?? "";
  }
  rules = made;
});
afterAll(() => served.stop());

type Person = typeof ONE;
const as = ({ token }: Person) => ({ Authorization: `Bearer ${token}` });

const fill = (path: string, workspace: string): string =>
  path.replaceAll("ID", workspace).replaceAll("RULE", rules[workspace] ?? "ru_0000000000000099");
/** An answer without what its asker named. */
const bare = ({ status, body }: { status: number; body: unknown }, path: string, workspace: string) => {
  const rule = rules[workspace] ?? "ru_0000000000000099";
  const text = JSON.stringify(body);
  return { path, status, text: text.replaceAll(rule, "‹rule›").replaceAll(workspace, "‹workspace›") };
};

describe("HTTP: those who are limited to workspaces", () => {
  it("SCOPE-1, REACH-1: no answer to a question has a byte of another workspace; of its ids it says what it says of any", async () => {
    for (const person of [ONE, TWO])
      for (const path of READS) {
        const own = await served.get(fill(path, "shop"), as(person));
        expect([path, own.status === 200 || own.status === 404 || own.status === 400]).toEqual([path, true]);
        expect([path, JSON.stringify(own.body)]).toEqual([path, expect.not.stringContaining(CANARY)]);
        for (const suffix of ["", "workspace"]) {
          const asked = async (workspace: string) => {
            const joint = path.includes("?") ? "&" : "?";
            const whole = fill(path, workspace) + (suffix === "" ? "" : `${joint}workspace=${workspace}`);
            return bare(await served.get(whole, as(person)), path, workspace);
          };
          expect(await asked(CANARY)).toEqual(await asked("nowhere"));
        }
      }
  });

  it("SCOPE-1: what is one's own is there, with its workspace named or not", async () => {
    for (const path of READS.filter((each) => /ID|RULE/.test(each) && !each.includes("search"))) {
      const [own, named] = [
        await served.get(fill(path, "shop"), as(ONE)),
        await served.get(fill(path, "shop"), as(ROOT)),
      ];
      expect([path, own.status]).toEqual([path, path.endsWith("/answer") ? 400 : 200]);
      expect([path, own.body]).toEqual([path, named.body]);
      if (path.includes("session=")) continue;
      expect([path, (await served.get(fill(path, "web"), as(TWO))).status]).toEqual([path, own.status]);
    }
  });

  it("STATS-2: figures and journal entries are those of one's own workspaces", async () => {
    const of = async (person: Person) =>
      at((await served.get("/v1/stats", as(person))).body, "counts", "requests");
    const all = Number(at(await of(ROOT), "processing"));
    expect([at(await of(ONE), "processing"), at(await of(TWO), "processing")]).toEqual([1, 2]);
    expect(all).toBe(3);
    const entries = async (person: Person) => {
      const tail = served.journal.tail();
      const found = Array.from({ length: tail }, (_, n) => served.get(`/v1/journal/${n + 1}`, as(person)));
      return (await Promise.all(found)).filter(({ status }) => status === 200).length;
    };
    expect([await entries(ONE), await entries(TWO)]).toEqual([7, 14]);
  });

  it("SCOPE-1, PAGING-2: lists of two workspaces are merged in their order, page by page, each thing once", async () => {
    for (const list of ["sessions", "requests", "approvals", "rules"]) {
      for (const order of list === "approvals" ? ["&order=newest", "&order=oldest"] : [""]) {
        const whole = listAt((await served.get(`/v1/${list}?limit=100${order}`, as(ROOT))).body, "items");
        const mine = whole
          .map((each) => textAt(each, "id") ?? "")
          .filter((_, n) => textAt(whole[n], "workspace") !== CANARY);
        const found: string[] = [];
        let cursor: string | undefined;
        do {
          const next = cursor === undefined ? "" : `&cursor=${cursor}`;
          const { body } = await served.get(`/v1/${list}?limit=1${order}${next}`, as(TWO));
          found.push(...listAt(body, "items").map((each) => textAt(each, "id") ?? ""));
          cursor = textAt(body, "nextCursor");
        } while (cursor !== undefined);
        // Rules of all workspaces are listed one workspace after another.
        expect([list, list === "rules" ? found.sort() : found]).toEqual([
          list,
          list === "rules" ? mine.sort() : mine,
        ]);
        expect(found.length).toBeGreaterThan(1);
      }
    }
    const { body } = await served.get("/v1/search?text=about", as(TWO));
    expect(new Set(listAt(body, "items").map((each) => at(each, "workspace")))).toEqual(
      new Set(["shop", "web"]),
    );
  });

  it("REACH-1, FOLLOWERS-3: the stream shows the changes of one's own workspaces only, also from its beginning", async () => {
    const gone = new AbortController();
    const from = `${served.engine.incarnation}-0`;
    const open = await fetch(`${served.url}/v1/stream?after=${from}`, {
      headers: as(TWO),
      signal: gone.signal,
    });
    const decoder = new TextDecoder();
    let text = "";
    const reader = open.body?.getReader();
    const next = async (): Promise<Uint8Array | undefined> =>
      (await reader?.read())?.value as Uint8Array | undefined;
    await served.post("/v1/events", event("session.started", {}, { subject: `${CANARY}/late` }), as(ROOT));
    await served.post("/v1/events", event("session.started", {}, { subject: "web/late" }), as(ROOT));
    while (!text.includes("late")) text += decoder.decode(await next());
    gone.abort();
    expect(text).toContain("shop-r");
    expect(text).toContain("web-r");
    expect(text).not.toContain(CANARY);
    const named = await served.get(`/v1/stream?workspace=${CANARY}`, as(TWO));
    expect([named.status, textAt(named.body, "error", "code")]).toEqual([403, "NOT_ALLOWED"]);
  });

  it("REACH-1: nothing is decided, changed or sent elsewhere, and the answer is that to a name that is nobody's", async () => {
    const hook = (workspace: string) => ({
      session_id: `${workspace}-chat`,
      hook_event_name: "Stop",
      cwd: `/${workspace}`,
    });
    const call = (workspace: string) => ({
      run_id: `${workspace}-run`,
      call_id: `${workspace}-call`,
      spec: { fn: "deploy" },
      workspace,
    });
    const rule = (workspace: string) => ({
      workspace,
      effect: "deny",
      tool: "Bash",
      match: { kind: "prefix", text: "rm" },
    });
    const writes: readonly (readonly [
      method: string,
      path: string,
      body: (workspace: string) => unknown,
      header?: true,
    ])[] = [
      ["POST", "/v1/approvals/ID-a/decision", () => ({ decision: "approve", inputHash })],
      ["POST", "/v1/approvals/ID-a/decision?workspace=ID", () => ({ decision: "deny" })],
      ["POST", "/v1/approvals/ID-a/taken", () => ({})],
      ["DELETE", "/v1/approvals/ID-a/answer", () => undefined],
      ["DELETE", "/v1/approvals/ID-a/answer?said=deny&ago=1", () => undefined],
      ["POST", "/v1/events", (workspace) => story(workspace).slice(0, 1)],
      ["POST", "/v1/events", (workspace) => story(workspace)[0]],
      ["POST", "/v1/hooks/claude-code", hook],
      ["POST", "/v1/hooks/claude-code", hook, true],
      ["POST", "/v1/gate?approval=ID-a&wait=1000&closed=deny", hook, true],
      ["POST", "/v1/approvals", call],
      ["POST", "/v1/approvals", (workspace) => ({ ...call(workspace), workspace: undefined }), true],
      ["POST", "/v1/rules", rule],
      ["POST", "/v1/rules/file", (workspace) => ({ workspace, rules: [] })],
      ["POST", "/v1/rules/file", (workspace) => ({ workspace, rules: [], check: true })],
      [
        "POST",
        "/v1/rules/test",
        (workspace) => ({ workspace, rule: { ...rule(workspace), workspace: undefined } }),
      ],
      ["POST", "/v1/rules/RULE/enforce", () => ({})],
      ["DELETE", "/v1/rules/RULE", () => undefined],
      ["POST", "/v1/sessions/ID-chat/forget", () => ({})],
      ["POST", "/v1/sessions/ID-chat/forget", (workspace) => ({ workspace })],
      ["POST", "/v1/dead-letters/1/retry", () => ({})],
      ["POST", "/v1/dead-letters/dismissal", () => ({ letters: [1, 2] })],
    ];
    const theirs = `/v1/sessions/${CANARY}-chat?workspace=${CANARY}`;
    const before = await served.get(theirs, as(ROOT));
    const known = async () => [
      (await served.get(`/v1/approvals?workspace=${CANARY}`, as(ROOT))).body,
      (await served.get(`/v1/sessions?workspace=${CANARY}`, as(ROOT))).body,
      (await served.get(`/v1/rules?workspace=${CANARY}`, as(ROOT))).body,
    ];
    const was = await known();
    for (const person of [ONE, TWO])
      for (const [method, path, body, byHeader] of writes) {
        const asked = async (workspace: string) => {
          const headers = { ...as(person), ...(byHeader && { "Signalbox-Workspace": workspace }) };
          const whole = fill(path, workspace);
          const answer =
            method === "POST"
              ? await served.post(whole, body(workspace), headers)
              : await served.remove(whole, headers);
          return bare(answer, path, workspace);
        };
        const [there, nowhere] = [await asked(CANARY), await asked("nowhere")];
        // The place of an entry in the journal grows with each.
        const placed = (text: string) => text.replace(/"position":\d+/g, '"position":0');
        expect({ ...there, text: placed(there.text) }).toEqual({ ...nowhere, text: placed(nowhere.text) });
        expect([path, there.status >= 400 || there.status === 207 || path.includes("/v1/hooks")]).toEqual([
          path,
          true,
        ]);
        expect([path, there.text]).toEqual([path, expect.not.stringContaining(CANARY)]);
      }
    expect(await known()).toEqual(was);
    expect((await served.get(theirs, as(ROOT))).body).toEqual(before.body);
    expect((await served.get("/v1/sessions?workspace=nowhere", as(ROOT))).body).toEqual({ items: [] });
  });

  it("WORKSPACE-3, DOOR-8: hooks, gates and services of a limited token work in its workspace, whoever has their ids elsewhere", async () => {
    const hook = { session_id: `${CANARY}-chat`, hook_event_name: "Stop", cwd: "/somewhere" };
    expect((await served.post("/v1/hooks/claude-code", hook, as(ONE))).status).toBe(200);
    await expect
      .poll(async () => (await served.get(`/v1/sessions/${CANARY}-chat`, as(ONE))).status)
      .toBe(200);
    const tool = {
      ...hook,
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: INPUT,
      tool_use_id: "t9",
    };
    const asks = "/v1/gate?approval=gate-1&wait=60000&closed=deny";
    const asked = await served.post(asks, tool, as(ONE));
    expect([asked.status, textAt(asked.body, "state")]).toEqual([200, "pending"]);
    const hash = textAt((await served.get("/v1/approvals/gate-1", as(ONE))).body, "inputHash");
    const said = { decision: "approve", inputHash: hash };
    expect((await served.post("/v1/approvals/gate-1/decision", said, as(ONE))).status).toBe(200);
    const answered = await served.post(asks, tool, as(ONE));
    expect(textAt(answered.body, "decision")).toBe("allow");
    const call = { run_id: "run", call_id: "call", spec: { fn: "deploy" } };
    const service = await served.post("/v1/approvals", call, as(ONE));
    expect([service.status, textAt(service.body, "answer")]).toEqual([
      200,
      expect.stringContaining("workspace=shop"),
    ]);
    // With two workspaces the request says which.
    const unclear = await served.post("/v1/approvals", { ...call, call_id: "other" }, as(TWO));
    expect([unclear.status, textAt(unclear.body, "error", "code")]).toEqual([400, "WORKSPACE_NEEDED"]);
  });

  it("PARTS-2: what tells of the engine as a whole is refused, metrics that name workspaces too", async () => {
    for (const route of served.http.routes.filter(
      (each) => isOfWholeEngine(each) && each.startsWith("GET "),
    )) {
      const path = route.slice(4).replace(":id", "1");
      const { status, body } = await served.get(path, as(ONE));
      expect([path, status]).toEqual([path, 403]);
      expect(JSON.stringify(body)).not.toContain(CANARY);
    }
  });
});
