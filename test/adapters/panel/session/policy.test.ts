// Panel: an answer of a policy
// Who answered is told in words, beside the call.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { windowsForAll } from "../../../support/panel/for-tests.ts";
import { Line } from "../../../support/panel/page.ts";

const windows = windowsForAll();
const room = mkdtempSync(join(tmpdir(), "signalbox-policy-"));
afterAll(() => rmSync(room, { recursive: true }));

describe("the panel: a policy's answer", () => {
  it("Panel, POLICY-ANSWERING-1: says which policies allowed a call, and which denied one", async () => {
    const cedar = join(room, "p.cedar");
    writeFileSync(
      cedar,
      `@id("reads") permit (principal, action, resource) when { context.line == "ls" };
       @id("no-make") forbid (principal, action, resource) when { context.words.contains("make") };`,
    );
    const line = new Line();
    await line.start({ cedar });
    try {
      for (const [id, command] of [
        ["a1", "ls"],
        ["a2", "make all"],
      ] as const) {
        const call = { requestId: "r", toolUseId: `t-${id}`, tool: "Bash", input: { command } };
        await line.emit("w/s", ["tool.announced", call], ["approval.requested", { ...call, approvalId: id }]);
        const state = async () => (await line.read<{ state: string }>(`/v1/approvals/${id}`)).state;
        await expect.poll(state).not.toBe("pending");
      }
      const page = await windows.open(line);
      for (const [id, words] of [
        ["a1", "Allowed by the policy: reads"],
        ["a2", "Denied by the policy · Denied by no-make of policy"],
      ] as const) {
        await page.goto(`/#/session/w/s/t-${id}`);
        await expect
          .poll(() => page.locator("aside, main").allTextContents())
          .toContainEqual(expect.stringContaining(words));
      }
    } finally {
      await line.stop();
    }
  });
});
