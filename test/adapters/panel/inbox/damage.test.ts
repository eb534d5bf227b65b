// Panel: damage
// A question whose input is not what its hash names, or is gone: nobody approves it, everybody can deny it.

import { describe, expect, it } from "vitest";
import { chooseNext, seen } from "../../../support/panel/choose.ts";
import { asked, servedForEach, windowsForAll } from "../../../support/panel/for-tests.ts";
import { shoot } from "../../../support/panel/page.ts";
import { at, listAt, textAt } from "../../../support/engine/json.ts";

const windows = windowsForAll();
const engine = servedForEach(asked({ tool: "Bash", toolUseId: "t1", input: { command: "rm -r b" } }));

const stateOf = (id: string): string | undefined => engine.now.queries.getApproval(id)?.state;

function damage(key: string): void {
  const row = engine.now.disk.rows.get(key) ?? "";
  expect(row).toContain("rm -r b");
  engine.now.disk.rows.set(key, row.replace("rm -r b", "rm -r c"));
}

describe("the panel: an input that cannot be shown", () => {
  it("G22: a damaged input is not shown, has no key that approves, and can be denied", async () => {
    for (const key of ["actor/shop/s1/approval/a1", "actor/shop/s1/call/t1"]) damage(key);
    const page = await windows.open(engine.standing, { reducedMotion: "reduce" });
    await chooseNext(page);
    const card = page.locator(".card.open[aria-current=true]");
    await card.locator(".warning").waitFor();
    expect(await card.locator(".warning").textContent()).toMatch(/^This input is damaged: .* only be denied/);
    expect(await card.textContent()).not.toMatch(/rm -r|Reading/);
    expect(await card.locator(".answers button:enabled").allTextContents()).toEqual([
      "Deny… d",
      "Deny and interrupt… i",
    ]);
    for (const key of ["a", "A", "e"]) await page.keyboard.press(key);
    expect(await page.locator("textarea").count()).toBe(0);
    for (const [colorScheme, width] of [
      ["light", 1280],
      ["dark", 390],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 844 });
      await shoot(page, `damaged-${colorScheme}-${width}`);
    }
    expect(stateOf("a1")).toBe("pending");
    // The key that opened no field made no keys of what comes right after it.
    await page.locator("h1").click();
    await seen(page);
    await page.keyboard.press("d");
    await page.locator("textarea").fill("It is not what was asked.");
    await page.keyboard.press("Enter");
    await page.locator(".card.committed").waitFor();
    expect(stateOf("a1")).toBe("denied");
    // What the engine had in memory was written anew.
    damage("actor/shop/s1/call/t1");
    await page.goto("/#/session/shop/s1/t1");
    const details = page.locator(".details");
    await details.locator(".warning", { hasText: "This input is damaged" }).waitFor();
    expect(await details.textContent()).not.toContain("rm -r");
  });

  it("G22: an input whose blob is gone is not loaded for ever: the card says so", async () => {
    const big = {
      session_id: "s2",
      cwd: "/shop",
      tool_name: "Write",
      tool_input: { content: "x".repeat(600 * 1024) },
    };
    for (const hook_event_name of ["PreToolUse", "PermissionRequest"])
      await engine.now.post("/v1/hooks/claude-code", { ...big, hook_event_name });
    const write = async () =>
      listAt((await engine.now.get("/v1/approvals?state=pending")).body, "items").find(
        (each) => at(each, "tool") === "Write",
      );
    await expect.poll(write).toBeDefined();
    engine.now.disk.blobs.clear();
    const question = await write();
    const id = textAt(question, "id") ?? "";
    const page = await windows.open(engine.standing);
    await page.goto(`/#/inbox/${textAt(question, "workspace")}/${id}`);
    const card = page.locator(".card.open[aria-current=true]", { hasText: "Write" });
    await card.locator(".warning", { hasText: "This input is gone" }).waitFor();
    expect(await card.textContent()).not.toContain("Reading");
    expect(await card.locator("button.approve").count()).toBe(0);
    expect(stateOf(id)).toBe("pending");
  });
});
