// Panel: the background
// What stands behind a chosen approval: what was said and done before, how the same call was answered; where it is shown.

import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { findingsOn, withAxe } from "../../../support/panel/axe.ts";
import { SEEN } from "../../../support/panel/choose.ts";
import { lineForAll, windowsForAll } from "../../../support/panel/for-tests.ts";
import type { Line } from "../../../support/panel/page.ts";

const windows = windowsForAll();
const HOSTILE = `<img src=x onerror="pwned('background')">\u202e`;
const TOOL = "Bash";
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

const asks = (id: string, command: string) =>
  [
    "approval.requested",
    { requestId: "r", toolUseId: `t-${id}`, approvalId: id, tool: TOOL, input: { command } },
  ] as const;

async function decide(line: Line, id: string, decision: "approve" | "deny"): Promise<void> {
  const { inputHash } = await line.read<{ inputHash: string }>(`/v1/approvals/${id}?workspace=w`);
  await line.send(`/v1/approvals/${id}/decision?workspace=w`, { decision, inputHash });
}

const line = lineForAll(async (line) => {
  for (const session of ["old", "older", "now"])
    await line.emit(
      `w/${session}`,
      ["session.started", { title: `Session ${session}`, cwd: "/home/you/shop" }],
      ["request.created", { requestId: `r-${session}` }],
    );
  for (const n of [1, 2, 3, 4, 5, 6]) {
    await line.emit(`w/${n % 2 === 0 ? "old" : "older"}`, asks(`p${n}`, "npm test"));
    await decide(line, `p${n}`, "approve");
  }
  await line.emit("w/old", asks("p7", "make it so"));
  await decide(line, "p7", "deny");
  for (const [id, command] of [
    ["c1", "ls"],
    ["c2", HOSTILE],
  ] as const) {
    const call = { requestId: "r-now", toolUseId: id, tool: TOOL, input: { command } };
    await line.emit("w/now", ["tool.started", call], ["tool.finished", { ...call, output: "" }]);
  }
  await line.emit("w/now", asks("a1", "npm test"), asks("a2", "make it so"), asks("a3", HOSTILE));
});

const section = (page: Page, name: string) => page.getByRole("region", { name });
const begin = (id: string, options = {}): Promise<Page> =>
  windows.openAt(line, `#/inbox/w/${id}`, `${SEEN} .background`, options);

describe("the panel: the background", () => {
  it("Panel, PRECEDENTS-1, PRECEDENTS-4: beside the list it says how the same call was answered, and the rule that agrees", async () => {
    const page = await begin("a1");
    const before = section(page, "The same call before");
    await before.getByText("Allowed 6 times, never denied: by you.").waitFor();
    await before.getByText("“npm test” here would have given 6 of these answers, and no others.").waitFor();
    await before.getByText("among the workspace's 7 answers").waitFor();
    await page.goto("/#/inbox/w/a2");
    await before.getByText("Denied once, never allowed: by you.").waitFor();
    expect(await before.getByText("A rule").count()).toBe(0);
    await page.goto("/#/inbox/w/a3");
    await before.getByText("Not answered before.").waitFor();
  });

  it("Panel, WRITING-DRAFT-1: one press opens the form for rules, filled with the rule that the answers agree on", async () => {
    const page = await begin("a1");
    const { rule } = await line.read<{ rule: { terms: { project?: string } } }>(
      "/v1/approvals/a1/precedents?workspace=w",
    );
    await section(page, "The same call before").getByRole("button", { name: "Write this rule…" }).click();
    await page.locator(".writing form").waitFor();
    expect(await page.getByLabel("Words or a path with *").inputValue()).toBe("npm test");
    expect(await page.getByLabel("Only in this folder").inputValue()).toBe(rule.terms.project ?? "");
    expect(await page.locator(".writing").getByLabel("Workspace").inputValue()).toBe("w");
  });

  it("Panel, BACKGROUND-1: the calls before it are listed, the last one last, and hostile text is text", async () => {
    const page = await begin("a1");
    const calls = section(page, "Calls before").getByRole("listitem");
    await expect.poll(() => calls.count()).toBe(2);
    expect(await calls.nth(0).innerText()).toMatch(/Completed\s+Bash\s+ls/);
    expect(await calls.nth(1).innerText()).toContain("<img src=x");
    expect(await page.locator(".background img").count()).toBe(0);
    expect(await page.locator(".background").innerText()).not.toContain("\u202e");
  });

  it("Panel, BACKGROUND-BEHIND-1: on a phone it is asked for when it is opened, and nothing moves before that", async () => {
    const page = await windows.open(line, PHONE);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await page.goto("/#/inbox/w/a1");
    await page.locator(`${SEEN} .consequence`).waitFor();
    const isOfIt = (path: string): boolean => /precedents|conversation|background/.test(path);
    expect(asked.filter(isOfIt)).toEqual([]);
    expect(await section(page, "The same call before").count()).toBe(0);
    const input = page.locator(`${SEEN} .seen`);
    const place = await input.boundingBox();
    await page.locator(".background summary").tap();
    await section(page, "The same call before").getByText("Allowed 6 times").waitFor();
    expect((await input.boundingBox())?.height).toBe(place?.height);
    expect(asked.filter(isOfIt).length).toBeGreaterThan(1);
  });

  it("Panel: beside the list it moves neither the input nor a button when it comes", async () => {
    const page = await windows.open(line);
    let answer = (): void => undefined;
    const held = new Promise<void>((let_) => (answer = let_));
    await page.route("**/precedents?*", async (route) => {
      await held;
      await route.continue();
    });
    await page.goto("/#/inbox/w/a1");
    await section(page, "Calls before").waitFor();
    const places = () =>
      Promise.all(
        [".whole .seen", ".answers .approve", ".whole .consequence"].map((each) =>
          page.locator(each).boundingBox(),
        ),
      );
    const before = await places();
    answer();
    await section(page, "The same call before").waitFor();
    expect(await places()).toEqual(before);
  });

  it("Panel: a part of it that cannot be had leaves the rest, and the answers", async () => {
    const page = await windows.open(line);
    await page.route("**/precedents?*", (route) => route.abort());
    await page.goto("/#/inbox/w/a1");
    await section(page, "Calls before").waitFor();
    await page.locator(SEEN).waitFor();
    expect(await section(page, "The same call before").count()).toBe(0);
    expect(await page.getByRole("button", { name: "Approve a", exact: true }).isEnabled()).toBe(true);
  });

  it.each(["light", "dark"] as const)("Panel: in %s, axe finds nothing in it", async (colorScheme) => {
    for (const size of [{}, PHONE]) {
      const page = await windows.open(line, { colorScheme, reducedMotion: "reduce", ...size });
      await withAxe(page);
      await page.goto("/?axe#/inbox/w/a1");
      await page.locator(`${SEEN} .background`).waitFor();
      if (size === PHONE) await page.locator(".background summary").tap();
      await section(page, "The same call before").getByText("Allowed 6 times").waitFor();
      expect(await findingsOn(page)).toEqual([]);
      await page.context().close();
    }
  });
});
