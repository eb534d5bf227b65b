// Examples
// The programs of docs/examples, run against the real engine as a newcomer would.

import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { freePort } from "../support/http/free-port.ts";
import { build, Desk, Started } from "../support/processes/program.ts";
import { natsServerBinary } from "../support/nats/binary.ts";
import { natsServer, type NatsServer } from "../support/nats/server.ts";
import { dataFolder, readAddress } from "../../adapters/data-folder/index.ts";
import { personAt } from "../support/http/person.ts";

const ROOT = join(import.meta.dirname, "..", "..");
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
  return exampleOn({ SIGNALBOX_NATS_URL: server.url }, name, ...args);
}

function exampleOn(env: Readonly<Record<string, string>>, name: string, ...args: readonly string[]): Started {
  const child = spawn(process.execPath, [join(FOLDER, name), ...args], {
    cwd: desk.dir,
    env: { PATH: process.env["PATH"], ...env },
  });
  children.push(child);
  return new Started(child);
}

const pathWithServer = async (): Promise<string> =>
  [dirname(await natsServerBinary()), process.env["PATH"]].join(delimiter);

const IMPORTS: Readonly<Record<string, readonly string[]>> = {
  "01-plain-nats.js": ["nats"],
  "06-stately.js": ["@statelyai/inspect/server", "ws"],
  "05-tracker.js": ["signalbox/request-tracker"],
};

/** The commands for `--notify-cmd` have a folder, and a test, of their own. */
const programs = (): string[] => readdirSync(FOLDER).filter((name) => name.endsWith(".js"));

