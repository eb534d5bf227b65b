// HTTP: tenants
// Two workspaces use the same ids for everything, over HTTP: a caller that names a workspace sees and decides in that
// one; a caller that names none gets the list of matches.

import { createHash } from "node:crypto";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { at, listAt, textAt } from "../../../support/engine/json.ts";
import { type Answered, event, serve, type Served } from "../../../support/http/served.ts";
import { interleaved, plain } from "../../../support/sessions/tenants.ts";

const INPUT = { command: "make deploy" };
const inputHash = createHash("sha256").update(JSON.stringify(INPUT)).digest("hex");
const [ACME, BOLT] = ["acme", "bolt"] as const;

let served: Served;
beforeEach(async () => {
  served = await serve();
});
afterEach(() => served.stop());

/** A call of a chat's request, and an approval for it: with the same ids whatever the workspace. */
const story = (workspace: string): readonly object[] => {
  const of = (n: number) => ({ id: `same-${n}`, subject: `${workspace}/chat`, source: "/bot" });
  const about = { requestId: "r1", tool: "Bash", toolUseId: "t1", input: INPUT };
  return [
    event("request.created", { requestId: "r1", chatId: 7 }, of(1)),
    event("request.processing", { requestId: "r1" }, of(2)),
    event("tool.announced", about, of(3)),
    event("approval.requested", { ...about, approvalId: "a1", channel: "bot" }, of(4)),
    event("approval.requested", { ...about, approvalId: "a1-web", channel: "web" }, of(5)),
    event("approval.requested", { tool: "Bash", toolUseId: "t2", input: INPUT, channel: "bot" }, of(6)),
  ];
};

const take = async (workspace: string): Promise<void> => {
  const { body } = await served.post("/v1/events", story(workspace));
  expect(listAt(body, "results").map((each) => at(each, "outcome"))).toEqual(Array(6).fill("applied"));
};
const decide = (id: string, query: string, body: object, headers?: Record<string, string>) =>
  served.post(`/v1/approvals/${id}/decision${query}`, body, headers);
const told = ({ status, body }: Answered) => [status, at(body, "error", "code"), at(body, "error", "next")];
const PLACES = [ACME, BOLT].map((workspace) => ({ workspace, sessionId: "chat" }));

