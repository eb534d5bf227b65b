// Panel: answering
// Two windows and one decision, an engine killed and back, more questions than fit, and all of it without a mouse.

import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { CHOSEN, chooseNext, seen } from "../../../support/panel/choose.ts";
import { lineForEach, windowsForAll } from "../../../support/panel/for-tests.ts";
import { ASKING, playSessions } from "../../../support/panel/sessions.ts";
import { Desk } from "../../../support/processes/program.ts";
import { bySocket } from "../../../support/http/by-socket.ts";
import { personAt } from "../../../support/http/person.ts";

const windows = windowsForAll();

const question = (n: number, requestId = "r") =>
  [
    "approval.requested",
    {
      requestId,
      toolUseId: `t${n}`,
      tool: "Bash",
      input: { command: `echo ${n}` },
      approvalId: `a${n}`,
    },
  ] as const;

describe("the panel: answering", () => {
  const line = lineForEach();
  const stateOf = async (id: string) =>
    (await line.read<{ state: string; by?: string }>(`/v1/approvals/${id}`)).state;

  it("Panel: approvals asked for in one batch of events stand in the order of their calls, whatever their ids", async () => {
    const asked = [3, 1, 2].map((n, index) => {
      const [type, data] = question(n);
      return [type, { ...data, approvalId: `a${9 - index}` }] as const;
    });
    const announced = [3, 1, 2].map((n, blockIndex) => {
      const [, { requestId, toolUseId, tool, input }] = question(n);
      return ["tool.announced", { requestId, toolUseId, tool, input, messageId: "m", blockIndex }] as const;
    });
    await line.emit("w/same", ["request.created", { requestId: "r" }], ...announced, ...asked);
    const page = await windows.open(line);
    const shown = () => page.locator(".card.open").allTextContents();
    await expect
      .poll(async () => (await shown()).map((text) => /echo \d/.exec(text)?.[0]))
      .toEqual(["echo 3", "echo 1", "echo 2"]);
  });

  it("Panel, INBOX-MODEL-1: when one of two windows answers, the card in the other turns grey and names who answered", async () => {
    await line.emit("w/two", ["request.created", { requestId: "r" }], question(1));
    const [one, other] = [await windows.open(line), await windows.open(line)];
    await other.locator(".card.open").waitFor();
    await chooseNext(other);
    await chooseNext(one);
    await one.keyboard.press("a");
    await one.locator(".card.committed").waitFor();
    const reason = await other.locator(".card.gone .reason").textContent();
    expect(reason).toMatch(/^Approved by local:/);
    expect(await other.locator(`${CHOSEN}, .card .answers`).count()).toBe(0);
    await other.keyboard.press("d");
    expect(await other.locator("textarea").count()).toBe(0);
    expect(await stateOf("a1")).toBe("approved");
  });

  it("Panel, CHOICE-1: a key held down, or pressed as an approval vanishes, answers only what was shown", async () => {
    await line.emit("w/held", ["request.created", { requestId: "r" }], question(1), question(2), question(3));
    const page = await windows.open(line);
    await page.locator(".card.open").nth(2).waitFor();
    await chooseNext(page);
    await line.emit("w/held", ["approval.withdrawn", { approvalId: "a1" }]);
    await page.locator(".card.gone").waitFor();
    await page.keyboard.press("a");
    await chooseNext(page);
    await page.keyboard.down("a");
    for (let n = 0; n < 5; n += 1) await page.keyboard.down("a");
    await page.keyboard.up("a");
    await page.locator(".card.committed").waitFor();
    expect([await stateOf("a2"), await stateOf("a3")]).toEqual(["approved", "pending"]);
  });

  it("Panel, CHOICE-1: a second tap at once on the button's place answers nothing else", async () => {
    await line.emit("w/tapped", ["request.created", { requestId: "r" }], question(1), question(2));
    const page = await windows.open(line);
    await chooseNext(page);
    // The second tap comes the moment the next one stands there.
    await page.evaluate(`new Promise((done) => {
      const button = () => document.querySelector(".card[aria-current=true] .actions .approve");
      const first = document.querySelector(".card[aria-current=true]");
      new MutationObserver((_, observer) => {
        if (!button() || first.getAttribute("aria-current") === "true") return;
        observer.disconnect();
        button().click();
        done();
      }).observe(document.body, { subtree: true, childList: true, attributes: true });
      button().click();
    })`);
    await page.locator(".card.committed").waitFor();
    await page.locator(".card[aria-current=true]:not(.settling)").waitFor();
    expect([await stateOf("a1"), await stateOf("a2")]).toEqual(["approved", "pending"]);
  });

  it("Panel: text typed right after the key of a denial becomes its message, and answers nothing by itself", async () => {
    await line.emit("w/typed", ["request.created", { requestId: "r-typed" }], question(7, "r-typed"));
    const page = await windows.open(line);
    await chooseNext(page);
    await page.keyboard.press("d");
    await page.keyboard.type("ask me again");
    await page.locator("h1").click();
    await page.keyboard.press("a");
    expect(await stateOf("a7")).toBe("pending");
    await page.locator("textarea").focus();
    await page.keyboard.press("Enter");
    await page.locator(".card.committed").waitFor();
    expect(await line.read("/v1/approvals/a7")).toMatchObject({ state: "denied", message: "ask me again" });
  });

  it("Panel: deny and interrupt, an edited input, and all that are alike: each has its key", async () => {
    const alike = (n: number) =>
      [
        "approval.requested",
        {
          requestId: "r-alike",
          toolUseId: `s${n}`,
          tool: "Bash",
          input: { command: "same" },
          approvalId: `s${n}`,
        },
      ] as const;
    await line.emit("w/edit", ["request.created", { requestId: "r" }], question(1));
    const page = await windows.open(line);
    await chooseNext(page);
    await page.keyboard.press("e");
    const field = page.locator("textarea");
    await field.fill("not JSON");
    await page.keyboard.press("Control+Enter");
    await page.getByText("This is not JSON").waitFor();
    await field.fill('{"command":"echo safe"}');
    await page.keyboard.press("Control+Enter");
    await page.locator(".card.committed").waitFor();
    expect(await line.read("/v1/approvals/a1")).toMatchObject({
      state: "approved",
      updatedInput: { input: { command: "echo safe" } },
    });
    await line.emit("w/alike", ["request.created", { requestId: "r-alike" }], alike(1), alike(2));
    await page.locator(".card.open", { hasText: "2 × Bash" }).waitFor();
    await chooseNext(page);
    await page.keyboard.press("A");
    await page.getByRole("dialog").getByRole("button", { name: "Approve 2" }).click();
    await page.locator(".card.committed").nth(2).waitFor();
    expect([await stateOf("s1"), await stateOf("s2")]).toEqual(["approved", "approved"]);
    await line.emit("w/stop", ["request.created", { requestId: "r-stop" }], question(9, "r-stop"));
    await chooseNext(page);
    await page.keyboard.press("i");
    await page.keyboard.type("Stop here.");
    await page.keyboard.press("Enter");
    await page.locator(".card.committed").nth(3).waitFor();
    expect(await line.read("/v1/approvals/a9")).toMatchObject({ state: "denied", message: "Stop here." });
    await page.keyboard.press("c");
    await page.locator(".empty").waitFor();
  });

  it("Panel: of 300 approvals the oldest hundred are shown, and the others come up as these are answered", async () => {
    const numbers = Array.from({ length: 300 }, (_, n) => n);
    await line.emit("w/many", ["request.created", { requestId: "r" }]);
    for (let from = 0; from < 300; from += 100)
      await line.emit("w/many", ...numbers.slice(from, from + 100).map((n) => question(n)));
    const page = await windows.open(line);
    await page.locator(".card.open").nth(99).waitFor();
    expect(await page.locator("h1").textContent()).toBe("100 approvals and more after them");
    expect(await page.locator(".card").count()).toBe(100);
    expect(await page.locator(".card.open").first().textContent()).toContain("echo 0");
    await chooseNext(page);
    // Picked, and answered together; the last one by itself.
    for (let n = 0; n < 80; n += 1) for (const key of ["x", "j"]) await page.keyboard.press(key);
    await page.keyboard.press("A");
    await page.getByRole("dialog").getByRole("button", { name: "Approve 80" }).click();
    await page.locator(".card.committed").first().waitFor();
    await seen(page);
    await page.keyboard.press("a");
    await expect.poll(() => page.locator(".card.open").count()).toBeGreaterThan(50);
    expect(await page.locator(".card.gone").count()).toBe(0);
    const approved = async () =>
      (await line.read<{ items: readonly object[] }>("/v1/approvals?state=approved&limit=1000")).items;
    // The last of them may be on its way still; one too many would be there already.
    await expect.poll(async () => (await approved()).length).toBe(81);
  });

  it("Panel: everything can be reached without a mouse, and the focus is visible", async () => {
    await playSessions(line);
    const page = await windows.open(line);
    await chooseNext(page);
    await page.locator(".card.open .consequence").waitFor();
    const seen = new Map<string, string>();
    for (let n = 0; n < 40; n += 1) {
      await page.keyboard.press("Tab");
      const [tag, name, width] = await page.evaluate<readonly [string, string, string]>(
        `((at) => [at.tagName, at.textContent.trim(), getComputedStyle(at).outlineWidth])(document.activeElement)`,
      );
      if (tag !== "BODY") seen.set(name.replace(/ .$/, ""), width);
    }
    expect(new Set(seen.values())).toEqual(new Set(["2px"]));
    for (const name of [
      "Overview",
      "Approve",
      "Deny…",
      "Deny and interrupt…",
      "Edit input…",
      "see the session",
    ])
      expect([...seen.keys()]).toContain(name);
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("o");
    await page.locator(".session .call").first().waitFor();
    expect(page.url()).toContain(ASKING);
    await page.keyboard.press("2");
    await page.locator("#overview-title").waitFor();
    await page.keyboard.press("1");
    await page.locator("#inbox-title").waitFor();
  });
});