describe("examples", () => {
  it("Examples: each opens with what it is and how it is run, and has less than 100 lines", () => {
    const files = programs();
    expect(files.sort()).toEqual([
      "01-plain-nats.js",
      "02-gateway.js",
      "03-approver.js",
      "04-table.js",
      "05-tracker.js",
      "06-stately.js",
    ]);
    for (const file of files) {
      const text = readFileSync(join(FOLDER, file), "utf8");
      expect(text).toMatch(/^\/\/ [A-Z].*\n\/\/ [A-Z].*\.\n/);
      expect(text).toContain(`node docs/examples/${file}`);
      expect(text.split("\n").length).toBeLessThan(101);
      const signalbox = [...text.matchAll(/from "(?!node:)([^"]+)"/g)].map(([, from]) => from);
      expect(signalbox).toEqual(IMPORTS[file] ?? ["signalbox/client"]);
    }
  });

  it("Examples: the README lists each program and script once, in order, with a sentence", () => {
    const listed = [
      ...readFileSync(join(FOLDER, "README.md"), "utf8").matchAll(/^(?:\d\.|-) \[([^\]]+)\]\(\1\) \w.*\.$/gm),
    ];
    const files = readdirSync(FOLDER, { recursive: true, encoding: "utf8" });
    expect(listed.map(([, name]) => name)).toEqual([
      ...programs().sort(),
      "notify/ntfy.sh",
      "notify/slack.sh",
      "audit/publish.sh",
    ]);
    expect(listed).toHaveLength(files.filter((name) => /\.(js|sh)$/.test(name)).length);
  });

  it("Examples: the gateway asks, the approver answers by its rule, the table keeps what became of it over its restart", async () => {
    const table = example("04-table.js", "requests.json");
    await table.said(/0 requests/);
    const approver = example("03-approver.js", "mail-rule", "example.com");
    await approver.said(/waiting for approvals/);
    const first = await example("02-gateway.js", "what is the time?", "mail it to bob@example.com").ended;
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
    const second = await example("02-gateway.js", "mail it to eve@elsewhere.org").ended;
    expect([second.code, second.out]).toEqual([0, expect.stringContaining("send_mail: denied")]);
    await approver.said(/send_mail: deny, accepted, now denied/);

    const again = example("04-table.js", "requests.json");
    await again.said(/2 requests[^]*completed/);
    again.child.kill("SIGTERM");
    expect((await again.ended).code).toBe(0);
    const kept: unknown = JSON.parse(readFileSync(join(desk.dir, "requests.json"), "utf8"));
    const rows = Object.values((kept as { readonly rows: Record<string, { readonly state: string }> }).rows);
    expect(rows.map(({ state }) => state)).toEqual(["completed", "completed", "completed"]);
    approver.child.kill("SIGTERM");
    expect((await approver.ended).code).toBe(0);
  });

  it("Examples: the tracker keeps its requests in files, without an engine, and says where it is to keep them", async () => {
    expect((await exampleOn({}, "05-tracker.js").ended).code).toBe(2);
    const folder = join(desk.dir, "requests-of-it");
    const asked = ["what is the time?", "who are you?"];
    const { code, out, err } = await exampleOn({}, "05-tracker.js", folder, ...asked).ended;
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/^what is the time\?: completed \(2/m);
    expect(out).toMatch(/^who are you\?: failed \(I only know the time\.\)$/m);
    expect((await exampleOn({}, "05-tracker.js", folder).ended).out).toBe(out);
  });

  it("Examples: with nobody answering, the gateway has printed up to the waiting", async () => {
    const gateway = example("02-gateway.js", "mail it to ann@example.com");
    await gateway.said(/: waiting\n/);
    expect(gateway.out.trim().split("\n").at(-1)).toBe("mail it to ann@example.com: waiting");
    const { out } = await desk.run(["approvals", "--json"]);
    const [, approvalId = ""] = /"(chat_\d+_0_tool_ok)"/.exec(out) ?? [];
    expect((await desk.run(["approve", approvalId])).code).toBe(0);
    const { code, out: all } = await gateway.ended;
    expect([code, all]).toEqual([0, expect.stringMatching(/ann@example.com: completed\n$/)]);
  });

  it("Examples: without what tells them where to go each says at once where it is found", async () => {
    for (const file of programs().filter((name) => name !== "05-tracker.js")) {
      expect(await exampleOn({}, file).ended).toEqual({
        code: 2,
        out: "",
        err:
          file === "06-stately.js"
            ? "Set SIGNALBOX_TOKEN to a token of your own: `npx signalbox token add NAME` makes one.\n"
            : "Set SIGNALBOX_NATS_URL: the line is what `npx signalbox up` printed.\n",
      });
    }
  });

  it("Examples: what the client refuses is told with what to do next, without a stack", async () => {
    for (const file of ["03-approver.js", "02-gateway.js", "04-table.js"]) {
      const env = { SIGNALBOX_NATS_URL: server.url, SIGNALBOX_WORKSPACE: "not an id" };
      const { code, out, err } = await exampleOn(env, file).ended;
      expect([code, out]).toEqual([1, ""]);
      expect(err).not.toMatch(/^ +at /m);
      expect(err.trim().split("\n")).toHaveLength(2);
    }
  });

  it("Examples: with the nats package alone a service speaks, hears and asks", async () => {
    const { code, out, err } = await example("01-plain-nats.js").ended;
    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain("request of ours: processing → completed");
    expect(out).toContain("it is completed: Hello.");
    expect(out).toContain("404 NOT_FOUND");
  });

  it("Examples: each goes on the line that `up` prints for its private server", async () => {
    const own = new Desk();
    try {
      const engine = own.start(["up", "--port", "0"], { env: { PATH: await pathWithServer() } });
      const [line] = await engine.said(/^ {2}export SIGNALBOX_NATS_URL=.*$/m);
      const run = (...args: readonly string[]): Started => {
        const child = spawn("sh", ["-c", `${line}; exec "$0" "$@"`, process.execPath, ...args], {
          cwd: own.dir,
        });
        children.push(child);
        return new Started(child);
      };
      const plain = await run(join(FOLDER, "01-plain-nats.js")).ended;
      expect([plain.code, plain.err, plain.out]).toEqual([
        0,
        "",
        expect.stringContaining("it is completed: Hello."),
      ]);
      await run(join(FOLDER, "03-approver.js"), "mail-rule", "example.com").said(/waiting for approvals/);
      const gateway = await run(join(FOLDER, "02-gateway.js"), "mail it to bob@example.com").ended;
      expect([gateway.code, gateway.err, gateway.out]).toEqual([
        0,
        "",
        expect.stringMatching(/bob@example.com: completed\n$/),
      ]);
    } finally {
      await own.clear();
    }
  });

  it("Examples: Stately's own relay hears of every actor, and of what happens to it", async () => {
    const data = join(desk.dir, "data");
    const { url = "" } = (await readAddress(dataFolder(data, {}))) ?? {};
    await personAt(data, url);
    const token = readFileSync(join(data, "tokens", "looker"), "utf8").trim();
    const port = await freePort();
    const refused = exampleOn({ SIGNALBOX_URL: url, SIGNALBOX_TOKEN: "wrong" }, "06-stately.js");
    expect((await refused.ended).err).toContain("no token that is known here");
    const env = { STATELY_PORT: String(port), STATELY_OPEN: "no" };
    const stately = exampleOn({ SIGNALBOX_URL: url, SIGNALBOX_TOKEN: token, ...env }, "06-stately.js");
    await stately.said(/inspector: http/);
    // What the relay's page has open to it.
    const page = new WebSocket(`ws://localhost:${port}`);
    const heard: string[] = [];
    page.on("message", (data: Buffer) => heard.push(data.toString("utf8")));
    await new Promise((resolve) => page.once("open", resolve));
    const emit = ["emit", "request.created", "--subject", "w/stately", "--body", '{"requestId":"seen"}'];
    expect((await desk.run(emit)).code).toBe(0);
    while (
      !heard.some((text) => text.includes('"w/stately/request/seen"') && text.includes("@xstate.snapshot"))
    )
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect(heard.some((text) => text.includes("@xstate.actor") && text.includes('"w/stately"'))).toBe(true);
    page.terminate();
  });
});
