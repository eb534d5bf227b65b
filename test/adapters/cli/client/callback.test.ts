// Callback
// Records how a result is delivered: by the command, and by the script that delivers it as a Stop hook.

import { execFile } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { at, textAt } from "../../../support/engine/json.ts";
import { build, Desk, type Ended, jsonLines } from "../../../support/processes/program.ts";
import { scratchEach } from "../../../support/processes/scratch.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..", "..");
const SCRIPT = join(ROOT, "ops", "hooks", "deliver-callback.sh");
const desk = new Desk();
let count = 0;

beforeAll(async () => {
  await build();
  await desk.up();
}, 180_000);
afterAll(() => desk.clear());

/** A request of its own, processing. */
async function request(workspace = "shop", id = `r${++count}`): Promise<string> {
  for (const type of ["request.created", "request.processing"])
    expect((await desk.emit(type, { requestId: id }, `${workspace}/chat`)).err).toBe("");
  return id;
}

async function shown(id: string): Promise<unknown> {
  return jsonLines((await desk.run(["show", id, "--json"])).out)[0];
}

describe("callback: the command", () => {
  it("S1.9, S1.41, CALLBACK-1: it records attempts, retry times, success and error of the delivery", async () => {
    const id = await request();
    const tell = (...args: readonly string[]) => desk.run(["callback", id, ...args]);
    expect(await tell("delivering")).toEqual({
      code: 0,
      out: `The callback of request ${id} is recorded: delivering.\n`,
      err: "",
    });
    await tell("failed", "--error", "503");
    expect(await shown(id)).toMatchObject({
      callbackState: "failed",
      callback: { success: false, attempts: 1, retryTimestamps: [], error: "503" },
    });
    await tell("delivering");
    const [answer] = jsonLines((await tell("delivered", "--json")).out);
    expect(textAt(answer, "outcome")).toBe("applied");
    const view = await shown(id);
    expect(view).toMatchObject({ callbackState: "delivered", callback: { success: true, attempts: 2 } });
    const [retried] = at(view, "callback", "retryTimestamps") as readonly string[];
    expect(new Date(retried ?? "").toISOString()).toBe(retried);
  });

  it("S1.41: recorded twice it counts once; an unknown request, or one of two workspaces, is refused with what to do", async () => {
    const id = await request();
    for (let n = 0; n < 2; n++)
      expect((await desk.run(["callback", id, "delivering", "--id", `${id}-1`])).code).toBe(0);
    expect(at(await shown(id), "callback", "attempts")).toBe(1);
    const unknown = await desk.run(["callback", "../nobody", "failed"]);
    expect([unknown.code, unknown.out]).toEqual([1, ""]);
    expect(unknown.err.trim().split("\n").length).toBeGreaterThan(1);
    await request("other", id);
    const ambiguous = await desk.run(["callback", id, "delivered"]);
    expect([ambiguous.code, ambiguous.err]).toEqual([1, expect.stringContaining("--workspace other")]);
    expect((await desk.run(["callback", id, "delivered", "--workspace", "other"])).code).toBe(0);
  });
});

