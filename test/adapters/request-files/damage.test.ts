// The request tracker in a folder that was damaged, or that others put something into.

import { spawnSync } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import {
  chmod,
  chown,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  symlink,
  truncate,
  unlink,
  writeFile,
} from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Recovery, RequestTracker } from "../../../adapters/index.ts";
import { refused } from "../../support/engine/refusal.ts";
import { scratchEach } from "../../support/processes/scratch.ts";

const HOUR = 3_600_000;

const scratch = scratchEach();
let base: string;
let now: number;
let told: Recovery[];
let tracker: RequestTracker;

beforeEach(async () => {
  base = scratch();
  now = 1_800_000_000_000;
  told = [];
  tracker = new RequestTracker({
    stateBaseDir: base,
    now: () => now,
    onRecovered: (recovery) => told.push(recovery),
    env: {},
  });
  await tracker.start();
});
afterEach(() => tracker.stop());

const at = (...names: readonly string[]): string => join(base, "requests", ...names);
const make = (requestId: string): Promise<unknown> =>
  tracker.createRequest({ requestId, chatId: 7, workspace: "shop" });
const stateOf = async (id: string): Promise<string | undefined> => (await tracker.getRequest(id))?.state;
const restart = (): Promise<void> => tracker.stop().then(() => tracker.start());

describe("files that are not what was written", () => {
  it.each([
    ["cut", (text: string) => text.slice(0, 100)],
    ["empty", () => ""],
    ["with one digit changed", (text: string) => text.replace('"chatId": 7', '"chatId": 8')],
  ])(
    "S1.27, FOLDER-4: one that is %s is refused, and a start puts the one before back and keeps it",
    async (_, damage) => {
      await make("r1");
      await tracker.updateState("r1", { state: "processing" });
      await tracker.updateState("r1", { tokens: 5 });
      const text = damage(await readFile(at("r1.json"), "utf8"));
      await writeFile(at("r1.json"), text);
      expect(await refused(tracker.getRequest("r1"))).toBe("STATE_DAMAGED");
      expect(await refused(tracker.updateState("r1", { tokens: 6 }))).toBe("STATE_DAMAGED");
      expect(await tracker.listRequests("shop")).toEqual([]);
      await restart();
      const back = await tracker.getRequest("r1");
      expect([back?.state, back?.tokens]).toEqual(["processing", undefined]);
      expect(told.flatMap(({ restored }) => restored.map(({ requestId }) => requestId))).toEqual(["r1"]);
      const [kept = ""] = await readdir(at(".damaged"));
      expect(await readFile(at(".damaged", kept), "utf8")).toBe(text);
      expect(await tracker.updateState("r1", { state: "completed" })).toMatchObject({ state: "completed" });
    },
  );

  it("S1.37, REQUEST-FILES-RECOVERY-1: one that nothing stood before is told and left, and the others go on", async () => {
    await make("r1");
    await make("r2");
    await writeFile(at("r1.json"), "{");
    await restart();
    expect(told.flatMap(({ unreadable }) => unreadable.map(({ file, error }) => [file, error.code]))).toEqual(
      [["r1.json", "STATE_DAMAGED"]],
    );
    expect(await readFile(at("r1.json"), "utf8")).toBe("{");
    expect(await stateOf("r2")).toBe("created");
  });

  it("FORMAT-3: one of a later version is told and left as it is", async () => {
    await make("r1");
    const text = (await readFile(at("r1.json"), "utf8")).replace('"format": 1', '"format": 2');
    await writeFile(at("r1.json"), text);
    now += 48 * HOUR;
    await restart();
    expect(await refused(tracker.updateState("r1", { state: "queued" }))).toBe("STATE_FORMAT");
    expect(await refused(make("r1"))).toBe("REQUEST_EXISTS");
    expect(await readFile(at("r1.json"), "utf8")).toBe(text);
  });

  it("FORMAT-2: an older copy that somebody put back is whole, and goes on from there", async () => {
    await make("r1");
    await tracker.updateState("r1", { state: "processing" });
    const older = await readFile(at("r1.json"), "utf8");
    await tracker.updateState("r1", { state: "completed" });
    await writeFile(at("r1.json"), older);
    expect(await stateOf("r1")).toBe("processing");
    await restart();
    expect(await tracker.updateState("r1", { state: "failed", error: "no" })).toMatchObject({
      state: "failed",
    });
  });

  it("REQUEST-FILES-OWN-FILE-1: one that is larger than any may be is refused, by its text too, and the others go on", async () => {
    await make("r1");
    await make("r2");
    expect(await refused(tracker.updateState("r2", { output: "x".repeat(257 * 2 ** 20) }))).toBe(
      "STATE_TOO_LARGE",
    );
    await truncate(at("r1.json"), 257 * 2 ** 20);
    expect(await refused(tracker.getRequest("r1"))).toBe("STATE_TOO_LARGE");
    await restart();
    expect(told.at(-1)?.unreadable.map(({ file }) => file)).toEqual(["r1.json"]);
    expect(await stateOf("r2")).toBe("created");
  });

  it("FORMAT-2, LINKS-1: a folder that another implementation of the seed kept is taken over, its copies become links", async () => {
    const request = { requestId: "r1", chatId: "c", workspace: "shop", createdAt: now, timedOut: false };
    const text = JSON.stringify({
      ...request,
      state: "processing",
      processingStartedAt: now,
      lastUpdatedAt: now,
    });
    await mkdir(at("by-workspace", "shop"), { mode: 0o700 });
    for (const place of [at("r1.json"), at("by-workspace", "shop", "r1.json")])
      await writeFile(place, text, { mode: 0o600 });
    await restart();
    expect(await readlink(at("by-workspace", "shop", "r1.json"))).toBe("../../r1.json");
    expect(await tracker.updateState("r1", { state: "completed" })).toMatchObject({
      previousState: "processing",
    });
    now += HOUR;
  });

  it("REQUEST-FILES-OWN-FILE-1: a file under another one's name is refused, and both are left", async () => {
    await make("r1");
    await rename(at("r1.json"), at("r2.json"));
    expect(await refused(tracker.getRequest("r2"))).toBe("STATE_MISNAMED");
    now += 48 * HOUR;
    await restart();
    expect(await readdir(at())).toContain("r2.json");
  });
});

