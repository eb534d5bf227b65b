// Damaged inputs
// A stored input with one flipped bit is another input: it is never shown as the input, and nobody can approve it.

import { describe, expect, test } from "vitest";
import type { ApprovalId, Decision, SessionId, WorkspaceId } from "../../../machines/index.ts";
import { toolInput } from "../../../runtime/canonical.ts";
import { digestId } from "../../../runtime/foreign-id.ts";
import { keys } from "../../../runtime/rows/keys.ts";
import { writeMessage } from "../../../runtime/message.ts";
import { Layer } from "../../../runtime/rows/overlay.ts";
import type { Outlet } from "../../../runtime/ports.ts";
import { Queries } from "../../../runtime/reading/queries.ts";
import { turn } from "../../../runtime/turn/turn.ts";
import { WorkingSet } from "../../../runtime/rows/working-set.ts";
import { flips } from "../../support/faults/flips.ts";
import { at } from "../../support/engine/json.ts";
import { Rig, type RigOptions, splitLog, START_MS, translate } from "../../support/engine/rig.ts";
import { call, said } from "../../support/sessions/said.ts";
import { clients } from "../../../adapters/composition/clients.ts";

const INPUT = { "10": "é", command: "rm -r b" };
const { hash: HASH } = toolInput(INPUT);
const QUESTION = "actor/w/s1/approval/a1";
const CALL = "actor/w/s1/call/c1";

async function asked(options: RigOptions = {}): Promise<Rig> {
  const rig = await Rig.start(options);
  const ref = call("c1", "Bash", INPUT);
  await rig.tell("s1", said.prompt("p1"), said.pre(ref), said.ask("a1", ref));
  return rig;
}

/** The row with each of its bits flipped, one at a time; then as it was. */
function* damages(rig: Rig, key: string): Generator<string> {
  const whole = rig.disk.rows.get(key);
  if (whole === undefined) throw new Error(`No row ${key}`);
  for (const text of flips(whole)) {
    rig.disk.rows.set(key, text);
    yield text;
  }
  rig.disk.rows.set(key, whole);
}

/** The answer; undefined if the engine says that it cannot be read. */
function shown<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}

/** Checks what was shown of an input: each view shows the original input under its original hash, or none. */
class Sightings {
  whole = 0;
  damaged = 0;

  of(view: unknown): void {
    const input = at(view, "input");
    if (input !== undefined) {
      this.whole += 1;
      expect([input, at(view, "inputHash")]).toEqual([INPUT, HASH]);
    } else if (at(view, "inputMissing") === "damaged") this.damaged += 1;
  }
}

const approve = (inputHash: string): Decision => ({
  type: "decision",
  approvalId: "a1" as ApprovalId,
  decision: "approve",
  inputHash,
  by: "local:eve",
});

/** The answer to a decision made now. */
function decided(rig: Rig, decision: Decision) {
  const message = {
    door: "own",
    workspace: "w" as WorkspaceId,
    session: "s1" as SessionId,
    said: decision,
  } as const;
  const entry = { position: rig.disk.tail + 1, at: START_MS + 1, body: writeMessage(message) };
  const layer = new Layer(new WorkingSet(rig.engine.store));
  return { layer, ...turn(layer, entry, { digest: digestId, clients, translate, epoch: 1 }) };
}