describe("one id in two workspaces", () => {
  it("G12: the second tenant is accepted like the first", async () => {
    await take(ACME);
    await take(BOLT);
    for (const workspace of [ACME, BOLT]) {
      const { body } = await served.get(`/v1/approvals/a1?workspace=${workspace}`);
      expect(body).toMatchObject({ id: "a1", workspace, sessionId: "chat", state: "pending" });
    }
  });

  it("G12, LOOKUP-1: a caller that gives only the id gets the list, whatever the id belongs to", async () => {
    await take(ACME);
    await take(BOLT);
    const derived = textAt(
      listAt((await served.get("/v1/approvals?order=oldest&workspace=acme")).body, "items")[1],
      "id",
    );
    for (const [path, id] of [
      ["/v1/sessions/chat", "chat"],
      ["/v1/sessions/chat/tool-calls", "chat"],
      ["/v1/sessions/chat/history", "chat"],
      ["/v1/requests/r1", "r1"],
      ["/v1/requests?session=chat", "chat"],
      ["/v1/tool-calls/t1", "t1"],
      ["/v1/approvals/a1", "a1"],
      ["/v1/approvals/a1-web", "a1-web"],
      [`/v1/approvals/${derived}`, derived],
      ["/v1/approvals/a1/denial", "a1"],
    ]) {
      const answered = await served.get(String(path));
      expect([path, ...told(answered)]).toEqual([
        path,
        409,
        "AMBIGUOUS",
        "Say which one you mean: add workspace= to the query.",
      ]);
      expect(at(answered.body, "candidates")).toEqual(
        PLACES.map((place) => expect.objectContaining({ ...place }) as unknown),
      );
      const joint = String(path).includes("?") ? "&" : "?";
      for (const { workspace } of PLACES)
        expect((await served.get(`${path}${joint}workspace=${workspace}`)).status).toBe(200);
      const elsewhere = await served.get(`${path}${joint}workspace=nobody`);
      if (elsewhere.status !== 404) expect([path, elsewhere.body]).toEqual([path, { items: [] }]);
      expect(id).toBeDefined();
    }
  });

  it("G12, I-38: a decision reaches the workspace it names, and no other; with only the id it is not made", async () => {
    await take(ACME);
    await take(BOLT);
    const state = async (workspace: string): Promise<unknown> =>
      at((await served.get(`/v1/approvals/a1?workspace=${workspace}`)).body, "state");
    const unclear = await decide("a1", "", { decision: "deny" });
    expect(told(unclear).slice(0, 2)).toEqual([409, "AMBIGUOUS"]);
    expect([await state(ACME), await state(BOLT)]).toEqual(["pending", "pending"]);
    expect((await decide("a1-web", "?workspace=bolt", { decision: "approve", inputHash })).status).toBe(200);
    expect([await state(ACME), await state(BOLT)]).toEqual(["pending", "approved"]);
    expect((await decide("a1", "?workspace=nobody", { decision: "deny" })).status).toBe(404);
    expect((await decide("a1", "?wrkspace=acme", { decision: "deny" })).status).toBe(400);
    expect((await decide("a1", "?workspace=acme", { decision: "deny" })).status).toBe(200);
    expect([await state(ACME), await state(BOLT)]).toEqual(["denied", "approved"]);
    const ended = await served.get("/v1/tool-calls/t1?workspace=bolt");
    expect(at(ended.body, "execution")).toBe("queued");
  });

  it("G12, LOOKUP-1: the preview of a denial is that of the workspace named", async () => {
    await take(ACME);
    await take(BOLT);
    const { body } = await served.get("/v1/approvals/a1/denial?workspace=bolt");
    expect(listAt(body, "items").length).toBeGreaterThan(1);
    for (const change of listAt(body, "items")) expect(at(change, "workspace")).toBe(BOLT);
  });

  it("KEYED-1: a key counts in one workspace: another that uses it gets an answer of its own", async () => {
    const KEY = { "Idempotency-Key": "k-1" };
    const [ofAcme, ofBolt] = [story(ACME), story(BOLT)];
    const first = await served.post("/v1/events", ofAcme, KEY);
    expect((await served.post("/v1/events", ofBolt, KEY)).status).toBe(200);
    expect((await served.post("/v1/events", ofAcme, KEY)).body).toEqual(first.body);
    expect((await served.post("/v1/events", ofAcme.slice(1), KEY)).status).toBe(422);
    // A list that begins with another workspace uses the key of both.
    expect(
      (
        await served.post(
          "/v1/events",
          [event("session.started", {}, { subject: "third/s" }), ...ofBolt],
          KEY,
        )
      ).status,
    ).toBe(422);
    const yes = { decision: "approve", inputHash };
    const approved = await decide("a1", "?workspace=acme", yes, KEY);
    const other = await decide("a1", "?workspace=bolt", yes, KEY);
    expect([approved.status, other.status]).toEqual([200, 200]);
    expect(at(other.body, "position")).not.toBe(at(approved.body, "position"));
    for (const workspace of [ACME, BOLT])
      expect((await served.get(`/v1/approvals/a1?workspace=${workspace}`)).body).toMatchObject({
        state: "approved",
      });
    expect((await decide("a1", "?workspace=acme", yes, KEY)).body).toEqual(approved.body);
  });

  it("LOOKUP-2: a workspace's lists hold nothing of another, and reading them does not read the other's rows", async () => {
    await take(ACME);
    served.clock.advance(1);
    // More rows, and newer ones, than one page reads.
    for (let from = 0; from < 1_200; from += 600) {
      const numbers = Array.from({ length: 600 }, (_, n) => from + n);
      const of = { subject: `${BOLT}/busy` };
      const created = numbers.map((n) => event("request.created", { requestId: `b${n}`, chatId: 7 }, of));
      const asked = numbers.map((n) =>
        event("approval.requested", { tool: "Bash", input: { n }, approvalId: `b${n}` }, of),
      );
      for (const body of [created, asked]) expect((await served.post("/v1/events", body)).status).toBe(200);
    }
    for (const path of ["/v1/requests?chatId=7&workspace=acme", "/v1/approvals?workspace=acme"]) {
      const { body } = await served.get(path);
      expect([path, listAt(body, "items").length > 0]).toEqual([path, true]);
      for (const item of listAt(body, "items")) expect(at(item, "workspace")).toBe(ACME);
      expect(at(body, "nextCursor")).toBeUndefined();
    }
    expect(listAt((await served.get("/v1/requests?chatId=7&limit=1000")).body, "items")).toHaveLength(1_000);
  });

  it("LOOKUP-1, LOOKUP-2: a call's id may occur anywhere: the workspace picks among them, then the session", async () => {
    await take(ACME);
    const others = Array.from({ length: 3 }, (_, n) =>
      event("tool.announced", { tool: "Bash", toolUseId: "t1", input: INPUT }, { subject: `${BOLT}/s${n}` }),
    );
    await served.post("/v1/events", others);
    for (const query of ["workspace=acme", "session=chat", "workspace=acme&session=chat"])
      expect((await served.get(`/v1/tool-calls/t1?${query}`)).body).toMatchObject({ workspace: ACME });
    const many = await served.get("/v1/tool-calls/t1?workspace=bolt");
    expect(told(many).slice(1)).toEqual([
      "AMBIGUOUS",
      "Say which one you mean: add workspace=, or session=, to the query.",
    ]);
    expect(listAt(many.body, "candidates").map((each) => at(each, "sessionId"))).toEqual(["s0", "s1", "s2"]);
    const one = await served.get("/v1/tool-calls/t1?session=s1");
    expect(one.body).toMatchObject({ workspace: BOLT, sessionId: "s1" });
  });

  it("LOOKUP-1: for an id in very many places the first hundred are listed", async () => {
    const all = Array.from({ length: 120 }, (_, n) =>
      event("tool.announced", { tool: "Bash", toolUseId: "t1", input: INPUT }, { subject: `${BOLT}/s${n}` }),
    );
    await served.post("/v1/events", all);
    const { body } = await served.get("/v1/tool-calls/t1");
    expect(at(body, "error", "message")).toBe(
      "The id t1 exists more than 100 times, in different workspaces or sessions.",
    );
    expect(listAt(body, "candidates")).toHaveLength(100);
  });
});

