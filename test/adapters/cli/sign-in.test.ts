// Sign-in on the command line
// The link that `open` and `token add --qr` give: what it holds, where it leads, and that its picture says the same.

import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import decodeQR from "qr/decode.js";
import { textAt } from "../../support/engine/json.ts";
import { freePort } from "../../support/http/free-port.ts";
import { rawRequest } from "../../support/http/served.ts";
import { openedAt } from "../../support/http/signed-in.ts";
import { build, Desk, jsonLines } from "../../support/processes/program.ts";

let desk: Desk;
beforeAll(() => build(), 180_000);
beforeEach(() => (desk = new Desk()));
afterEach(() => desk.clear());

/** Who a link signs in: the cookie it gives, tried. */
async function opened(link: string): Promise<number> {
  const { headers } = await openedAt(link);
  const [cookie = ""] = String(headers["set-cookie"] ?? "").split(";");
  const { host, port } = new URL(link);
  const asks = [["Host", host] as const, ["Cookie", cookie] as const];
  return (await rawRequest(`http://127.0.0.1:${port}`, "GET", "/v1/stats", asks)).status;
}

/** What a reader sees in the printed blocks: two rows of modules a line, light where a block is. */
function read(lines: readonly string[]): string {
  const width = lines[0]?.length ?? 0;
  const isLight = (x: number, y: number): boolean => {
    const block = lines[Math.floor(y / 2)]?.charAt(x) ?? " ";
    return block === "█" || block === (y % 2 === 0 ? "▀" : "▄");
  };
  const scale = 4;
  const height = lines.length * 2;
  const data = new Uint8Array(width * scale * height * scale * 4).fill(255);
  for (let y = 0; y < height * scale; y += 1)
    for (let x = 0; x < width * scale; x += 1)
      if (!isLight(Math.floor(x / scale), Math.floor(y / scale)))
        data.fill(0, (y * width * scale + x) * 4, (y * width * scale + x) * 4 + 3);
  return decodeQR({ width: width * scale, height: height * scale, data });
}

describe("CLI: a way in for a browser", () => {
  it("CLI-SIGN-IN-1: open prints a link without a token, which counts once", async () => {
    const { url } = await desk.up();
    const { code, out } = await desk.run(["open", "--no-browser"]);
    const [link = ""] = out.split("\n");
    const { port, hostname } = new URL(link);
    expect([code, port]).toEqual([0, new URL(url).port]);
    expect(hostname).toMatch(/^[0-9a-f]{32}\.localhost$/);
    expect(out).not.toContain("token");
    expect([await opened(link), await opened(link)]).toEqual([200, 401]);
    const [said] = jsonLines((await desk.run(["open", "--json"])).out);
    expect(await opened(textAt(said, "link") ?? "")).toBe(200);
  });

  it("CLI-SIGN-IN-2: open gives the browser a page that only this user can read, and no link in its arguments", async () => {
    await desk.up();
    const [browser, heard] = [join(desk.dir, "browser"), join(desk.dir, "heard")];
    writeFileSync(
      browser,
      `#!/bin/sh\nprintf '%s\\n' "$@" > '${heard}.part' && mv '${heard}.part' '${heard}'\n`,
      { mode: 0o700 },
    );
    const { out } = await desk.run(["open"], { env: { BROWSER: browser } });
    const [link = ""] = out.split("\n");
    await expect.poll(() => existsSync(heard)).toBe(true);
    const page = join(desk.dir, "data", "open.html");
    expect(readFileSync(heard, "utf8")).toBe(`${page}\n`);
    expect(statSync(page).mode & 0o777).toBe(0o600);
    expect(readFileSync(page, "utf8")).toContain(`url=${link}"`);
  });

  it("CLI-SIGN-IN-1: token add --qr draws a link that signs that person in, and no other", async () => {
    await desk.run(["token", "add", "bob"]);
    const port = String(await freePort());
    await desk.up("--name", "localhost.example", "--port", port);
    const { code, out } = await desk.run(["token", "add", "ada", "--qr"]);
    expect(code).toBe(0);
    const lines = out.split("\n");
    const picture = lines.filter((line) => /^[█▀▄ ]+$/.test(line));
    const [link = ""] = lines.filter((line) => line.startsWith("http"));
    expect(read(picture)).toBe(link);
    expect(link).toContain(`http://localhost.example:${port}/?code=`);
    // Nothing here finds that name, and over plain HTTP the code opens nothing there.
    const token = readFileSync(join(desk.dir, "data", "tokens", "ada"), "utf8").trim();
    const nearAs = async (env: Record<string, string>): Promise<string> => {
      const [near = ""] = (await desk.run(["open", "--no-browser"], { env })).out.split("\n");
      return near;
    };
    expect(await opened(new URL(new URL(link).search, await nearAs({ SIGNALBOX_TOKEN: token })).href)).toBe(
      200,
    );
    expect(await opened(await nearAs({}))).toBe(200);
    const [again = ""] = (await desk.run(["open", "--qr"], { env: { SIGNALBOX_TOKEN: token } })).out
      .split("\n")
      .filter((line) => line.startsWith("http"));
    expect(await opened(new URL(new URL(again).search, await nearAs({})).href)).toBe(401);
  });

  it("CLI: an engine that only this machine reaches has no link for another device, and says how to have one", async () => {
    await desk.up();
    for (const args of [
      ["token", "add", "ada", "--qr"],
      ["open", "--qr"],
    ]) {
      const { code, err } = await desk.run(args);
      expect([code, err]).toEqual([1, expect.stringContaining("--public")]);
    }
    const other = await desk.run(["open", "--address", "https://box.example"]);
    expect([other.code, other.err]).toEqual([1, expect.stringContaining("cannot be reached at")]);
  });

  it("COMMANDS-TOKEN-1, CLI: without an engine it says so, and leaves no token that nobody was shown", async () => {
    await desk.run(["token", "add", "bob"]);
    for (const name of ["ada", "bob"]) {
      const { code, err } = await desk.run(["token", "add", name, "--qr"]);
      expect([code, err]).toEqual([1, expect.stringContaining("No engine runs")]);
    }
    const held = jsonLines((await desk.run(["token", "ls", "--json"])).out).map(
      (each) => (each as { readonly name: string }).name,
    );
    expect(held).toEqual(["bob"]);
  });
});
