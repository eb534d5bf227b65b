// Scope
// A query on a workspace's own subject is answered from that workspace alone, whatever it asks for.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RuleDoor } from "../../../runtime/door/rule-door.ts";
import { type Op, OPS } from "../../../runtime/reading/query-table.ts";
import { listAt, textAt } from "../../support/engine/json.ts";
import { event } from "../../support/http/served.ts";
import { ask, type Body, type Serving, serving } from "../../support/nats/serving.ts";
import { type NatsServer, natsServer } from "../../support/nats/server.ts";

let server: NatsServer;
let serves: Serving;
let theirs: string;
let rule: string;
beforeAll(async () => {
  server = await natsServer();
  serves = await serving(server.url);
  await ask(serves, "shop/s1", "r1");
  await ask(serves, "bank/vault", "rvault");
  await serves.send(event("request.created", { requestId: "chatty" }, { subject: "bank/vault" }));
  theirs = serves.queries.listApprovals({ workspace: "bank" }).items[0]?.id ?? "";
  const rules = new RuleDoor(serves);
  const deny = { workspace: "shop", effect: "deny", tool: "Bash", match: { kind: "prefix", text: "rm" } };
  const made = await rules.add(new TextEncoder().encode(JSON.stringify(deny)), { door: "test", by: "test" });
  rule = made.rule.id;
  // One dead letter each, with the subject of the decision.
  for (const who of ["shop.alice", "bank.vault-keeper"]) await serves.decide(who, "junk");
});
afterAll(async () => {
  await serves.stop();
  await server.dispose();
});

const within = (workspace: string, op: string, body: Body = "") =>
  serves.request(`signalbox.v1.ask.${workspace}.${op}`, body);

/** A whole answer with its cursors decoded, as its reader could decode them. */
async function textOf(op: string, body: Body): Promise<string> {
  const told = await within("shop", op, body);
  const cursor = Buffer.from(textAt(told.body, "nextCursor") ?? "", "base64url").toString();
  return JSON.stringify([told.body, cursor]);
}

describe("SCOPE-1: a query confined to a workspace", () => {
  test("SCOPE-1, G30: tells of its own workspace what the unconfined query tells", async () => {
    const [own] = serves.queries.listApprovals({ workspace: "shop" }).items;
    const { id = "", sessionId: session, callId: call, inputHash } = own ?? {};
    // A new query does not compile here without its question; false: it is about all workspaces.
    const questions: Readonly<Record<Op, object | false>> = {
      "request.get": { id: "r1" },
      "request.list": {},
      "session.get": { id: "s1" },
      "session.list": {},
      "session.rejections": { id: "s1" },
      "toolcall.get": { id: "r1-t0" },
      "toolcall.list": { session: "s1" },
      "approval.get": { id },
      "approval.answer": { id, session, run: "r1", call, tool: "Bash", inputHash },
      "approval.list": {},
      "alarm.list": {},
      "entry.get": false,
      history: { session: "s1", entries: true },
      "change.list": { after: "start" },
      "deadletter.get": { n: 1 },
      "deadletter.list": {},
      "rule.get": { id: rule },
      "rule.list": {},
      "rule.suggestions": {},
      search: { text: "r1" },
      answers: {},
      stats: false,
    };
    for (const op of OPS) {
      const question = questions[op];
      if (!question) continue;
      const open = await serves.query(op, { ...question, workspace: "shop" });
      expect([op, open.error]).toEqual([op, undefined]);
      expect([op, (await within("shop", op, question)).body]).toEqual([op, open.body]);
    }
    const { body } = await within("bank", "approval.list", { state: "pending" });
    expect(listAt(body, "items")).toMatchObject([{ id: theirs }]);
  });

  test("SCOPE-1, G30, QUERY-1: tells nothing of another, by id, list, filter or cursor", async () => {
    const asking = [
      (id: string) => ({ id }),
      (id: string) => ({ session: id }),
      (id: string) => ({ session: id, id }),
    ];
    const filters = [{}, { limit: 1 }, { state: "pending" }, { state: "pending", limit: 1 }];
    const hidden: unknown = expect.not.stringMatching(/bank|vault/);
    for (const op of OPS) {
      for (const filter of filters)
        expect([op, filter, await textOf(op, filter)]).toEqual([op, filter, hidden]);
      for (const about of asking) {
        // An answer names the id it was asked for; of one that is nowhere it says the same.
        const told = async (id: string) => (await textOf(op, about(id))).replaceAll(id, "‹id›");
        const unknown = await told("nowhere");
        for (const id of ["vault", "rvault", "rvault-t0", "chatty", theirs])
          expect([op, about(id), await told(id)]).toEqual([op, about(id), unknown]);
        expect([op, unknown]).toEqual([op, hidden]);
      }
    }
  });

  test("SCOPE-1: is refused with the reason when it names another workspace or asks about all", async () => {
    const elsewhere = await within("shop", "session.list", { workspace: "bank" });
    expect([elsewhere.code, textAt(elsewhere.body, "error", "code")]).toEqual(["400", "OTHER_WORKSPACE"]);
    expect((await within("shop", "session.list", { workspace: "shop" })).code).toBeUndefined();
    for (const [op, question] of [
      ["stats", ""],
      ["entry.get", { position: 1 }],
      ["odd", ""],
      ["session.get.more", ""],
    ] as const) {
      const told = await within("shop", op, question);
      expect([op, told.code, textAt(told.body, "error", "code")]).toEqual([op, "404", "NO_SUCH_QUERY"]);
    }
  });

  test("SCOPE-1: gets the dead letters of the workspace's subjects", async () => {
    const { body } = await within("shop", "deadletter.list");
    expect(listAt(body, "items")).toMatchObject([{ door: "nats:signalbox.v1.decide.shop.alice" }]);
    expect(listAt((await serves.query("deadletter.list")).body, "items")).toHaveLength(2);
  });
});
