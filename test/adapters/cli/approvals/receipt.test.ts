// Receipt
// A person answers, and waits to hear what became of the answer; the calls that ran all the same.

import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { textAt } from "../../../support/engine/json.ts";
import { deskWithEngine } from "../../../support/processes/desk-for-all.ts";
import { jsonLines } from "../../../support/processes/program.ts";

const desk = deskWithEngine();

const input = { command: "make deploy" };

async function ask(id: string): Promise<void> {
  await desk.emit("tool.started", { tool: "Bash", toolUseId: `t-${id}`, input }, `shop/s-${id}`);
  const approval = { tool: "Bash", toolUseId: `t-${id}`, input, approvalId: id };
  await desk.emit("approval.requested", approval, `shop/s-${id}`);
}

const ran = (id: string) =>
  desk.emit("tool.finished", { tool: "Bash", toolUseId: `t-${id}`, input, output: "ok" }, `shop/s-${id}`);

async function until(id: string, state: string): Promise<void> {
  while (textAt(jsonLines((await desk.run(["show", id, "--json"])).out)[0], "state") !== state)
    await sleep(20);
}

describe("what becomes of an answer", () => {
  it("CLI-RECEIPT-1, C6: approve prints each step that the answer reaches, and ends with the last", async () => {
    await ask("a-ok");
    const answered = desk.run(["approve", "a-ok", "--wait", "60"]);
    await until("a-ok", "approved");
    await desk.emit("approval.taken", { approvalId: "a-ok", by: "chat-bot" }, "shop/s-a-ok");
    await ran("a-ok");
    const { code, out } = await answered;
    expect(code).toBe(0);
    expect(out).toMatch(
      /a-ok is approved\.\nsent, and committed\.\ntaken \S+: chat-bot has the answer\.\nconfirmed \S+: the call ran\.\n$/,
    );
  });

  it("CLI-RECEIPT-1, C7: a denial that is not obeyed is told, and so is its alarm", async () => {
    expect((await desk.run(["alarms", "--check"])).code).toBe(0);
    await ask("a-no");
    const answered = desk.run(["deny", "a-no", "--wait", "60", "--json"]);
    await until("a-no", "denied");
    await ran("a-no");
    const { code, out } = await answered;
    expect([code, jsonLines(out)]).toMatchObject([
      1,
      [{ state: "denied" }, { approvalId: "a-no", receipt: { step: "contradicted", call: "ran" } }],
    ]);
    const listed = await desk.run(["alarms", "--check"]);
    expect([listed.code, listed.out]).toEqual([1, expect.stringContaining("ran though it was denied")]);
    const [alarm] = jsonLines((await desk.run(["alarms", "--json", "--state", "executedAfterDenial"])).out);
    expect(alarm).toMatchObject({ callId: "t-a-no", approvalId: "a-no", because: "denied" });
  });
});
