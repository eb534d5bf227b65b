// Examples
// The programs of docs/examples, run against the real engine as a newcomer would.

import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build, Desk, Started } from "./support/program.ts";
import { natsServer, type NatsServer } from "./support/nats/server.ts";

const ROOT = join(import.meta.dirname, "..");
const FOLDER = join(ROOT, "docs", "examples");
let server: NatsServer;
let desk: Desk;
const children: ChildProcess[] = [];

beforeAll(async () => {
  await build();
  server = await natsServer();
  desk = new Desk();
  await desk.up("--nats", server.url);
}, 240_000);
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await desk.clear();
  await server.dispose();
});

function example(name: string, ...args: readonly string[]): Started {
  const env = { PATH: process.env["PATH"], SIGNALBOX_NATS_URL: server.url };
  const child = spawn(process.execPath, [join(FOLDER, name), ...args], { cwd: desk.dir, env });
  children.push(child);
  return new Started(child);
}

describe("examples", () => {
  it("Examples: each opens with what it is and how it is run, and has less than 80 lines", () => {
    const files = readdirSync(FOLDER);
    expect(files.sort()).toEqual(["approver.js", "gateway.js", "plain-nats.js", "table.js"]);
    for (const file of files) {
      const text = readFileSync(join(FOLDER, file), "utf8");
      expect(text).toMatch(/^\/\/ [A-Z].*\n\/\/ [A-Z].*\.\n/);
      expect(text).toContain(`node docs/examples/${file}`);
      expect(text.split("\n").length).toBeLessThan(81);
      const signalbox = [...text.matchAll(/from "(?!node:)([^"]+)"/g)].map(([, from]) => from);
      expect(signalbox).toEqual([file === "plain-nats.js" ? "nats" : "signalbox/client"]);
    }
  });

  it("Examples: the gateway asks, the approver answers by its rule, the table keeps what became of it over its restart", async () => {
    const table = example("table.js", "requests.json");
    await table.said(/0 requests/);
    const approver = example("approver.js", "mail-rule", "example.com");
    await approver.said(/waiting for questions/);
    const first = await example("gateway.js", "what is the time?", "mail it to bob@example.com").ended;
    expect([first.code, first.err]).toEqual([0, ""]);
    const lines = first.out.trim().split("\n");
    const about = (start: string): readonly string[] => lines.filter((line) => line.startsWith(start));
    expect(about("what is the time?")).toEqual(
      ["created", "processing", "completed"].map((state) => `what is the time?: ${state}`),
    );
    expect(about("mail it")).toEqual(
      ["created", "processing", "waiting", "processing", "completed"].map(
        (state) => `mail it to bob@example.com: ${state}`,
      ),
    );
    await approver.said(/send_mail: approve, accepted, now approved/);

    await table.said(/(completed[^]*){2}/);
    table.child.kill("SIGKILL");
    await table.ended;
    const second = await example("gateway.js", "mail it to eve@elsewhere.org").ended;
    expect([second.code, second.out]).toEqual([0, expect.stringContaining("send_mail: denied")]);
    await approver.said(/send_mail: deny, accepted, now denied/);

    const again = example("table.js", "requests.json");
    await again.said(/2 requests[^]*completed/);
    again.child.kill("SIGTERM");
    expect((await again.ended).code).toBe(0);
    const kept: unknown = JSON.parse(readFileSync(join(desk.dir, "requests.json"), "utf8"));
    const rows = Object.values((kept as { readonly rows: Record<string, { readonly state: string }> }).rows);
    expect(rows.map(({ state }) => state)).toEqual(["completed", "completed", "completed"]);
    approver.child.kill("SIGTERM");
    expect((await approver.ended).code).toBe(0);
  });

  it("Examples: with the nats package alone a service speaks, hears and asks", async () => {
    const { code, out, err } = await example("plain-nats.js").ended;
    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain("request of ours: processing → completed");
    expect(out).toContain("it is completed: Hello.");
    expect(out).toContain("404 NOT_FOUND");
  });
});
