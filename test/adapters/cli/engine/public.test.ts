// Public
// An engine that others can reach: only with named tokens and named addresses.

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { build, Desk } from "../../../support/processes/program.ts";
import { rawRequest } from "../../../support/http/served.ts";

let desk: Desk;
beforeAll(() => build(), 180_000);
beforeEach(() => (desk = new Desk()));
afterEach(() => desk.clear());

describe("up --public", () => {
  it("CLI, HTTP-SIDE-1, GUARD-5, PLACES-2: it refuses to start without a named token; with one, it answers only to its names", async () => {
    const refused = await desk.run(["up", "--public", "--port", "0"]);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("npx signalbox token add NAME")]);
    expect((await desk.run(["token", "add", "../token"])).code).toBe(1);
    expect((await desk.run(["token", "add", "ada"])).code).toBe(0);
    const path = join(desk.dir, "data", "tokens", "ada");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const { url } = await desk.up("--public", "--name", "box.example", "--name", "https://desk.example");
    const { port } = new URL(url);
    const token = readFileSync(path, "utf8").trim();
    const ask = async (host: string, bearer = token) => {
      const headers = [
        ["Host", host === "desk.example" ? host : `${host}:${port}`],
        ["Authorization", `Bearer ${bearer}`],
      ] as const;
      return (await rawRequest(url, "GET", "/v1/sessions", headers)).status;
    };
    expect(await ask("desk.example")).toBe(200);
    expect(await ask("desk.example", "wrong")).toBe(401);
    // It could have been read on the way.
    expect(await ask("box.example")).toBe(403);
    expect(await ask("other.example")).toBe(403);
    expect(await ask("0.0.0.0")).toBe(403);
  });

  it("COMMANDS-TOKEN-2, TOKEN-WATCH-1: a token opens what `token add` says, and something else a second after it says so", async () => {
    const token = async (...args: readonly string[]) => desk.run(["token", ...args]);
    expect(
      (await token("add", "ada", "--may", "view", "--workspace", "shop", "--workspace", "web")).code,
    ).toBe(0);
    const listed = async () => JSON.parse((await token("ls", "--json")).out) as unknown;
    expect(await listed()).toMatchObject({ name: "ada", parts: ["view"], workspaces: ["shop", "web"] });
    expect((await token("ls")).out).toMatch(/^ada +\S+ +view +shop,web$/m);
    for (const [option, value] of [
      ["--may", "view,root"],
      ["--may", ""],
      ["--workspace", "a/b"],
    ] as const) {
      const { code, err } = await token("add", "eve", option, value);
      expect([option, value, code !== 0, err.includes("npx signalbox token")]).toEqual([
        option,
        value,
        true,
        true,
      ]);
    }
    expect(await listed()).toMatchObject({ name: "ada" });
    const { url } = await desk.up();
    const text = readFileSync(join(desk.dir, "data", "tokens", "ada"), "utf8").trim();
    const headers = { Authorization: `Bearer ${text}`, "Content-Type": "application/json" };
    const statusOf = async (path: string, sent: { method?: string; body?: string } = {}) =>
      (await fetch(url + path, { headers, ...sent })).status;
    const rule = { method: "POST", body: "{}" };
    expect([await statusOf("/v1/sessions"), await statusOf("/v1/rules", rule)]).toEqual([200, 403]);
    expect((await token("add", "ada", "--may", "manage")).code).toBe(0);
    await expect.poll(() => statusOf("/v1/sessions")).toBe(403);
    expect(await statusOf("/v1/rules", rule)).toBe(400);
    expect((await token("add", "ada", "--may", "view,decide,emit,manage")).code).toBe(0);
    await expect.poll(() => statusOf("/metrics")).toBe(200);
  });
});