describe("what others put there", () => {
  it("REQUEST-FILES-OWN-FILE-1: links, folders, pipes and files that others may write are refused by name, and not touched", async () => {
    await make("good");
    const outside = join(base, "outside.json");
    await rename(at("good.json"), outside);
    await symlink(outside, at("link.json"));
    await mkdir(at("dir.json"));
    spawnSync("mkfifo", [at("pipe.json")]);
    await writeFile(at("open.json"), await readFile(outside, "utf8"));
    await chmod(at("open.json"), 0o666);
    expect(await refused(tracker.getRequest("link"))).toBe("STATE_NOT_A_FILE");
    expect(await refused(tracker.getRequest("dir"))).toBe("STATE_NOT_A_FILE");
    expect(await refused(tracker.getRequest("pipe"))).toBe("STATE_NOT_A_FILE");
    expect(await refused(tracker.updateState("open", { tokens: 1 }))).toBe("STATE_OPEN_TO_OTHERS");
    await writeFile(at("notes.txt"), "mine");
    now += 48 * HOUR;
    await restart();
    expect(told.at(-1)?.unreadable).toHaveLength(4);
    const left = ["dir.json", "link.json", "notes.txt", "open.json", "pipe.json"];
    expect((await readdir(at())).filter((name) => !name.startsWith(".")).sort()).toEqual([
      "by-workspace",
      ...left,
    ]);
  });

  it("REQUEST-FILES-OWN-FILE-1: a folder that others may write is refused before anything is done there", async () => {
    await chmod(at(), 0o777);
    expect(await refused(tracker.start())).toBe("STATE_OPEN_TO_OTHERS");
    await chmod(at(), 0o700);
  });

  // Only root can give a file away.
  it.runIf(process.getuid?.() === 0)(
    "REQUEST-FILES-OWN-FILE-1: a file and a folder of another user are refused by name, and not touched",
    async () => {
      await make("theirs");
      await make("mine");
      const text = await readFile(at("theirs.json"), "utf8");
      await chown(at("theirs.json"), 4242, 4242);
      expect(await refused(tracker.getRequest("theirs"))).toBe("STATE_NOT_YOURS");
      expect(await refused(tracker.updateState("theirs", { tokens: 1 }))).toBe("STATE_NOT_YOURS");
      now += 48 * HOUR;
      await restart();
      expect(told.at(-1)?.unreadable.map(({ file }) => file)).toEqual(["theirs.json"]);
      expect(await readFile(at("theirs.json"), "utf8")).toBe(text);
      expect(await stateOf("mine")).toBeUndefined();
      await chown(at(), 4242, 4242);
      expect(await refused(tracker.start())).toBe("STATE_NOT_YOURS");
      expect(await readFile(at("theirs.json"), "utf8")).toBe(text);
    },
  );

  it.runIf(process.getuid?.() !== 0)(
    "REQUEST-FILES-TROUBLE-1: a folder that cannot be read is told, with what to do",
    async () => {
      await chmod(at(), 0o000);
      expect(await refused(tracker.recoverState())).toBe("STATE_UNUSABLE");
      await chmod(at(), 0o700);
    },
  );

  it("LINKS-1: the index is made anew at a start, and what is foreign in it stays", async () => {
    await make("r1");
    await make("r2");
    await unlink(at("by-workspace", "shop", "r1.json"));
    await symlink("../../gone.json", at("by-workspace", "shop", "gone.json"));
    await symlink("/elsewhere", at("by-workspace", "shop", "foreign.json"));
    await restart();
    expect((await readdir(at("by-workspace", "shop"))).sort()).toEqual([
      "foreign.json",
      "r1.json",
      "r2.json",
    ]);
    expect((await tracker.listRequests("shop")).map(({ requestId }) => requestId).sort()).toEqual([
      "r1",
      "r2",
    ]);
  });

  it("REQUEST-FILES-TROUBLE-1: without a start, or where a file stands in place of the folder, it is told what to do", async () => {
    const other = (dir: string): RequestTracker => new RequestTracker({ stateBaseDir: dir, env: {} });
    const given = { chatId: 1, workspace: "w" };
    expect(await refused(other(join(base, "none")).createRequest(given))).toBe("STATE_UNUSABLE");
    await writeFile(join(base, "file"), "");
    expect(await refused(other(join(base, "file")).start())).toBe("STATE_UNUSABLE");
  });
});

describe("writers that are gone", () => {
  it("CLAIMS-2: what a killed writer left is taken away, and its claim with it", async () => {
    await make("r1");
    const { pid } = spawnSync("true");

    await tracker.stop();
    const dead = deadToken(pid);
    await mkdir(at(".claims", "r1", dead), { recursive: true });
    await writeFile(at(".claims", "r1", dead, "next"), "half");
    await mkdir(at(".claims", `new.${dead}`));

    await tracker.start();
    expect(await tracker.updateState("r1", { state: "processing" })).toMatchObject({ state: "processing" });
    await tracker.stop();
    expect(await readdir(at(".claims"))).toEqual([]);
  });
});

/** A token as a writer of this machine has it. */
function deadToken(pid: number): string {
  return `${pid}.${createHash("sha256").update(hostname()).digest("hex").slice(0, 12)}.${randomUUID()}`;
}
