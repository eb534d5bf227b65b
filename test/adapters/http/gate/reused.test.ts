// HTTP: an id that comes again
// Whoever chooses an id may choose it again: who is told of the answer then, at each door and across them.

import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { toolInput } from "../../../../runtime/canonical.ts";
import { at, listAt } from "../../../support/engine/json.ts";
import { approve, ASK, DOORS, read, restarted } from "../../../support/http/asking-doors.ts";
import { passing, until } from "../../../support/http/asking.ts";
import { event, serve, type Served } from "../../../support/http/served.ts";
import { holdsLater } from "../../../support/properties/property.ts";
import { askerContract, type Asks, isAllow, isReused, type Told } from "../../contracts/asker.contract.ts";

for (const door of DOORS) askerContract(door);

const PRE = { hook_event_name: "PreToolUse" };
const FILE = "test/adapters/http/gate/reused.test.ts";

/** Mostly the same, else with one thing that differs. */
const asks: fc.Arbitrary<Asks> = fc
  .tuple(
    fc.constantFrom("x", "x", "y"),
    fc.constantFrom<Partial<Asks>>(
      ...Array<object>(6).fill({}),
      { session: "s2" },
      { run: "r1" },
      { call: "t1" },
      { call: "t2" },
      { tool: "destroy" },
      { input: { to: "b" } },
      { call: "t1", input: { to: "b" } },
    ),
  )
  .map(([id, other]) => ({ id, session: "s1", tool: "deploy", input: { to: "a" }, ...other }));

type Step =
  | { readonly do: "ask"; readonly at: "service" | "gate" | "sdk" | "published"; readonly asks: Asks }
  | { readonly do: "read"; readonly asks: Asks }
  | { readonly do: "approve"; readonly id: string }
  | { readonly do: "restart" };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant("ask" as const),
      at: fc.constantFrom("service", "gate", "sdk", "published"),
      asks,
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("read" as const), asks }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("approve" as const), id: fc.constantFrom("x", "y") }) },
  { weight: 1, arbitrary: fc.constant({ do: "restart" } as const) },
);

/** Asked, approved and asked again: half of the histories begin with an allow that counts. */
const SHOWN: Asks = { id: "x", session: "s1", tool: "deploy", input: { to: "a" } };
const ALLOWED: readonly Step[] = [
  { do: "ask", at: "service", asks: SHOWN },
  { do: "approve", id: "x" },
  { do: "ask", at: "service", asks: SHOWN },
  { do: "read", asks: SHOWN },
];
const history: fc.Arbitrary<readonly Step[]> = fc
  .tuple(fc.boolean(), fc.array(step, { minLength: 6, maxLength: 24, size: "max" }))
  .map(([begins, steps]) => (begins ? [...ALLOWED, ...steps] : steps));

/** A service over HTTP names no run. */
const asSaidAt = (where: string, asks: Asks): Asks => {
  const { run: _, ...rest } = asks;
  return where === "service" ? rest : asks;
};
const asText = ({ id: _, session, run, call, tool, input }: Asks): string =>
  JSON.stringify([session, run ?? "", call ?? "", tool, toolInput(input).hash]);

describe("an id that comes again at any door", () => {
  it("ASKER-1, GATE-ANSWER-2: an allow reaches only those whose session, run, call, tool and input are what the person was shown", async () => {
    let [allowed, refused] = [0, 0];
    await holdsLater(FILE, 30, history, async (steps) => {
      let served = await serve();
      const started = { toolUseId: "t1", tool: "deploy", input: { to: "a" } };
      await served.post("/v1/events", event("tool.started", started));
      /** By id: what was asked under it first, and what a person was shown as he approved it. */
      const first = new Map<string, string>();
      const shown = new Map<string, unknown>();
      const check = (said: Asks, told: Told): void => {
        refused += isReused(told) ? 1 : 0;
        if (!isAllow(told)) return;
        allowed += 1;
        expect(asText(said)).toBe(first.get(said.id));
        const { session: sessionId, tool, input } = said;
        expect(shown.get(said.id)).toMatchObject({ sessionId, tool, input });
        expect(at(told.body, "inputHash")).toBe(toolInput(input).hash);
      };
      try {
        for (const each of steps) {
          if (each.do === "restart") served = await restarted(served);
          else if (each.do === "approve") {
            const { status, body } = await served.get(`/v1/approvals/${each.id}?workspace=shop`);
            if (status !== 200 || (await approve(served, each.id)).status !== 200) continue;
            // Both ids may be of one approval.
            for (const id of ["x", "y"])
              if (at((await served.get(`/v1/approvals/${id}?workspace=shop`)).body, "id") === at(body, "id"))
                shown.set(id, body);
          } else if (each.do === "read") check(each.asks, await read(served, each.asks));
          else {
            const said = asSaidAt(each.at, each.asks);
            const told = await ASK[each.at](served, said);
            if (told.status === 200 && !first.has(said.id)) first.set(said.id, asText(said));
            if (first.get(said.id) === asText(said)) expect(isReused(told)).toBe(false);
            check(said, told);
          }
        }
      } finally {
        await served.stop();
      }
    });
    expect([allowed > 20, refused > 40]).toEqual([true, true]);
  });
});

