// Shells
// What is asked about a client's shell reaches the rules in one form, and is kept with the approval; nothing else is a shell.

import { describe, expect, it } from "vitest";
import { clients, translate } from "../../../adapters/composition/clients.ts";
import { NOTHING_GUARDED, type RuleTerms } from "../../../machines/index.ts";
import { Reader } from "../../../runtime/reading/reader.ts";
import { ended, trialInSlices } from "../../../runtime/reading/rule-trial.ts";
import { DAY_MS, HOUR_MS, Rig, WORKSPACE } from "../../support/engine/rig.ts";
import { approvalIn, fateOf, ruleFor } from "../../support/rules/ruled.ts";

const SESSION = "opencode-1";
const RULE: RuleTerms = { effect: "allow", tool: "Bash", match: { kind: "prefix", text: "npm test" } };
const around = { session: SESSION, cwd: "/home/dev/shop" };

const tell = async (rig: Rig, note: object, gate?: object): Promise<void> => {
  const data = { hook: { ...around, ...note }, ...(gate && { gate }) };
  const message = rig.message(SESSION, [], { type: "acp.hook", source: "acp", data });
  await (
    await rig.engine.submit(message)
  ).settled;
};
const ask = (rig: Rig, id: string, tool: string, input: unknown): Promise<void> =>
  tell(
    rig,
    { acp: "permission", call: `c-${id}`, tool, tool_input: input },
    { approvalId: id, deadlineAt: rig.clock.now() + HOUR_MS, onDeadline: "deny" },
  );
async function rigWithRule(): Promise<readonly [Rig, string]> {
  const rig = await Rig.start();
  const rule = await ruleFor(rig, RULE);
  await tell(rig, { acp: "session", agent: { name: "OpenCode", version: "1.18.33" } });
  await tell(rig, { acp: "prompt", prompt: "p", text: "Test it." });
  return [rig, rule];
}

describe("a client's shell", () => {
  it("SHELL-CALL-1, RULE-ANSWERING-1: a rule for Bash answers in the turn that asks, whatever the form", async () => {
    const [rig, rule] = await rigWithRule();
    await ask(rig, "a1", "execute", { command: "npm test", cwd: "/home/dev/shop" });
    await ask(rig, "a2", "execute", { command: ["bash", "-lc", "npm test"] });
    await ask(rig, "a3", "terminal/create", { command: "npm", args: ["test"], env: [] });
    await ask(rig, "a4", "execute", { command: "npm test", cwd: "/tmp" });
    await ask(rig, "a5", "execute", { command: "npm test; id" });
    await ask(rig, "a6", "fetch", { command: "npm test" });
    const allowed = `approved rule:${rule}`;
    const fates = ["a1", "a2", "a3", "a4", "a5", "a6"].map((id) => fateOf(rig, id, SESSION));
    expect(fates).toEqual([allowed, allowed, allowed, "pending", "pending", "pending"]);
    expect(approvalIn(rig, "a1", SESSION)?.shell).toEqual({ command: "npm test", cwd: "/home/dev/shop" });
    expect(approvalIn(rig, "a5", SESSION)?.shell).toEqual({});
    expect(approvalIn(rig, "a6", SESSION)).not.toHaveProperty("shell");
  });

  it("PAST-APPROVALS-1, SHELL-CALL-1: a trial says so, too, also of what was removed", async () => {
    const rig = await Rig.start();
    await tell(rig, { acp: "session" });
    await tell(rig, { acp: "prompt", prompt: "p", text: "Test it." });
    await ask(rig, "a1", "execute", { command: ["npm", "test"] });
    await ask(rig, "a2", "execute", { command: ["npm", "test;id"] });
    const tried = () =>
      ended(
        trialInSlices(new Reader(rig.engine.store), [RULE], {
          workspace: WORKSPACE,
          since: 0,
          limit: 10,
          guarded: NOTHING_GUARDED,
        }),
      );
    expect(await tried()).toMatchObject({ asked: 2, allow: 1, ask: 0, deny: 0 });
    await tell(rig, { acp: "session", ended: true });
    await rig.pass(3 * DAY_MS, 6 * HOUR_MS);
    expect(approvalIn(rig, "a1", SESSION)).toBeUndefined();
    expect(await tried()).toMatchObject({ asked: 2, allow: 1, ask: 0, deny: 0 });
  });

  it("SHELL-CALL-1: a service's tool of the same name is none", () => {
    const { rawTypes } = clients;
    expect(rawTypes.has("approval.requested")).toBe(false);
    const input = { command: "npm test" };
    const data = { approvalId: "a", tool: "execute", input, channel: "service", toolUseId: "t" };
    const [asked] = translate({
      ...{ door: "in", workspace: WORKSPACE, session: SESSION as never },
      ...{ source: "svc", id: "1", type: "approval.requested", data },
    });
    expect(asked).toMatchObject({ type: "approval.requested", call: { tool: "execute" } });
    expect(asked).not.toHaveProperty("call.shell");
  });
});
