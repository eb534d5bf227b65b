// State files
// An engine's requests as files: what stands in them, how they are kept up, what is refused and what is waited out.

import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTick } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readState } from "../../../adapters/request-files/format.ts";
import { MirrorFiles } from "../../../adapters/request-files/mirror-files.ts";
import { Mirror } from "../../../adapters/request-files/mirror.ts";
import { systemClock } from "../../../adapters/system/index.ts";
import type { RequestView } from "../../../runtime/rows/views.ts";
import { listAt } from "../../support/engine/json.ts";
import { scratchEach } from "../../support/processes/scratch.ts";
import { recording } from "../../support/sessions/recording.ts";
import { event, serve, type Served } from "../../support/http/served.ts";

const scratch = scratchEach();
let served: Served;
let dir: string;
let mirrors: Mirror[];
beforeEach(async () => {
  served = await serve();
  dir = scratch();
  mirrors = [];
});
afterEach(async () => {
  for (const mirror of mirrors) await mirror.stop();
  await served.stop();
});

/** Counts what is written, and fails as the disk is told to. */
class Disk extends MirrorFiles {
  readonly written: string[] = [];
  failure: string | undefined;

  override async put(...[request]: Parameters<MirrorFiles["put"]>): Promise<void> {
    this.#fail();
    await super.put(request);
    this.written.push(request.requestId);
  }

  override async savePlace(after: string | undefined): Promise<void> {
    this.#fail();
    await super.savePlace(after);
  }

  #fail(): void {
    if (this.failure !== undefined) throw Object.assign(new Error("no"), { code: this.failure });
  }
}

async function mirror(of = "", at = dir): Promise<{ readonly mirror: Mirror; readonly disk: Disk }> {
  const disk = new Disk(at, of);
  await disk.prepare();
  const { engine, queries } = served;
  const made = new Mirror({ engine, queries, clock: systemClock(), files: disk, onError: () => undefined });
  mirrors.push(made);
  made.start();
  return { mirror: made, disk };
}

async function send(type: string, data: object, subject = "shop/s1"): Promise<void> {
  served.clock.advance(10);
  expect((await served.post("/v1/events", event(type, data, { subject }))).status).toBe(200);
}
async function request(id: string, subject = "shop/s1"): Promise<void> {
  await send("request.created", { requestId: id, chatId: 7 }, subject);
  await send("request.processing", { requestId: id }, subject);
}

const pathOf = (id: string): string => join(dir, "requests", `${id}.json`);
const inWorkspace = (workspace: string, id: string): string =>
  join(dir, "requests", "by-workspace", workspace, `${id}.json`);
const read = (path: string) => readState(path, readFileSync(path, "utf8"));
const stateAt = (path: string): string | undefined =>
  existsSync(path) ? read(path).request.state : undefined;
const requests = async (): Promise<readonly RequestView[]> =>
  listAt((await served.get("/v1/requests?limit=1000")).body, "items") as unknown as readonly RequestView[];

/** The place in the log of changes where it ends. */
const engineAt = (): string => `${served.engine.incarnation}-${served.engine.meta().changes}`;

/** Until each request's file says what the engine says. */
async function sameAsEngine(): Promise<void> {
  await expect
    .poll(
      async () => {
        const views = await requests();
        return views
          .filter(({ requestId, state }) => stateAt(pathOf(requestId)) !== state)
          .map((each) => each.requestId);
      },
      { timeout: 20_000 },
    )
    .toEqual([]);
}