describe("callback: the script", () => {
  const scratch = scratchEach();
  let dir: string;
  let server: Server;
  let url: string;
  let bodies: string[];
  let answers: number[];

  beforeEach(async () => {
    dir = scratch();
    // A test does not wait: it notes the waits instead.
    mkdirSync(join(dir, "bin"));
    writeFileSync(join(dir, "bin", "sleep"), `#!/bin/sh\necho "$1" >> '${join(dir, "slept")}'\n`);
    chmodSync(join(dir, "bin", "sleep"), 0o755);
    bodies = [];
    answers = [];
    server = createServer((asked, answer) => {
      let body = "";
      asked.setEncoding("utf8").on("data", (text: string) => (body += text));
      asked.on("end", () => {
        bodies.push(body);
        answer.writeHead(answers.shift() ?? 200).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/done?a=1&b='x'`;
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const undelivered = (): string => join(dir, "undelivered");
  const kept = (): readonly string[] => (existsSync(undelivered()) ? readdirSync(undelivered()).sort() : []);
  const slept = (): readonly number[] =>
    existsSync(join(dir, "slept"))
      ? readFileSync(join(dir, "slept"), "utf8").trim().split("\n").map(Number)
      : [];

  function deliver(
    input: string,
    env: Readonly<Record<string, string>> = {},
    ...args: string[]
  ): Promise<Ended> {
    return new Promise((resolve) => {
      const surroundings = {
        PATH: `${join(dir, "bin")}:${process.env["PATH"] ?? ""}`,
        HOME: dir,
        SIGNALBOX_DATA: join(desk.dir, "data"),
        SIGNALBOX_COMMAND: `${process.execPath} ${join(ROOT, "dist", "adapters", "main.js")}`,
        SIGNALBOX_UNDELIVERED: undelivered(),
        SIGNALBOX_CALLBACK_URL: url,
        ...env,
      };
      const child = execFile("sh", [SCRIPT, ...args], { env: surroundings }, (error, out, err) =>
        resolve({ code: error ? Number(error.code) : 0, out, err }),
      );
      // A body refused at once is not read to its end.
      child.stdin?.on("error", () => undefined).end(input);
    });
  }

  it("S1.41, S1.43, S1.64: a Stop hook's result is retried after 1, 2 and 4 s, 20 % more or less, and each try is recorded", async () => {
    const id = await request();
    answers = [503, 429, 500];
    const payload = JSON.stringify({
      hook_event_name: "Stop",
      last: `a "quoted" text,\n{"x":1}`,
      prompt_id: id,
    });
    expect(await deliver(payload)).toEqual({ code: 0, out: "", err: "" });
    expect(bodies).toEqual([payload, payload, payload, payload]);
    expect(slept()).toHaveLength(3);
    for (const [n, wait] of [1, 2, 4].entries()) {
      expect(slept()[n]).toBeGreaterThanOrEqual(wait * 0.8);
      expect(slept()[n]).toBeLessThanOrEqual(wait * 1.2);
    }
    expect(kept()).toEqual([]);
    const view = await shown(id);
    expect(view).toMatchObject({ callbackState: "delivered", callback: { success: true, attempts: 4 } });
    expect(at(view, "callback", "retryTimestamps")).toHaveLength(3);
  });

  it("S1.43: after the last try the whole result becomes a dead letter, and can be sent again from there", async () => {
    const id = await request();
    answers = [500, 500, 500, 503];
    const failed = await deliver("the result", { SIGNALBOX_REQUEST_ID: id });
    expect([failed.code, failed.out]).toEqual([1, ""]);
    expect(failed.err).toContain(join(undelivered(), `${id}.json`));
    expect(kept()).toEqual([`${id}.json`]);
    expect(readFileSync(join(undelivered(), `${id}.json`), "utf8")).toBe("the result");
    expect(await shown(id)).toMatchObject({
      callbackState: "failed",
      callback: { success: false, attempts: 4, error: "the callback address answered with status 503" },
    });
    expect((await deliver("the result", {}, id)).code).toBe(0);
    expect(kept()).toEqual([]);
    expect(await shown(id)).toMatchObject({ callbackState: "delivered", callback: { success: true } });
  });

  it("S1.43: a hopeless delivery is not retried, and an address where nobody listens counts as a refusal", async () => {
    const id = await request();
    answers = [404];
    expect((await deliver("x", {}, id)).code).toBe(1);
    expect([bodies.length, slept(), kept()]).toEqual([1, [], [`${id}.json`]]);
    expect((await deliver("x", { SIGNALBOX_CALLBACK_URL: "http://127.0.0.1:9/" }, id)).code).toBe(1);
    expect(slept()).toHaveLength(3);
  });

  it("S1.41: without an engine, or with tracking switched off, the result is still delivered", async () => {
    const id = await request();
    const away = await deliver("x", { SIGNALBOX_DATA: join(dir, "none") }, id);
    expect([away.code, away.out, bodies]).toEqual([0, "", ["x"]]);
    expect(away.err).toContain(`did not record "delivered" of request ${id}`);
    for (const name of ["SIGNALBOX_REQUEST_TRACKER", "ENABLE_REQUEST_TRACKER"])
      expect(await deliver("x", { [name]: "false" }, id)).toEqual({ code: 0, out: "", err: "" });
    expect(bodies).toHaveLength(3);
    expect(at(await shown(id), "callbackState")).toBe("none");
  });

  it("S1.64: an id that is a path, an invalid address, a client's own environment and a folder that cannot be made are refused, never with 2", async () => {
    const id = await request();
    const refused = async (env: Readonly<Record<string, string>>, ...args: string[]): Promise<string> => {
      const { code, out, err } = await deliver("x", env, ...args);
      expect([code, out, bodies]).toEqual([1, "", []]);
      return err;
    };
    expect(await refused({}, "../../etc/x")).toContain("SIGNALBOX_REQUEST_ID");
    expect(await refused({})).toContain("SIGNALBOX_REQUEST_ID");
    expect(await refused({}, "a".repeat(129))).toContain("128");
    for (const bad of ['http://x/"\noutput = "pwned', "ftp://x", 'http://x/" -o pwned', "http://x/\\"])
      expect(await refused({ SIGNALBOX_CALLBACK_URL: bad }, id)).toContain("SIGNALBOX_CALLBACK_URL");
    expect(await refused({ SIGNALBOX_UNDELIVERED: "/dev/null/x" }, id)).toContain("SIGNALBOX_UNDELIVERED");
    for (const name of ["CLAUDE_PID", "CLAUDECODE"])
      expect(await refused({ [name]: "1" }, id)).toContain("/usr/bin/env -i");
    expect(kept()).toEqual([]);
    expect(await deliver("x", { SIGNALBOX_CALLBACK_URL: "" }, id)).toEqual({ code: 0, out: "", err: "" });
  });
});