describe("an id that comes again, and what was learnt meanwhile", () => {
  let served: Served;
  beforeEach(async () => {
    served = await serve();
  });
  afterEach(() => served.stop());
  const INPUT = { command: "make deploy" };
  const hook = { hook_event_name: "PermissionRequest", tool_name: "Bash", tool_input: INPUT };

  it("CALL-HOME-2: a door that does not know the session asks again where it asked first, though the call is known by now", async () => {
    const asking = "approval=q1&wait=60000&closed=deny&via=sdk";
    const ask = (run: string, more: object = { tool_use_id: "t1" }, call = "&call=t1"): Promise<Told> =>
      passing(served, served.post(`/v1/gate?${asking}&session=${run}${call}`, { ...hook, ...more }));
    await ask("run-1");
    await served.post("/v1/hooks/claude-code", { ...hook, ...PRE, session_id: "s1", tool_use_id: "t1" });
    expect((await ask("run-1")).body).toEqual({ approvalId: "q1", state: "pending" });
    const shown = (await served.get("/v1/approvals/q1")).body;
    expect(shown).toMatchObject({ sessionId: "run-1", state: "pending" });
    // Without the call's id nothing says that another run asks about it.
    expect((await ask("run-2", {}, "")).body).toMatchObject({ differs: ["session", "call"] });
    expect((await ask("run-1", {}, "")).body).toMatchObject({ differs: ["call"] });
  });

  it("AFTERWARDS-2: what a gate answered by itself is told of no approval about another call", async () => {
    await served.post("/v1/gate?approval=g1&wait=60000&closed=ask", { ...hook, session_id: "s1" });
    const caller = { door: "spool", by: "local:tester" };
    const left = (body: object): Promise<void> =>
      served.gate.afterwards.leftBehind(Buffer.from(JSON.stringify(body)), {}, caller, {
        approvalId: "g1",
        answered: "deny",
      });
    for (const other of [{ session_id: "s1", tool_input: { command: "ls" } }, { session_id: "s2" }])
      await expect(left({ ...hook, ...other })).rejects.toMatchObject({ code: "ID_REUSED" });
    expect((await served.get("/v1/approvals/g1")).body).toMatchObject({ state: "pending" });
    const letters = listAt((await served.get("/v1/dead-letters")).body, "items");
    expect(letters.map((each) => at(each, "code"))).toEqual(["ID_REUSED", "ID_REUSED"]);
    await left({ ...hook, session_id: "s1" });
    await until(served, "g1", "expired");
  });

  it("ASKER-2: the id that the engine made of a question is read by itself; what is said of it is compared", async () => {
    await served.post("/v1/events", event("approval.requested", { tool: "Bash", input: INPUT }));
    const [made] = listAt((await served.get("/v1/approvals")).body, "items");
    const asks = { id: String(at(made, "id")), session: "s1", tool: "Bash", input: INPUT };
    await approve(served, asks.id);
    expect(isAllow(await read(served, asks, "byId"))).toBe(true);
    expect(isAllow(await read(served, asks))).toBe(true);
    for (const other of [{ session: "s2" }, { tool: "Zsh" }, { input: { command: "rm -rf /" } }])
      expect((await read(served, { ...asks, ...other })).body).toMatchObject({
        error: { code: "ID_REUSED" },
        differs: ["tool" in other ? "tool" : "input" in other ? "input" : "session"],
      });
  });

  it.each(["service", "gate", "sdk", "published"] as const)(
    "I-53: a second question about a call, with another input, shares no answer (%s)",
    async (door) => {
      const asks: Asks = { id: "q1", session: "s1", call: "t1", tool: "deploy", input: { to: "a" } };
      await served.post(
        "/v1/events",
        event("tool.started", { toolUseId: "t1", tool: "deploy", input: { to: "a" } }),
      );
      expect((await ASK[door](served, asks)).status).toBe(200);
      const second = { ...asks, id: "q2", input: { to: "b" } };
      const told = await ASK[door](served, second);
      expect(isReused(told)).toBe(true);
      expect(JSON.stringify(told.body)).toContain("being asked about already; what differs: input");
      await approve(served, "q1");
      expect(isAllow(await read(served, second))).toBe(false);
    },
  );

  it("I-53: of an event in a list, its place says why it was refused, and the others are taken", async () => {
    const ask = (id: string, command: string): object =>
      event("approval.requested", { approvalId: id, tool: "Bash", input: { command } });
    const { status, body } = await served.post("/v1/events", [
      ask("q1", "ls"),
      ask("q1", "id"),
      ask("q2", "pwd"),
    ]);
    expect([status, listAt(body, "results")]).toMatchObject([
      200,
      [{ outcome: "applied" }, { outcome: "rejected", code: "ID_REUSED" }, { outcome: "applied" }],
    ]);
  });
});