describe("the same ids for everything", () => {
  it("G12, I-38: in any order, each workspace's answers and lists are those it would have alone", async () => {
    const steps = (workspace: string) => {
      const post = (path: string, body: object) => (key: string) =>
        served.post(path, body, { "Idempotency-Key": key });
      const numbered = (n: number) =>
        event(
          "tool.finished",
          { tool: "Bash", toolUseId: "t1", output: n },
          {
            subject: `${workspace}/chat`,
            id: `late-${n}`,
            source: "/numbered",
            sequence: n,
          },
        );
      return [
        ...story(workspace).map((each) => post("/v1/events", each)),
        post("/v1/events", numbered(1)),
        post("/v1/events", numbered(3)),
        post(`/v1/approvals/a1/decision?workspace=${workspace}`, { decision: "approve", inputHash }),
        post(
          "/v1/events",
          event("request.created", { requestId: "r1" }, { subject: `${workspace}/other`, id: "x" }),
        ),
        post("/v1/events", numbered(2)),
        post(
          "/v1/events",
          event("request.completed", { requestId: "r1" }, { subject: `${workspace}/chat`, id: "y" }),
        ),
      ];
    };
    const shown = async (workspace: string): Promise<string> => {
      const answers = [];
      for (const path of [
        "/v1/sessions?",
        "/v1/sessions/chat?",
        "/v1/sessions/chat/history?entries=true&",
        "/v1/sessions/chat/tool-calls?",
        "/v1/sessions/other/rejections?",
        "/v1/requests?",
        "/v1/requests?chatId=7&",
        "/v1/requests/r1?",
        "/v1/tool-calls/t1?",
        "/v1/approvals?with=call,session&",
        "/v1/approvals/a1-web?",
      ])
        answers.push([path, (await served.get(`${path}workspace=${workspace}`)).body]);
      return plain(answers, workspace);
    };
    const played = async (speaks: Iterable<readonly [string, (key: string) => Promise<Answered>]>) => {
      const said = new Map<string, unknown[]>();
      for (const [workspace, step] of speaks) {
        const own = said.get(workspace) ?? [];
        said.set(workspace, own);
        const { status, body } = await step(`k-${own.length}`);
        own.push([status, body]);
      }
      return said;
    };
    const alone = new Map<string, string>();
    for (const workspace of [ACME, BOLT]) {
      const said = await played(steps(workspace).map((step) => [workspace, step] as const));
      alone.set(workspace, plain(said.get(workspace), workspace) + (await shown(workspace)));
      await served.stop();
      served = await serve();
    }
    expect(alone.get(ACME)).toBe(alone.get(BOLT));
    const orders = fc.sample(fc.array(fc.boolean(), { minLength: 1, maxLength: 9 }), { numRuns: 6, seed: 9 });
    for (const pattern of orders) {
      const both = [...interleaved(steps(ACME), steps(BOLT), pattern)];
      const said = await played(both.map(([isFirst, step]) => [isFirst ? ACME : BOLT, step] as const));
      for (const workspace of [ACME, BOLT])
        expect(plain(said.get(workspace), workspace) + (await shown(workspace))).toBe(alone.get(workspace));
      await served.stop();
      served = await serve();
    }
  });
});