describe("state files: what stands in them", () => {
  it("MIRROR-4: a request that the engine has taken away goes from the folder too", async () => {
    const disk = new Disk(dir, "");
    await disk.prepare();
    const { engine, queries, clock } = served;
    const made = new Mirror({ engine, queries, clock, files: disk, onError: () => undefined });
    mirrors.push(made);
    made.start();
    for (const id of ["over", "open"]) await request(id);
    await send("request.completed", { requestId: "over" });
    await expect.poll(() => stateAt(pathOf("over"))).toBe("completed");
    clock.advance(25 * 60 * 60_000);
    await expect.poll(() => queries.getRequest("over", { workspace: "shop" })).toBe(undefined);
    const gone = (): boolean => {
      clock.advance(60_000);
      return !existsSync(pathOf("over")) && !existsSync(inWorkspace("shop", "over"));
    };
    await expect.poll(gone, { timeout: 20_000 }).toBe(true);
    expect(existsSync(pathOf("open"))).toBe(true);
  });

  it("S1.36, MIRROR-1: each request is there by id and by workspace, whole, with seed 001's fields as the engine has them", async () => {
    await mirror();
    for (const { value } of recording("s1-ten-allowed").hooks.lines) {
      const { payload } = value as { readonly payload: unknown };
      expect((await served.post("/v1/hooks/claude-code", payload)).status).toBe(200);
    }
    await request("r1");
    await send("request.completed", {
      requestId: "r1",
      exitCode: 3,
      output: "all of it",
      model: "m",
      tokens: 9,
    });
    for (const state of ["delivering", "delivering", "delivered"])
      await send("request.callback", { requestId: "r1", state });
    await sameAsEngine();
    await expect.poll(() => read(pathOf("r1")).request.callback?.success).toBe(true);
    for (const { requestId, workspace } of await requests()) {
      const { request: kept } = read(pathOf(requestId));
      const view = served.queries.getRequest(requestId, { workspace });
      expect(kept).toMatchObject(JSON.parse(JSON.stringify(view)) as object);
      expect(read(inWorkspace(workspace, requestId)).request).toEqual(kept);
      expect(lstatSync(pathOf(requestId)).mode & 0o777).toBe(0o600);
    }
    expect(read(pathOf("r1")).request).toMatchObject({
      chatId: 7,
      output: "all of it",
      exitCode: 3,
      timedOut: false,
    });
  });

  it("S1.36, MIRROR-FILES-3: of an id that two workspaces have, each has its own file by workspace", async () => {
    await mirror();
    await request("same", "one/s");
    await sameAsEngine();
    await request("same", "two/s");
    await send("request.failed", { requestId: "same", error: "no" }, "two/s");
    await expect.poll(() => stateAt(inWorkspace("two", "same"))).toBe("failed");
    expect([stateAt(inWorkspace("one", "same")), read(pathOf("same")).request.workspace]).toEqual([
      "processing",
      "one",
    ]);
  });

  it("S1.24, MIRROR-FILES-1, G54: whoever reads while it writes never sees half a file", async () => {
    const writing = await mirror();
    await request("r1");
    await sameAsEngine();
    const over = new AbortController();
    let reads = 0;
    const reading = (async () => {
      while (!over.signal.aborted) {
        for (const name of readdirSync(join(dir, "requests")))
          if (name.endsWith(".json")) read(join(dir, "requests", name));
        reads += 1;
        await nextTick();
      }
    })();
    for (let n = 2; n < 60; n++) await request(`r${n}`);
    await sameAsEngine();
    over.abort();
    await reading;
    await writing.mirror.stop();
    expect(reads).toBeGreaterThan(10);
    const left = readdirSync(dir, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.includes(".mirror-"),
    );
    expect(left).toEqual([]);
  });
});

describe("state files: going on", () => {
  it("S1.36, MIRROR-2: it goes on from its own place, and writes what has changed since and nothing else", async () => {
    const first = await mirror();
    for (const id of ["a", "b", "c"]) await request(id);
    await sameAsEngine();
    await first.mirror.stop();
    await send("request.completed", { requestId: "b" });
    const second = await mirror();
    await sameAsEngine();
    await second.mirror.stop();
    expect(second.disk.written).toEqual(["b"]);
    expect(await second.disk.place()).toBe(engineAt());
  });

  it("S1.36: where the log is another one, every file is made anew and what is no more goes; cut and edited files are mended", async () => {
    const first = await mirror();
    await request("a");
    await request("b");
    await sameAsEngine();
    await first.mirror.stop();
    const gone = { ...read(pathOf("a")).request, requestId: "gone" };
    await first.disk.put(gone);
    expect(existsSync(inWorkspace("shop", "gone"))).toBe(true);
    writeFileSync(pathOf("a"), readFileSync(pathOf("a"), "utf8").slice(0, 100));
    writeFileSync(pathOf("b"), readFileSync(pathOf("b"), "utf8").replace("processing", "completed"));
    writeFileSync(join(dir, "requests", ".mirror-dead"), "half");
    await first.disk.savePlace("another-log-7");
    await mirror();
    await expect
      .poll(() => existsSync(pathOf("gone")) || existsSync(inWorkspace("shop", "gone")))
      .toBe(false);
    await sameAsEngine();
    expect(existsSync(join(dir, "requests", ".mirror-dead"))).toBe(false);
  });
});

describe("state files: what goes wrong", () => {
  it("S1.24, MIRROR-3: a disk that is full in the middle is a trouble, the engine goes on, and all is written once there is room", async () => {
    const { mirror: made, disk } = await mirror();
    await request("a");
    await sameAsEngine();
    const place = engineAt();
    await expect.poll(() => disk.place()).toBe(place);
    disk.failure = "ENOSPC";
    await request("b");
    await expect
      .poll(() => made.troubles().map(({ code, isEssential }) => [code, isEssential]))
      .toEqual([["STATE_FILES_STUCK", false]]);
    const [trouble] = made.troubles();
    expect(trouble?.message).toContain("out of date: 1.");
    expect(trouble?.next).toContain("room");
    expect(JSON.stringify(trouble)).not.toContain(dir);
    await send("request.completed", { requestId: "a" });
    expect([stateAt(pathOf("a")), existsSync(pathOf("b")), await disk.place()]).toEqual([
      "processing",
      false,
      place,
    ]);
    disk.failure = undefined;
    await sameAsEngine();
    await expect.poll(() => made.troubles(), { timeout: 10_000 }).toEqual([]);
    await expect.poll(() => disk.place()).toBe(engineAt());
  });

  it("S1.24: what stands in the way of one file holds up no other, and a stop in the trouble loses nothing", async () => {
    const { mirror: made, disk } = await mirror();
    mkdirSync(pathOf("a"));
    await request("a");
    await request("b");
    await expect.poll(() => stateAt(pathOf("b"))).toBe("processing");
    await expect.poll(() => made.troubles().length).toBe(1);
    await made.stop();
    expect(await disk.place()).not.toBe(engineAt());
    rmSync(pathOf("a"), { recursive: true });
    await mirror();
    await sameAsEngine();
  });
});
