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
});
