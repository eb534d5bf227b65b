// Rule trials
// Rules, and files of them, tried over HTTP on what was asked before.

import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Trial } from "../../../../runtime/reading/rule-trial.ts";
import { textAt, at } from "../../../support/engine/json.ts";
import { holdsLater } from "../../../support/properties/property.ts";
import { event, serve, type Served, TOKEN } from "../../../support/http/served.ts";
import { PREFIX, ruleDesk } from "../../../support/rules/rule-desk.ts";

let served: Served;
beforeEach(async () => {
  served = await serve();
});
afterEach(() => served.stop());

const { ask, askIn, decide, listed, made } = ruleDesk(() => served);

describe("a rule that is tried", () => {
  const tried = async (wanted: object): Promise<Trial> =>
    (await served.post("/v1/rules/test", { workspace: "shop", ...wanted })).body as Trial;
  const { workspace: _, ...terms } = PREFIX;

  test("RULE-TRIAL-1, BACKTEST-TALLY-1: says what it would have answered and where people answered otherwise, and changes nothing", async () => {
    await ask("q1", "git status -s");
    await ask("q2", "git status; rm x");
    await ask("q3", "git status --long");
    await ask("q4", "git status --short");
    await decide("q1", "approve");
    await decide("q3", "deny");
    const before = served.engine.meta().position;
    const found = await tried({ rule: terms });
    expect(found).toMatchObject({ asked: 4, allow: 3, deny: 0, ask: 0, differing: 1, more: false });
    expect(found.items.map(({ approvalId, state, differs }) => [approvalId, state, differs])).toEqual([
      ["q3", "denied", true],
      ["q4", "pending", false],
      ["q1", "approved", false],
    ]);
    expect(await tried({ rule: { ...terms, uses: 1 } })).toMatchObject({ allow: 1, limited: 2 });
    const denial = await tried({ rule: { ...terms, effect: "deny" }, limit: 1 });
    expect(denial).toMatchObject({ deny: 4, differing: 1, items: [{ approvalId: "q1", differs: true }] });
    expect(served.engine.meta().position).toBe(before);
  });

  test("HTTP-RULING-2: whoever wants to hear how far it is gets events, and at last the same bytes", async () => {
    await ask("q1", "git status -s");
    await ask("q2", "rm x");
    const body = JSON.stringify({ workspace: "shop", rule: terms });
    const send = (accept: string, sent = body): Promise<Response> =>
      fetch(`${served.url}/v1/rules/test`, {
        method: "POST",
        headers: { Authorization: `Bearer ${TOKEN}`, "Content-Type": "application/json", Accept: accept },
        body: sent,
      });
    const whole = await (await send("application/json")).text();
    const streamed = await send("text/event-stream");
    expect(streamed.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(await streamed.text()).toBe(
      `event: progress\ndata: {"looked":0,"of":2}\n\nevent: trial\ndata: ${whole}\n\n`,
    );
    const wrong = await send("text/event-stream", JSON.stringify({ workspace: "shop", rules: ["r_zz"] }));
    expect([wrong.status, textAt(await wrong.json(), "error", "code")]).toEqual([404, "UNKNOWN_RULE"]);
    const left = await send("text/event-stream");
    await left.body?.cancel();
    expect((await send("application/json")).status).toBe(200);
  });

  test("HTTP-RULING-2: a stream that breaks off says why", async () => {
    await ask("q1", "git status -s");
    const found = vi.spyOn(served.engine.store, "range").mockImplementation(() => {
      throw new Error("the disk is gone");
    });
    const response = await fetch(`${served.url}/v1/rules/test`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${TOKEN}`,
        "Content-Type": "application/json",
        Accept: "text/event-stream",
      },
      body: JSON.stringify({ workspace: "shop", rule: terms }),
    });
    const text = await response.text();
    found.mockRestore();
    expect(text).toMatch(/^event: error\ndata: \{"error":\{/);
    expect(text).not.toContain("the disk is gone");
  });

  test("RULE-TRIAL-1: rules that were made are tried together; what a rule answered is no person's answer", async () => {
    const allow = await made(PREFIX);
    await ask("q1", "git status");
    const deny = await made({ ...PREFIX, effect: "deny" });
    expect(await tried({ rules: [allow.id, deny.id] })).toMatchObject({
      deny: 1,
      differing: 0,
      items: [{ approvalId: "q1", would: "deny", rule: deny.id, by: `rule:${allow.id}` }],
    });
    expect((await served.post("/v1/rules/test", { workspace: "other", rules: [deny.id] })).status).toBe(404);
    expect((await served.post("/v1/rules/test", { workspace: "shop" })).status).toBe(400);
  });

  test("RULE-TRIAL-6: a history is looked at in one session, or below one folder", async () => {
    for (const [sessionId, cwd] of [
      ["s1", "/home/ann/shop"],
      ["s2", "/home/ann/shop/web"],
      ["s3", "/home/ann/shopping"],
      ["s4", undefined],
    ] as const) {
      const subject = `shop/${sessionId}`;
      await served.post(
        "/v1/events",
        event("session.started", cwd === undefined ? {} : { cwd }, { subject }),
      );
      await askIn(subject, `q-${sessionId}`, "git status");
    }
    const asked = async (of: object): Promise<number> => (await tried({ rule: terms, ...of })).asked;
    expect(await asked({})).toBe(4);
    expect(await asked({ session: "s2" })).toBe(1);
    expect(await asked({ session: "s9" })).toBe(0);
    expect(await asked({ project: "/home/ann/shop" })).toBe(2);
    expect(await asked({ project: "/home/ann/shop/" })).toBe(2);
    expect(await asked({ session: "s3", project: "/home/ann/shop" })).toBe(0);
    expect(await asked({ project: "shop" })).toBe(0);
  });
});

describe("a file of rules that is tried", () => {
  const FILE = "test/adapters/http/gate/rule-trials.test.ts";
  const COMMANDS = ["git status", "git status -s", "git push", "npm test", "rm -rf x"];
  const bash = (effect: string, prefix: string, other: object = {}): object => ({
    ...{ effect, tool: "Bash", match: { kind: "prefix", text: prefix } },
    ...other,
  });
  const prefix = fc.constantFrom("git status", "git", "npm test", "rm");
  const rule = fc
    .tuple(fc.constantFrom("allow", "deny", "ask"), prefix, fc.constantFrom({}, {}, { dry: true }))
    .map(([effect, text, dry]) => bash(effect, text, effect === "ask" ? {} : dry));
  const rules = fc.uniqueArray(rule, { maxLength: 4, selector: (each) => JSON.stringify(each) });
  const narrowing = rules.map((all) => all.filter((each) => !("effect" in each) || each.effect !== "allow"));
  interface Case {
    readonly byHand: readonly object[];
    readonly owners: readonly object[];
    readonly projects: readonly object[];
    readonly next: readonly object[];
  }
  const cases: fc.Arbitrary<Case> = fc.record({
    byHand: rules,
    owners: rules,
    projects: narrowing,
    next: rules,
  });

  test("RULE-TRIAL-7: it is tried as if it were in force beside what stays, and so says what the rules then say", async () => {
    let n = 0;
    const claim = async ({ byHand, owners, projects, next }: Case): Promise<void> => {
      const workspace = `shop-${(n += 1)}`;
      const post = async (path: string, body: object): Promise<unknown> => {
        const answered = await served.post(path, { workspace, ...body });
        expect([answered.status, answered.body]).toEqual([200, expect.anything()]);
        return answered.body;
      };
      for (const [m, command] of COMMANDS.entries()) {
        await askIn(`${workspace}/s${n}`, `q${n}-${m}`, command, { toolUseId: `t${n}-${m}` });
      }
      for (const each of byHand) await post("/v1/rules", each);
      await post("/v1/rules/file", { scope: "owner", rules: owners });
      await post("/v1/rules/file", { scope: "project", rules: projects });
      const file = { scope: "owner", rules: next };
      const foretold = (await post("/v1/rules/test", { file })) as Trial;
      await post("/v1/rules/file", file);
      const inForce = (await listed(`?workspace=${workspace}`)).filter(({ dry }) => dry !== true);
      const ids = inForce.map(({ id }) => id).reverse();
      expect(foretold.asked).toBe(COMMANDS.length);
      if (ids.length === 0) {
        expect(foretold).toMatchObject({ allow: 0, deny: 0, ask: 0 });
        return;
      }
      const said = (await post("/v1/rules/test", { rules: ids })) as Trial;
      const verdicts = ({ items }: Trial) => items.map(({ approvalId, would }) => [approvalId, would]);
      expect(verdicts(foretold)).toEqual(verdicts(said));
      const { items: _, ...counts } = foretold;
      expect(said).toMatchObject(counts);
    };
    await holdsLater(FILE, 25, cases, claim);
  });

  test("RULE-TRIAL-7: a rule that it would make is named by its place, one that stays by its id", async () => {
    const { id } = await made({ workspace: "shop", ...bash("allow", "npm test") });
    await ask("q1", "git push", { toolUseId: "t1" });
    await ask("q2", "npm test", { toolUseId: "t2" });
    const file = { scope: "project", rules: [bash("deny", "rm"), bash("deny", "git push")] };
    const { body } = await served.post("/v1/rules/test", { workspace: "shop", file });
    const named = (body as Trial).items.map((item) => [item.approvalId, item.would, item.rule]);
    expect(named).toEqual([
      ["q2", "allow", id],
      ["q1", "deny", "rules[1]"],
    ]);
  });

  test("RULE-TRIAL-7: what could not be applied is refused, with its place", async () => {
    const refusal = async (wanted: object): Promise<readonly unknown[]> => {
      const { status, body } = await served.post("/v1/rules/test", { workspace: "shop", ...wanted });
      return [status, textAt(body, "error", "code"), at(body, "error", "path")];
    };
    const allows = { scope: "project", rules: [bash("allow", "git status")] };
    expect(await refusal({ file: allows })).toEqual([400, "WRONG_SHAPE", "file.rules[0].effect"]);
    const owners = { ...allows, scope: "owner" };
    expect(await refusal({ file: owners, rules: ["r_1"] })).toEqual([400, "WRONG_SHAPE", "file"]);
    const twice = { scope: "owner", rules: [bash("deny", "rm"), bash("deny", "rm")] };
    expect(await refusal({ file: twice })).toEqual([400, "WRONG_SHAPE", "file.rules[1]"]);
    const many = Array.from({ length: 200 }, (_, m) => bash("deny", `rm ${m}`));
    await made({ workspace: "shop", ...bash("deny", "git push") });
    expect(await refusal({ file: { scope: "owner", rules: many } })).toEqual([
      409,
      "TOO_MANY_RULES",
      undefined,
    ]);
  });
});
