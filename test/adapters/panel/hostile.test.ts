// Panel: hostile text
// A hundred attempts at running a script or hiding a character, in every field that reaches the page.

import { describe, expect, it } from "vitest";
import { CHOSEN, chooseNext } from "../../support/panel/choose.ts";
import { lineForAll, windowsForAll } from "../../support/panel/for-tests.ts";

const windows = windowsForAll();
const line = lineForAll();

const CALLS = ["pwned(1)", "alert(1)", "confirm`1`", "top['pwned'](1)", "eval('pwned(1)')"];
const FRAMES: readonly ((code: string) => string)[] = [
  (code) => `<script>${code}</script>`,
  (code) => `"><script>${code}</script>`,
  (code) => `</pre><img src=x onerror="${code}">`,
  (code) => `<svg onload=${code}>`,
  (code) => `<iframe srcdoc="<script>parent.${code}</script>"></iframe>`,
  (code) => `<a href="javascript:${code}">click</a>`,
  (code) => `javascript:${code}`,
  (code) => `<details open ontoggle=${code}>`,
  (code) => `<input autofocus onfocus=${code}>`,
  (code) => `<style>@import 'data:text/css,*{x:expression(${code})}'</style>`,
  (code) => `<math><mi xlink:href="data:text/html,<script>${code}</script>">x`,
  (code) => `<body onpageshow=${code}>`,
  (code) => `'-${code}-'`,
  (code) => "${" + code + "}",
  (code) => `{{constructor.constructor('${code}')()}}`,
  (code) => `<base href="//evil.example/"><script src=x></script>${code}`,
  (code) => `<meta http-equiv="refresh" content="0;url=javascript:${code}">`,
  (code) => `<object data="data:text/html,<script>${code}</script>">`,
  (code) => `<form action="javascript:${code}"><button>go</button></form>`,
  (code) => `<link rel=stylesheet href="data:text/css,body{display:none}">${code}`,
];
const PAYLOADS = FRAMES.flatMap((frame) => CALLS.map(frame));

/** Texts that look like others, or hide a part, and what stands in their place. */
const HIDDEN: readonly (readonly [text: string, shown: string])[] = [
  ["rm\u202e txt.exe", "rm<U+202E> txt.exe"],
  ["a\u200bb", "a<U+200B>b"],
  ["a\u2066b\u2069", "a<U+2066>b<U+2069>"],
  ["tag\u{e0041}s", "tag<U+E0041>s"],
  ["bell\u0007 esc\u001b[31m", "bell␇ esc␛[31m"],
  ["nul\u0000", "nul␀"],
  ["soft\u00adhyphen", "soft<U+00AD>hyphen"],
];

describe("the panel: hostile text", () => {
  it("PARTS-TEXT-1, G48: a hundred scripts in titles, prompts, tools, intents, inputs and messages are shown unchanged, and none runs", async () => {
    expect(new Set(PAYLOADS).size).toBe(100);
    const input = Object.fromEntries(PAYLOADS.map((payload, n) => [`${n} ${payload}`.slice(0, 60), payload]));
    const [first = "", second = "", third = "", fourth = "", fifth = ""] = PAYLOADS;
    const call = { requestId: "x1", toolUseId: "x1-call", tool: first, input };
    await line.emit(
      "w/xss",
      ["session.started", { title: second, cwd: `/home/${third}`, branch: fourth, client: fifth }],
      ["request.created", { requestId: "x1", prompt: PAYLOADS.join(" ") }],
      ["request.processing", { requestId: "x1" }],
      [
        "tool.announced",
        { ...call, intent: { text: PAYLOADS.join("\n"), source: "message", confidence: "certain" } },
      ],
      ["approval.requested", { ...call, approvalId: "x1-q", channel: "gateway" }],
    );
    const page = await windows.open(line);
    await chooseNext(page);
    await page.locator(".card .fields dd").first().waitFor();
    const shown = await page.locator(".card .fields dd pre").allTextContents();
    expect(shown.toSorted()).toEqual(PAYLOADS.toSorted());
    expect(await page.locator(".card h2").textContent()).toBe(first);
    await page.locator(".card .intent").waitFor();
    await page.locator(".card .where .folder", { hasText: fifth }).waitFor();
    await page.keyboard.press("d");
    await page.keyboard.insertText(PAYLOADS.join(" "));
    await page.keyboard.press("Enter");
    await page.locator(".card.committed").waitFor();
    for (const [address, sign] of [
      ["#/session/w/xss/x1-call", ".details .failure"],
      ["#/machine/w/xss/request/x1", ".state.lit"],
      ["#/machine/w/xss/call/x1-call", ".state.lit"],
      ["#/overview", ".overview table"],
    ] as const) {
      await page.goto(`/${address}`);
      await page.locator(sign).first().waitFor();
    }
    const listed = (name: string) => page.getByRole("region", { name }).locator("tbody th").textContent();
    expect(await listed("Sessions")).toBe(second);
    const where = page.getByRole("region", { name: "Sessions" }).locator("tbody td").first();
    expect(await where.textContent()).toBe(`w · ${fourth} · ${fifth}`);
    expect(PAYLOADS.join(" ")).toContain((await listed("Requests"))?.slice(0, 300));
    expect(await page.locator("main :is(script, iframe, object, img, base, meta, link, style)").count()).toBe(
      0,
    );
    expect(windows.troubles.splice(0)).toEqual([]);
  });

  it("VISIBLE-1: hidden, bidi and control characters are shown as signs, and copied text holds none of them", async () => {
    const input = Object.fromEntries(HIDDEN.map(([text], n) => [`field ${n}`, text]));
    const call = { requestId: "h1", toolUseId: "h1-call", tool: "Bash\u202e", input };
    await line.emit(
      "w/hidden",
      ["request.created", { requestId: "h1" }],
      ["approval.requested", { ...call, approvalId: "h1-q" }],
    );
    const page = await windows.open(line);
    await page.locator(".card.open", { hasText: "Bash" }).click();
    const card = page.locator(`${CHOSEN}.open`);
    await card.locator(".fields dd").first().waitFor();
    expect(await card.locator(".fields dd pre").allTextContents()).toEqual(HIDDEN.map(([, shown]) => shown));
    expect(await card.locator("h2").textContent()).toBe("Bash<U+202E>");
    expect(await card.locator(".fields mark").count()).toBe(9);
    expect(await card.locator("h2 mark").count()).toBe(1);
    expect(await card.innerText()).not.toMatch(/[\u202e\u200b\u2066\u2069\u00ad]/);
    expect(windows.troubles.splice(0)).toEqual([]);
  });

  it("PARTS-TEXT-2: a long input is shown in pieces, says how much is left, and is shown whole on demand", async () => {
    const text = "x".repeat(200_000);
    const call = { requestId: "l1", toolUseId: "l1-call", tool: "Write", input: { content: text } };
    await line.emit(
      "w/long",
      ["request.created", { requestId: "l1" }],
      ["approval.requested", { ...call, approvalId: "l1-q" }],
    );
    const page = await windows.open(line);
    await page.locator(".card.open", { hasText: "Write" }).click();
    const row = page.locator(".card .change-row");
    await row.getByRole("button", { name: /196,000 more characters: show/ }).click();
    expect(await row.locator("code").textContent()).toBe(text);
    expect(windows.troubles.splice(0)).toEqual([]);
  });
});
