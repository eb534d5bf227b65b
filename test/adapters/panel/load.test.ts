// Panel: its first load
// What a browser fetches before the inbox stands: little; and a part that cannot be fetched later says so.

import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { lineForEach, windowsForAll } from "../../support/panel/for-tests.ts";
import { DENIED, playSessions } from "../../support/panel/sessions.ts";

const windows = windowsForAll();
const line = lineForEach(playSessions);

const FIRST_MAX = 60_000;

describe("the panel: its first load", () => {
  it("Panel: the inbox needs at most 60 kB, packed, and no script of another view", async () => {
    const page = await windows.open(line);
    const fetched = new Map<string, number>();
    page.on("response", (response) => {
      if (new URL(response.url()).pathname.startsWith("/app/"))
        void response.body().then((body) => fetched.set(response.url(), gzipSync(body).length));
    });
    await page.goto("/?again#/");
    await page.locator(".card.open").first().waitFor();
    // What they hold is told a moment after they came.
    await expect.poll(() => fetched.size).toBeGreaterThan(2);
    const bytes = [...fetched.values()].reduce((sum, each) => sum + each, 0);
    expect(bytes).toBeLessThanOrEqual(FIRST_MAX);
    expect([...fetched.keys()].join(" ")).not.toMatch(/overview|machine-|session-|dagre/);
    const before = fetched.size;
    await page.keyboard.press("2");
    await page.locator(".overview").waitFor();
    await expect.poll(() => fetched.size).toBeGreaterThan(before);
  });

  it("PAGE-3: a browser keeps the parts named after their content, asks for all of them at once, and keeps nothing else", async () => {
    const get = (path: string, headers: Record<string, string> = { Authorization: `Bearer ${line.token}` }) =>
      fetch(line.url + path, { headers });
    const page = await (await get("/")).text();
    const parts = [...page.matchAll(/<link rel="modulepreload" href="([^"]+)"/g)].map(
      ([, path = ""]) => path,
    );
    expect(parts.length).toBeGreaterThan(3);
    const [, script = ""] = /<script type="module" src="([^"]+)"/.exec(page) ?? [];
    const [, style = ""] = /<link rel="stylesheet" href="([^"]+)"/.exec(page) ?? [];
    const first = await (await get(script)).text();
    const imported = [...first.matchAll(/from"\.\/([\w.-]+)"|import"\.\/([\w.-]+)"/g)].map(
      ([, named, bare]) => `/app/${named ?? bare ?? ""}`,
    );
    expect(new Set(parts)).toEqual(new Set(imported));
    const kept = async (path: string) => (await get(path)).headers.get("cache-control");
    for (const path of [script, style, ...parts])
      expect(await kept(path), path).toBe("private, max-age=31536000, immutable");
    for (const path of ["/", "/app/worker.js", "/app/rules.css", "/v1/stats"])
      expect(await kept(path), path).toBe("no-store");
    for (const path of [script, style, parts[0] ?? ""]) expect((await get(path, {})).status, path).toBe(401);
  });

  it.each([
    ["a view", "overview", "#/overview", ".overview"],
    ["a machine's chart", "dagre", `#/machine/${DENIED}/call/r1-call-2`, ".state.lit"],
  ])("Panel: %s that cannot be loaded says so, and is there once it can", async (_, part, address, sign) => {
    const page = await windows.open(line);
    await page.route(`**/app/${part}-*.js`, (route) => route.abort());
    await page.goto(`/${address}`);
    await page.getByRole("alert").filter({ hasText: "could not be loaded" }).waitFor();
    await page.unroute(`**/app/${part}-*.js`);
    await page.getByRole("button", { name: "Reload the page" }).click();
    await page.locator(sign).first().waitFor();
  });
});
