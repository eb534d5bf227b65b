// Library
// createEngine: what the command can be told, it can be told too.

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createEngine, type CreateEngineOptions, type SignalboxEngine } from "../../adapters/index.ts";
import { addToken, dataFolder, removeToken } from "../../adapters/data-folder/index.ts";
import { codeOf } from "../support/engine/refusal.ts";
import { event, rawRequest } from "../support/http/served.ts";
import { bySocket } from "../support/http/by-socket.ts";

const ADA = "the-token-of-ada-is-long-enough";
let dir: string;
const running: SignalboxEngine[] = [];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "signalbox-library-"));
});
afterEach(async () => {
  for (const engine of running.splice(0)) await engine.stop();
  rmSync(dir, { recursive: true, force: true });
});

async function start(options: CreateEngineOptions): Promise<SignalboxEngine> {
  const engine = await createEngine(options);
  running.push(engine);
  return engine;
}

const ask = async ({ url = "" }: SignalboxEngine, token = "", host = new URL(url).host) =>
  (
    await rawRequest(url, "GET", "/v1/stats", [
      ["Host", host],
      ["Authorization", `Bearer ${token}`],
    ])
  ).status;

describe("Library: createEngine", () => {
  it("Library: the key for a NATS server is the one that was named", async () => {
    const nats = { url: "nats://127.0.0.1:9", nkey: join(dir, "no-such.nk") };
    expect(await codeOf(createEngine({ dataDir: join(dir, "data"), nats }))).toBe("NO_NKEY");
  });

  it("Library: HTTP needs no folder; the engine tells the token, its own or the one that was given", async () => {
    const [one, other] = [await start({ port: 0 }), await start({ port: 0, token: ADA })];
    expect([await ask(one, one.token), await ask(one, ADA)]).toEqual([200, 401]);
    expect([other.token, await ask(other, ADA)]).toEqual([ADA, 200]);
    const kept = await start({ port: 0, dataDir: dir });
    expect([kept.token, (await bySocket(dir)("/v1/stats")).status]).toEqual([undefined, 200]);
    expect((await start({})).token).toBeUndefined();
  });

  it("Library, HOLDERS-3, TOKEN-WATCH-1: people have names, from the options and from the folder, also one that comes while it runs", async () => {
    const folder = dataFolder(dir, {});
    await addToken(folder, "bob");
    const engine = await start({ port: 0, dataDir: dir, people: { ada: ADA } });
    const tokenOf = (name: string) => readFileSync(join(dir, "tokens", name), "utf8").trim();
    await engine.send([
      event("request.created", { requestId: "r1" }),
      ...["q1", "q2"].map((approvalId) =>
        event("approval.requested", { approvalId, requestId: "r1", tool: "Bash", input: {} }),
      ),
    ]);
    for (const [id, token, name] of [
      ["q1", ADA, "http:ada"],
      ["q2", tokenOf("bob"), "http:bob"],
    ] as const) {
      const answered = await fetch(`${engine.url}/v1/approvals/${id}/decision`, {
        method: "POST",
        headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
        body: '{"decision":"deny"}',
      });
      expect([answered.status, engine.queries.getApproval(id)?.by]).toEqual([200, name]);
    }
    await addToken(folder, "eve");
    const eve = tokenOf("eve");
    while ((await ask(engine, eve)) !== 200) await sleep(50);
    // While the tokens cannot be read, those who are known stay known.
    writeFileSync(join(dir, "tokens", "mallory"), "guess-me");
    await removeToken(folder, "bob");
    await sleep(1_500);
    expect([await ask(engine, eve), await ask(engine, "guess-me")]).toEqual([200, 401]);
    rmSync(join(dir, "tokens", "mallory"));
    await removeToken(folder, "eve");
    while ((await ask(engine, eve)) !== 401) await sleep(50);
    expect(await ask(engine, ADA)).toBe(200);
  });

  it("Library, PLACES-1: others reach it under its names only, also through a proxy", async () => {
    const names = ["box.example", "https://box.example"];
    const engine = await start({ port: 0, host: "0.0.0.0", names, people: { ada: ADA } });
    const { port } = new URL(engine.url ?? "");
    for (const [host, status] of [
      // Over plain HTTP the token could have been read on the way.
      [`box.example:${port}`, 403],
      ["box.example", 200],
      ["box.example:443", 200],
      [`other.example:${port}`, 403],
      [`0.0.0.0:${port}`, 403],
    ] as const)
      expect([host, await ask(engine, ADA, host)]).toEqual([host, status]);
  });

  it("Library: what cannot be is refused by name, and leaves nothing in the way of the next try", async () => {
    const people = { ada: ADA };
    const refused: readonly (readonly [code: string, options: CreateEngineOptions])[] = [
      ["UNKNOWN_OPTION", { data: "keeps-nothing" } as CreateEngineOptions],
      ["NO_PORT", { host: "0.0.0.0" }],
      ["NO_PORT", { names: ["box.example"] }],
      ["NO_PORT", { people }],
      ["NO_PORT", { token: ADA }],
      ["NO_NAMED_TOKEN", { port: 0, host: "0.0.0.0" }],
      ["NO_NAMED_TOKEN", { port: 0, names: ["https://box.example"] }],
      ["BAD_NAME", { port: 0, people: { "../ada": ADA } }],
      ["BAD_NAME", { port: 0, people: { "local:root": ADA } }],
      ["WEAK_TOKEN", { port: 0, people: { ada: "guess-me" } }],
      ["WEAK_TOKEN", { port: 0, token: "" }],
      ["BAD_TOKEN", { port: 0, people: { ada: ADA, bob: ADA } }],
      ["BAD_TOKEN", { port: 0, token: ADA, people }],
      ...[
        "https://box.example/",
        "https://box.example/path",
        "ftp://box.example",
        "https://u@box.example",
      ].map((name) => ["BAD_NAME", { port: 0, names: [name], people }] as const),
      ...["box.example:80", "Box.example", "box_example", "", "*.example", "https://box.example:443"].map(
        (name) => ["BAD_NAME", { port: 0, names: [name], people }] as const,
      ),
    ];
    for (const [code, options] of refused)
      expect([options, await codeOf(createEngine({ dataDir: dir, ...options }))]).toEqual([options, code]);
    expect(await ask(await start({ dataDir: dir, port: 0, people }), ADA)).toBe(200);
  });

  it.each([
    ["data", " Did you mean dataDir?"],
    ["prot", " Did you mean port?"],
    ["Names", " Did you mean names?"],
    ["frobnicate", ""],
  ])(
    "Library: an unknown option %s is refused by its name, with the nearest known one",
    async (name, hint) => {
      const options = { [name]: "x" } as CreateEngineOptions;
      await expect(createEngine(options)).rejects.toMatchObject({
        code: "UNKNOWN_OPTION",
        message: `createEngine has no option ${name}.${hint}`,
        next: expect.stringContaining("dataDir, port") as string,
      });
    },
  );

  it("Library, NOTIFY-COMMAND-1: a command of the user's is run for each new question", async () => {
    const engine = await start({
      notifyCommand: `printf %s "$SIGNALBOX_APPROVAL_ID" > '${join(dir, "draft")}' && mv '${join(dir, "draft")}' '${join(dir, "told")}'`,
    });
    await engine.send([
      event("request.created", { requestId: "r1" }),
      event("approval.requested", { approvalId: "q1", requestId: "r1", tool: "Bash", input: {} }),
    ]);
    while (!existsSync(join(dir, "told"))) await sleep(20);
    expect(readFileSync(join(dir, "told"), "utf8")).toBe("q1");
  });
});
