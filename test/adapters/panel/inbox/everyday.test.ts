// Panel: every day
// Small things met every day: the way out, numbers that are true now, filters that stay, names that tell, titles of every script.

import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { lineForEach, windowsForAll } from "../../../support/panel/for-tests.ts";

const windows = windowsForAll();

const asked = (id: string, tool: string, input: object, more: object = {}) =>
  [
    "approval.requested",
    { requestId: "r", toolUseId: `t-${id}`, approvalId: id, tool, input, ...more },
  ] as const;
const bash = (id: string) => asked(id, "Bash", { command: `echo ${id}` });

describe("the panel: every day", () => {
  const line = lineForEach();
  const open = (address: string, sign: string, options = {}): Promise<Page> =>
    windows.openAt(line, address, sign, options);
  const began = async (session: string, title = "A session"): Promise<void> =>
    line.emit(
      `w/${session}`,
      ["session.started", { title, cwd: "/home/you/shop" }],
      ["request.created", { requestId: "r", prompt: "Do it" }],
      ["request.processing", { requestId: "r" }],
    );

  it("Panel: Escape leads one step out: from a call's machine to the call, to its session, to the list it was opened from", async () => {
    await began("out");
    await line.emit("w/out", ["tool.started", { requestId: "r", toolUseId: "t", tool: "Bash", input: {} }]);
    const page = await open("#/overview", ".overview tbody tr");
    await page.getByRole("region", { name: "Sessions" }).locator("tbody a").first().click();
    await page.locator(".call").waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("m");
    await page.locator("#machine-title").waitFor();
    await page.keyboard.press("Escape");
    await page.waitForURL("**/#/session/w/out/t");
    await page.locator(".details").waitFor();
    await page.keyboard.press("Escape");
    await page.waitForURL("**/#/session/w/out");
    await page.locator(".details").waitFor({ state: "detached" });
    await page.keyboard.press("Escape");
    await page.locator("#overview-title").waitFor();
  });

  it("Panel: a key acts where the one before it led to, however fast they come", async () => {
    await began("fast");
    await line.emit("w/fast", ["tool.started", { requestId: "r", toolUseId: "t", tool: "Bash", input: {} }]);
    const page = await open("#/session/w/fast", ".call");
    await page.evaluate(`(async () => {
      for (const key of ["j", "m"]) {
        dispatchEvent(new KeyboardEvent("keydown", { key }));
        // Only what is done at once: no event of the browser comes in between.
        for (let n = 0; n < 100; n += 1) await undefined;
      }
    })()`);
    await page.waitForURL("**/#/machine/w/fast/call/t");
    await page.locator("#machine-title").waitFor();
  });

  it("Panel: while approvals wait, the longest wait of now is theirs", async () => {
    await began("wait");
    await line.emit("w/wait", bash("a1"), bash("a2"));
    const page = await open("#/overview", ".overview tbody tr");
    const figure = page.locator("figure", { hasText: "Time to answer" });
    await expect
      .poll(() => figure.locator(".read-out").textContent())
      .toMatch(/^no answers in this time; waiting now since [1-9]/);
  });

  it("Panel, STANDING-2: requests that wait for a person have a number, a filter, and a list, and are not among those that run", async () => {
    await began("waits");
    await line.emit(
      "w/waits",
      ["tool.started", { requestId: "r", toolUseId: "t-a1", tool: "Bash", input: { command: "echo a1" } }],
      bash("a1"),
    );
    await line.emit("w/goes", ["request.created", { requestId: "g", prompt: "Goes on" }]);
    await line.emit("w/goes", ["request.processing", { requestId: "g" }]);
    const page = await open("#/overview", ".overview tbody tr");
    const tile = page.locator(".tile", { has: page.getByRole("heading", { name: "requests", exact: true }) });
    const waiting = tile.locator(".counts > div", { hasText: "aiting" });
    await expect.poll(() => waiting.locator("dd").textContent()).toBe("1");
    // STANDING-2: two requests are open, and each is counted once.
    const running = tile.locator(".counts > div", { hasText: "Running" });
    await expect.poll(() => running.locator("dd").textContent()).toBe("1");
    await page
      .getByRole("group", { name: "At a glance" })
      .getByText(/sessions?, 1 request$/)
      .waitFor();
    await waiting.locator("a").click();
    const texts = () => page.getByRole("region", { name: "Requests" }).locator("tbody th").allTextContents();
    await expect.poll(texts).toEqual(["Do it"]);
    expect(await page.getByLabel("Requests by state").inputValue()).toBe("waiting");
    expect(await line.read("/v1/requests?state=waiting")).toMatchObject({ items: [{ requestId: "r" }] });
    await page.goBack();
    await running.locator("a").click();
    await expect.poll(texts).toEqual(["Goes on"]);
  });

  it("Panel: the filters of the overview and of a session are in the address, and survive a reload", async () => {
    await began("kept");
    await line.emit("v/other", ["session.started", { title: "Another workspace" }]);
    for (const n of [1, 2])
      await line.emit("w/kept", [
        "tool.started",
        { requestId: "r", toolUseId: `t${n}`, tool: "Bash", input: { command: `echo ${n}` } },
      ]);
    const page = await open("#/overview", ".overview tbody tr");
    const rows = page.getByRole("region", { name: "Sessions" }).locator("tbody tr");
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByLabel("Sessions by workspace").fill("v");
    await page.keyboard.press("Enter");
    await expect.poll(() => rows.count()).toBe(1);
    await page.reload();
    await rows.first().waitFor();
    expect(await rows.allTextContents()).toEqual([expect.stringContaining("Another workspace")]);
    expect(await page.getByLabel("Sessions by workspace").inputValue()).toBe("v");
    await page.goto("/#/session/w/kept");
    await page.getByRole("searchbox").fill("echo 2");
    await page.keyboard.press("Escape");
    await page.keyboard.press("j");
    await page.waitForURL(/\/t2\?find=echo/);
    await page.reload();
    await page.locator(".details").waitFor();
    expect(await page.locator(".call").count()).toBe(1);
  });

  it("Panel: from the last of a list, an answer leads to the one before it, and not to the top", async () => {
    await began("last");
    await line.emit("w/last", bash("a1"), bash("a2"), bash("a3"));
    const page = await open("#/inbox/w/a3", ".card[aria-current=true] .fields");
    await page.locator(".card[aria-current=true]:not(.settling)", { hasText: "echo a3" }).waitFor();
    await page.keyboard.press("a");
    await page.locator(".card.open[aria-current=true]", { hasText: "echo a2" }).waitFor();
  });

  it("Panel: each known tool is told by what it is about", async () => {
    await began("gists");
    const inputs: readonly (readonly [string, object, string])[] = [
      ["Grep", { content: "x", output_mode: "content", pattern: "total\\(" }, "total\\("],
      ["WebFetch", { prompt: "What is it?", url: "https://example.org/" }, "https://example.org/"],
      ["Task", { prompt: "Read all", description: "Review it", a: "first" }, "Review it"],
      ["NotebookEdit", { cell_id: "c", notebook_path: "/n.ipynb" }, "/n.ipynb"],
      ["WebSearch", { allowed: "a", query: "lmdb" }, "lmdb"],
      ["Glob", { path: "/home", pattern: "**/*.ts" }, "**/*.ts"],
    ];
    await line.emit("w/gists", ...inputs.map(([tool, input]) => asked(`q-${tool}`, tool, input)));
    const page = await open("#/inbox", ".card .gist");
    const shown = new Map<string, string>();
    for (const card of await page.locator(".card").all())
      shown.set(await card.locator("h2").innerText(), (await card.locator(".gist").textContent()) ?? "");
    expect([...shown].toSorted()).toEqual(inputs.map(([tool, , gist]) => [tool, gist]).toSorted());
  });

  it("Panel: an index above 999 keeps its place beside the tool's name", async () => {
    await began("long");
    const call = (n: number) => ({ requestId: "r", toolUseId: `t${n}`, tool: "Bash", input: { n } });
    for (let from = 0; from < 1_010; from += 101)
      await line.emit(
        "w/long",
        ...Array.from(
          { length: 101 },
          (_, n) => ["tool.announced", { ...call(from + n), messageId: "m" }] as const,
        ),
      );
    const page = await open("#/session/w/long", ".call");
    const cell = page.locator(".call .index").last();
    expect(await cell.textContent()).toBe("1010");
    expect(
      await page.evaluate<boolean>(
        `[...document.querySelectorAll(".call .index")].every((cell) => cell.scrollWidth <= cell.clientWidth)`,
      ),
    ).toBe(true);
  });

  it("Panel: what is said of a lost engine covers no heading", async () => {
    await began("lost");
    const page = await open("#/overview", ".overview tbody tr");
    await page.route(/\/v1\//, (asking) => asking.abort());
    await line.engine.stop();
    const alert = page.getByRole("alert").filter({ hasText: "The engine does not answer since" });
    await alert.waitFor();
    const [above, below] = [await page.locator("h1").boundingBox(), await alert.boundingBox()];
    expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThan(below?.y ?? 0);
  });

  it("Panel: how long a request that waits has taken goes on", async () => {
    await began("live");
    await line.emit("w/live", bash("a1"));
    const page = await open("#/session/w/live", ".request");
    const took = page.locator(".request header .quiet span");
    await expect.poll(() => took.textContent(), { timeout: 15_000 }).toMatch(/^([2-9]\.\d|\d\d) s$/);
  });

  it("Panel: joined emoji stay one sign, and a title written from right to left turns nothing round", async () => {
    const title = "👩‍💻 עברית ❤️ shop";
    await began("signs", title);
    await line.emit("w/signs", bash("a1"));
    const page = await open("#/session/w/signs", ".request");
    expect(await page.locator("#session-title").textContent()).toBe(title);
    expect(await page.locator("#session-title mark").count()).toBe(0);
    expect(await page.locator("#session-title bdi").count()).toBe(1);
    await page.goto("/#/inbox");
    const [name, folder] = [page.locator(".where bdi").first(), page.locator(".where .folder").first()];
    await name.waitFor();
    const [left, right] = [await name.boundingBox(), await folder.boundingBox()];
    expect(left?.x ?? 0).toBeLessThan(right?.x ?? 0);
  });

  it("Panel: states are said in people's words, with their ids beneath", async () => {
    await began("words");
    await line.emit(
      "w/words",
      ["tool.started", { requestId: "r", toolUseId: "t", tool: "Bash", input: { command: "sleep 1" } }],
      ["request.completed", { requestId: "r" }],
      ["session.ended", {}],
    );
    const { execution } = await line.read<{ execution: string }>("/v1/tool-calls/t?workspace=w");
    expect(execution).toBe("missing-post");
    const page = await open("#/session/w/words", ".call");
    const chip = page.locator(".call .chip.missing-post");
    expect(await chip.textContent()).toMatch(/^No result reported · /);
    expect(await chip.getAttribute("title")).toContain("(missing-post)");
    expect(await page.locator(".session-parts").innerText()).not.toMatch(
      /missing-post|waiting_input|processing/,
    );
  });
});
