// Panel: installing
// The page can be installed on a phone: its manifest is served to whoever is signed in, and the page's policy lets it in.

import { describe, expect, it } from "vitest";
import { lineForAll, windowsForAll } from "../../../support/panel/for-tests.ts";

const windows = windowsForAll();
const line = lineForAll();

describe("the panel: installing", () => {
  it("Panel, PAGE-1: the browser reads the page's manifest without a fault, and nobody without a token does", async () => {
    const page = await windows.openAt(line, "#/", ".empty");
    const devtools = await page.context().newCDPSession(page);
    const { url, errors, data } = await devtools.send("Page.getAppManifest");
    expect([url, errors]).toEqual([new URL("/app/app.webmanifest", page.url()).href, []]);
    expect(JSON.parse(data ?? "{}")).toMatchObject({ start_url: "/", display: "standalone" });
    const { installabilityErrors } = await devtools.send("Page.getInstallabilityErrors");
    expect(installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito")).toEqual([]);
    expect((await fetch(`${line.url}/app/app.webmanifest`)).status).toBe(401);
  });
});