describe("the panel: an engine that was killed", () => {
  const desk = new Desk();
  afterAll(() => desk.clear());

  it("Panel, SESSION-COOKIE-3, HISTORY-HISTORY-2: after a kill -9 the page says that its sign-in is over; a new link shows what was decided meanwhile", async () => {
    const port = String(await freePort());
    const first = desk.start(["up", "--port", port, "--child"]);
    const url = `http://127.0.0.1:${port}`;
    await first.said(/runs at http/);
    const data = join(desk.dir, "data");
    const ask = bySocket(data);
    const token = (await personAt(data, url))["Authorization"]?.split(" ")[1] ?? "";
    const post = async (path: string, body: unknown): Promise<void> => {
      expect((await ask(path, { method: "POST", body: JSON.stringify(body) })).status).toBe(200);
    };
    let sent = 0;
    const emit = ([type, data]: readonly [string, object]): Promise<void> =>
      post("/v1/events", {
        ...{ specversion: "1.0", id: `k${(sent += 1)}`, source: "test", subject: "w/killed" },
        ...{ type, data },
      });
    await emit(["request.created", { requestId: "r" }]);
    await emit(question(1));
    await emit(question(2));
    const page: Page = await windows.open({ url, token });
    await page.locator(".card.open").nth(1).waitFor();

    const placeOf = () => page.locator("h1").boundingBox();
    const before = await placeOf();
    first.child.kill("SIGKILL");
    await page.locator(".link.lost").waitFor();
    await page.getByRole("alert").filter({ hasText: "The engine does not answer since" }).waitFor();
    expect(await placeOf()).toEqual(before);
    await chooseNext(page);
    await page.keyboard.press("a");
    await page.locator(".card .failure", { hasText: "The engine does not answer." }).waitFor();
    const second = desk.start(["up", "--port", port, "--child"]);
    await second.said(/runs at http/);
    const { inputHash } = (await (await ask("/v1/approvals/a1")).json()) as { inputHash: string };
    await post("/v1/approvals/a1/decision", { decision: "approve", inputHash });
    await emit(question(3));
    // While the engine is away, the page tries it less and less often.
    await page.getByRole("alert").filter({ hasText: "You are signed out" }).waitFor({ timeout: 40_000 });
    await windows.signIn(page, { url, token });

    await page.locator(".link.live").waitFor();
    await page.locator(".card.open", { hasText: "echo 3" }).waitFor();
    expect(await page.locator(".card.open").count()).toBe(2);
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