describe("G22: a row with one flipped bit", () => {
  test.each([
    ["question", QUESTION, (queries: Queries) => queries.getApproval("a1")],
    ["call", CALL, (queries: Queries) => queries.getToolCall("c1")],
    ["list of questions", QUESTION, (queries: Queries) => queries.listApprovals({}).items[0]],
    ["list of calls", CALL, (queries: Queries) => queries.toolCallsOf("s1", {})?.items[0]],
  ])("G22, INPUT-DAMAGE-1: the %s never shows an input that does not match its hash", async (_, key, ask) => {
    const rig = await asked();
    const queries = new Queries(rig.engine);
    const seen = new Sightings();
    for (const _text of damages(rig, key)) seen.of(shown(() => ask(queries)));
    expect(seen.whole).toBeGreaterThan(500);
    expect(seen.damaged).toBeGreaterThan(500);
    expect(rig.defects.map((error) => at(error, "code"))).toContain("INPUT_DAMAGED");
    await rig.engine.stop();
  });

  test("G22, I-08: a decision approves the original input under its original hash, or nothing", async () => {
    const rig = await asked();
    let accepted = 0;
    for (const text of damages(rig, QUESTION)) {
      const { hash } = shown(() => at(JSON.parse(text), "context", "input") as { hash?: string }) ?? {};
      for (const inputHash of new Set([HASH, hash ?? HASH])) {
        const { answers, layer } = decided(rig, approve(inputHash));
        if (!answers.some(({ result }) => result === "accepted")) continue;
        accepted += 1;
        expect([inputHash, at(JSON.parse(text), "context", "input")]).toEqual([HASH, toolInput(INPUT)]);
        expect(at(layer.get(keys.audit(1)), "inputHash")).toBe(HASH);
      }
    }
    expect(accepted).toBeGreaterThan(500);
    await rig.engine.stop();
  });

  test("G22: an approval of a damaged input can be denied; the audit row has no input, the actor's row keeps what was found", async () => {
    const rig = await asked();
    await rig.engine.stop();
    const whole = rig.disk.rows.get(QUESTION) ?? "";
    rig.disk.rows.set(QUESTION, whole.replace("rm -r b", "rm -r c"));
    const next = await rig.restart();
    const refused = await next.engine.own("w" as WorkspaceId, "s1" as SessionId, approve(HASH));
    expect(refused.answers).toMatchObject([
      { result: "refused", state: "pending", reason: expect.stringMatching(/damaged.*deny it/) as string },
    ]);
    const { inputHash: _, ...deny } = { ...approve(HASH), decision: "deny" as const };
    const denied = await next.engine.own("w" as WorkspaceId, "s1" as SessionId, deny);
    expect(denied.answers).toMatchObject([{ result: "accepted", state: "denied" }]);
    const audits = [...next.rows("audit/").values()].map((text) => JSON.parse(text) as object);
    expect(audits).toHaveLength(2);
    for (const audit of audits) {
      expect(audit).toMatchObject({ inputHash: HASH });
      expect(audit).not.toHaveProperty("input");
    }
    expect(next.row(QUESTION)).toMatchObject({
      value: "denied",
      context: { input: { damaged: true, hash: HASH, found: expect.stringContaining("rm -r c") as string } },
    });
    expect(new Queries(next.engine).getApproval("a1")).toMatchObject({ inputMissing: "damaged" });
    await next.engine.stop();
  });

  test("G22: history, followers and lists of changes show a change without an input that does not match its hash", async () => {
    const rig = await asked();
    const queries = new Queries(rig.engine);
    const n = rig.changes.find(({ entity }) => entity === "approval")?.n ?? 0;
    splitLog(rig.disk);
    const [inHistory, followed] = [new Sightings(), new Sightings()];
    const start = { after: `${rig.engine.incarnation}-${n - 1}`, limit: 1 };
    for (const _text of damages(rig, keys.change(n))) {
      for (const { view } of queries.history("s1", { id: "a1" })?.items ?? []) inHistory.of(view);
      for (const { view } of queries.changes({}, start).items) followed.of(view);
    }
    for (const seen of [inHistory, followed]) {
      expect(seen.whole).toBeGreaterThan(500);
      expect(seen.damaged).toBeGreaterThan(500);
    }
    await rig.engine.stop();
  });

  test("G22, OUTLET-PUBLISHER-4: a change leaves the engine without an input that does not match its hash", async () => {
    const left: string[] = [];
    let isAway = true;
    const outlet: Outlet = {
      publish({ body }) {
        if (isAway) return Promise.reject(new Error("away"));
        left.push(body);
        return Promise.resolve();
      },
      lastVersion: () => Promise.resolve(0),
      close: () => Promise.resolve(),
    };
    const rig = await asked({ outlet });
    const altered = rig.changes.filter(({ view }) => at(view, "input") !== undefined).map(({ n }) => n);
    splitLog(rig.disk);
    for (const n of altered) {
      const key = keys.change(n);
      rig.disk.rows.set(key, rig.disk.rows.get(key)?.replace("rm -r b", "rm -r c") ?? "");
    }
    isAway = false;
    while (rig.engine.lag().outlet > 0) await rig.pass(1_000, 1_000);
    const views = left.map((body) => at(JSON.parse(body), "view"));
    expect(left.join()).not.toContain("rm -r");
    expect(views.filter((view) => at(view, "inputMissing") === "damaged")).toHaveLength(altered.length);
    expect(altered.length).toBeGreaterThan(1);
    await rig.engine.stop();
  });
});
