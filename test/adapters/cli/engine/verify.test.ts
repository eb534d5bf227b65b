// verify
// The command on a real folder: nothing differs, also after kills; an entry or a row that does is named, and fails.

import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { join } from "node:path";
import { ManualClock } from "../../../support/engine/manual-clock.ts";
import { openLmdb } from "../../../../adapters/lmdb/index.ts";
import { after, keys } from "../../../../runtime/rows/keys.ts";
import { build, Desk, jsonLines } from "../../../support/processes/program.ts";
import { recordingPath } from "../../../support/sessions/recording.ts";

let desk: Desk;
beforeAll(() => build(), 180_000);
beforeEach(() => {
  desk = new Desk();
});
afterEach(() => desk.clear());

/** An engine that takes in a recording is killed in the middle, twice, and stopped in order at last. */
async function used(): Promise<void> {
  for (const name of ["s1-ten-allowed", "s6-subagent", "s3-permreq-deny-interrupt"]) {
    const { engine, url } = await desk.up();
    await desk.run(["replay", "--url", url, recordingPath(name, "hooks.jsonl")]);
    engine.child.kill(name === "s3-permreq-deny-interrupt" ? "SIGTERM" : "SIGKILL");
    await engine.ended;
  }
}

/** Every row of the store. */
async function rows(): Promise<readonly (readonly [string, string])[]> {
  const { store, close } = openLmdb(join(desk.dir, "data", "store"), new ManualClock());
  await store.open();
  const found = [...store.range({ gte: " ", lt: "~" })];
  await close();
  return found;
}

async function put(key: string, value: string): Promise<void> {
  const { store, close } = openLmdb(join(desk.dir, "data", "store"), new ManualClock());
  await store.open();
  await store.commit([{ put: key, value }]);
  await close();
}

/** Changes the proof of an entry that changed something. */
async function plant(position: number): Promise<void> {
  const { store, close } = openLmdb(join(desk.dir, "data", "store"), new ManualClock());
  await store.open();
  for (const [key, text] of store.range({ gte: keys.changes, lt: after(keys.changes) })) {
    const row = JSON.parse(text) as { readonly turn: number; readonly proof?: string };
    if (row.turn !== position || row.proof === undefined) continue;
    await store.commit([{ put: key, value: JSON.stringify({ ...row, proof: "0".repeat(16) }) }]);
  }
  await close();
}

describe("signalbox verify", () => {
  it("G57, COMMANDS-VERIFY-1, VERIFYING-1: after kills no entry differs; one that does is named, and the command fails", async () => {
    await used();
    const before = await rows();
    const clean = await desk.run(["verify"]);
    expect(await rows()).toEqual(before);
    expect(clean.code).toBe(0);
    expect(clean.out).toMatch(/^Replayed entries 1 to \d+ of .*: \d+ compared, 0 differ\.$/m);
    expect(clean.out).toMatch(/^Of the rows of the store, \d{3,} were compared, 0 differ\.$/m);
    expect(clean.out).toMatch(/rows were not compared \(.*build.*\): no entry records/);
    await plant(20);
    const found = await desk.run(["verify", "--json"]);
    expect(found.code).toBe(1);
    const [difference, sums] = jsonLines(found.out);
    expect(difference).toMatchObject({ position: 20, kept: "0".repeat(16), isOtherBuild: false });
    expect(sums).toMatchObject({
      first: 1,
      earlier: 0,
      unproven: 0,
      differences: 1,
      rows: { differences: 0 },
    });
    expect((await desk.run(["verify", "--from", "21"])).code).toBe(0);
    expect((await desk.run(["verify", "--session", "nobody"])).code).toBe(0);
    expect((await desk.run(["verify"])).out).toMatch(/^POSITION .*\n20 .*this one/);
  }, 120_000);

  it("VERIFIED-TEXT-1, COMMANDS-VERIFY-1: a row that was altered at rest is named with the place, and the command fails", async () => {
    await used();
    const [key = "", text = ""] = (await rows()).find(([each]) => each.startsWith("audit/")) ?? [];
    await put(key, JSON.stringify({ ...(JSON.parse(text) as object), by: "nobody" }));
    const found = await desk.run(["verify"]);
    expect([found.code, found.out]).toEqual([1, expect.stringMatching(`${key} +altered +by +this one`)]);
    expect(found.out).toMatch(/were compared, 1 differ\.$/m);
    expect(found.out).toMatch(/changed the store's files: keep the folder as it is/);
    const [difference, sums] = jsonLines((await desk.run(["verify", "--json"])).out);
    expect(difference).toMatchObject({ key, what: "altered", fields: ["by"], isOtherBuild: false });
    expect(sums).toMatchObject({ differences: 0, rows: { differences: 1 } });
  }, 120_000);

  it("CLI: while the engine runs, without a folder, and with a wrong position it says what to do", async () => {
    expect(await desk.run(["verify"])).toMatchObject({
      code: 1,
      err: expect.stringContaining("no store") as string,
    });
    expect((await desk.run(["verify", "--from", "first"])).code).toBe(2);
    const { engine } = await desk.up();
    const busy = await desk.run(["verify"]);
    expect([busy.code, busy.err]).toEqual([1, expect.stringMatching(/another|runs|stop/i)]);
    engine.child.kill("SIGTERM");
    await engine.ended;
  }, 120_000);
});
