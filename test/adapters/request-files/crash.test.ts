// The request tracker, killed at the system calls of a write; two processes at once; a disk that is full.
//
// Some of it needs strace (Debian: apt-get install strace). Under CI a missing strace is a failure, elsewhere it is skipped.
// A kill comes before its call is made, and so after the one before it; a draft that is there and empty, or not synced, is
// what it leaves.

import { readFileSync } from "node:fs";
import { cp, mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { RequestTracker } from "../../../adapters/index.ts";
import { Claims } from "../../../adapters/request-files/claims.ts";
import { scratchEach } from "../../support/processes/scratch.ts";
import { works } from "../../support/lmdb/children.ts";
import {
  buildRequestChild,
  removeRequestChild,
  runRequestChild,
} from "../../support/processes/request-program.ts";

const linux = process.platform === "linux";
const strace = linux && works("strace", "-f", "-o", "/dev/null", "true");
const smallDisk = linux && works("unshare", "-rm", "mount", "-t", "tmpfs", "none", "/mnt");
/** All that open or write a file, change a name or make something durable. */
const CALLS = ["openat", "pwrite64", "mkdir", "rename", "link", "symlink", "fsync", "unlink", "rmdir"];

let program: string;
const scratch = scratchEach();
let base: string;
let dir: string;

beforeAll(async () => {
  program = await buildRequestChild();
});
afterAll(() => removeRequestChild(program));
beforeEach(() => {
  base = scratch();
  dir = join(base, "state");
});

const open = async (): Promise<RequestTracker> => {
  const tracker = new RequestTracker({ stateBaseDir: dir, sweepMs: 0, env: {} });
  await tracker.start();
  return tracker;
};
const newRequest = (requestId: string) => ({ requestId, chatId: 1, workspace: "shop" });

const child = (scenario: string, wrap: readonly string[] = []): Promise<readonly string[]> =>
  runRequestChild(program, scenario, dir, wrap);

describe.runIf(strace || process.env["CI"])("killed (needs strace)", () => {
  const traced = (scenario: string, ...more: readonly string[]): Promise<readonly string[]> =>
    child(scenario, [
      ...[
        "strace",
        "-f",
        "-o",
        join(base, "log"),
        "-e",
        `trace=write,${CALLS.join(",")}`,
        "-e",
        "signal=none",
      ],
      ...more,
    ]);

  /** The calls of the last run that had to do with files, from its first line on: by name, and which of its thread's it was. */
  const callsMade = (): readonly (readonly [name: string, n: number])[] => {
    const lines = readFileSync(join(base, "log"), "utf8").split("\n");
    const begin = lines.findIndex((line) => line.includes('write(1, "begin'));
    const thread = / *(\d+) +fsync\(/.exec(lines.find((line) => line.includes(" fsync(")) ?? "")?.[1] ?? "";
    const counts = new Map<string, number>();
    return lines.flatMap((line, at) => {
      const [, by, name = ""] = /^ *(\d+) +(\w+)\(/.exec(line) ?? [];
      if (by !== thread || !CALLS.includes(name)) return [];
      const n = (counts.get(name) ?? 0) + 1;
      counts.set(name, n);
      return at > begin ? [[name, n] as const] : [];
    });
  };

  /**
   * The calls of the last run that a kill came before: that of the files, and whatever another thread was printing then.
   * Of a call that another thread interrupted, two lines tell.
   */
  const callsNotMade = (): readonly string[] => {
    const log = readFileSync(join(base, "log"), "utf8");
    const ends = log.matchAll(/ (?:(\w+)\([^\n]*|<\.\.\. (\w+) resumed>[^\n]*) = \?\n/g);
    return [...ends].map(([, whole, resumed]) => whole ?? resumed ?? "").filter((name) => name !== "write");
  };

  /** What stands in the folder but for one request: nobody has any business there. */
  const othersThan = async (id: string): Promise<readonly (readonly [string, string])[]> => {
    const requests = join(dir, "requests");
    const names = await readdir(requests, { recursive: true });
    const files = names.filter((name) => name.endsWith(".json") && !name.includes(id)).sort();
    return files.map((name) => [name, readFileSync(join(requests, name), "utf8")] as const);
  };

  it.each([
    ["update", "r1", [1, 2], ["openat", "pwrite64", "mkdir", "link", "rename", "fsync"]],
    ["create", "r2", [undefined, 0], ["openat", "pwrite64", "mkdir", "symlink", "rename", "fsync"]],
  ] as const)(
    "S1.12, S1.14, S1.24, S1.27, S1.47, S1.53, FOLDER-1, FOLDER-3, G54: at any call of one %s it is done or not, whole, nothing else is touched, and the next goes on",
    async (scenario, id, outcomes, expected) => {
      expect(strace, "strace is missing here: apt-get install strace").toBe(true);
      const first = await open();
      await first.createRequest({ ...newRequest("other"), workspace: "bank" });
      await first.createRequest(newRequest("r1"));
      await first.updateState("r1", { state: "processing", tokens: 1 });
      await first.stop();
      const fresh = join(base, "fresh");
      await cp(dir, fresh, { recursive: true, verbatimSymlinks: true });
      const others = await othersThan(id);
      expect((await traced(scenario)).at(-1)).toBe(`told ${outcomes[1]}`);
      const calls = callsMade();
      expect(calls.map(([name]) => name)).toEqual(expect.arrayContaining([...expected]));
      const seen = new Set<number | undefined>();
      for (const [name, n] of calls) {
        await rm(dir, { recursive: true });
        await cp(fresh, dir, { recursive: true, verbatimSymlinks: true });
        const lines = await traced(scenario, "-e", `inject=${name}:signal=KILL:when=${n}`);
        expect(lines[0], `killed at ${name} ${n}`).toBe("begin");
        const log = `killed at ${name} ${n}\n${readFileSync(join(base, "log"), "utf8")}`;
        expect(callsNotMade(), log).toEqual([name]);
        const tracker = await open();
        const request = await tracker.getRequest(id);
        const tokens = request ? (request.tokens ?? 0) : undefined;
        expect(outcomes, `killed at ${name} ${n}`).toContain(tokens);
        if (lines.some((line) => line.startsWith("told"))) expect(tokens).toBe(outcomes[1]);
        seen.add(tokens);
        expect(await othersThan(id)).toEqual(others);
        expect(await readdir(join(dir, "requests", ".damaged"))).toEqual([]);
        if (request) expect(await tracker.updateState(id, { tokens: 9 })).toMatchObject({ tokens: 9 });
        else await tracker.createRequest(newRequest(id));
        expect(await tracker.listRequests("shop")).toHaveLength(scenario === "create" ? 2 : 1);
        await tracker.stop();
        expect(await readdir(join(dir, "requests", ".claims"))).toEqual([]);
      }
      expect(seen).toEqual(new Set(outcomes));
    },
    300_000,
  );

  it.each(["update", "create"])(
    "FOLDER-1, TRACKER-1, REQUEST-FILES-OWN-FILE-2: one %s is told only after the file and then its folder were synced, and syncs nothing else",
    async (scenario) => {
      const first = await open();
      await first.createRequest(newRequest("r1"));
      await first.stop();
      await traced(scenario);
      const steps = readFileSync(join(base, "log"), "utf8").split("\n");
      const at = (what: RegExp, from = 0): number =>
        steps.findIndex((step, n) => n >= from && what.test(step));
      const begun = at(/write\(1, "begin/);
      const synced = at(/fsync\(/, begun);
      const renamed = at(/next", .*r[12]\.json"/, synced);
      const folder = at(/fsync\(/, renamed);
      const told = at(/write\(1, "told/, folder);
      expect([begun, synced, renamed, folder, told].every((step) => step >= 0)).toBe(true);
      expect(at(/write\(1, "told/)).toBe(told);
      expect(callsMade().filter(([name]) => name === "fsync")).toHaveLength(2);
    },
  );

  it("REQUEST-FILES-TROUBLE-2: a disk that refuses a step is told, what stood there stands, and the next update is taken", async () => {
    const first = await open();
    await first.createRequest(newRequest("r1"));
    await first.updateState("r1", { state: "processing", tokens: 0 });
    await first.stop();
    expect(await traced("update")).toContain("told 1");
    const reading = callsMade().find(([name]) => name === "openat")?.[1] ?? 0;
    for (const [call, when, error, code, stands] of [
      ["mkdir", 1, "ENOSPC", "STATE_DISK_FULL", 1],
      ["openat", reading, "EACCES", "STATE_UNUSABLE", 1],
      ["openat", reading, "EMFILE", "STATE_TOO_MANY_FILES", 1],
      ["pwrite64", 1, "ENOSPC", "STATE_DISK_FULL", 1],
      ["pwrite64", 1, "EDQUOT", "STATE_DISK_FULL", 1],
      ["fsync", 1, "ENOSPC", "STATE_DISK_FULL", 1],
      ["fsync", 1, "EIO", "STATE_DISK_FAILED", 1],
      ["rename", 1, "EROFS", "STATE_READ_ONLY", 1],
      ["fsync", 2, "ENOSPC", "STATE_UNSYNCED", 2],
    ] as const) {
      const lines = await traced("update", "-e", `inject=${call}:error=${error}:when=${when}`);
      expect(lines, `${call} ${error}`).toContain(`refused ${code}`);
      const tracker = await open();
      expect(await tracker.getRequest("r1")).toMatchObject({ tokens: stands });
      await tracker.stop();
      expect(await readdir(join(dir, "requests", ".claims"))).toEqual([]);
    }
    expect(await child("update")).toContain("told 3");
  });
});

it.runIf(smallDisk)(
  "S1.24: a disk that fills up in the middle changes nothing, says so, and takes what has room",
  async () => {
    const mount = ["unshare", "-rm", "sh", "-c", 'mount -t tmpfs -o size=2m none "$0" && exec "$@"', base];
    expect(await child("fill", mount)).toEqual(["refused STATE_DISK_FULL", "stands small", "then completed"]);
  },
);

it("S1.54, S1.3, FOLDER-2, CLAIMS-1: two processes update the same requests at once, and no update is lost", async () => {
  const tracker = await open();
  for (let n = 0; n < 4; n += 1) {
    await tracker.createRequest(newRequest(`c${n}`));
    await tracker.updateState(`c${n}`, { state: "processing" });
  }
  const both = await Promise.all([1, 2].map(() => child("count", ["COUNT=200x4"])));
  expect(both).toEqual([
    ["ready", "done"],
    ["ready", "done"],
  ]);
  const requests = await tracker.queryRequests();
  expect(requests.map(({ tokens }) => tokens)).toEqual([100, 100, 100, 100]);
  await tracker.stop();
});

it("CLAIMS-2, CLAIMS-3: a claim that is taken from a writer that stands still leaves its draft no way out", async () => {
  await mkdir(dir);
  const [one, other] = [new Claims(dir), new Claims(dir)];
  const first = await one.take("r1", 30_000);
  await writeFile(first?.inside("next") ?? "", "stale");
  const second = await other.take("r1", 30_000);
  await expect(rename(first?.inside("next") ?? "", join(dir, "r1.json"))).rejects.toMatchObject({
    code: "ENOENT",
  });
  expect([await first?.holds(), await second?.holds()]).toEqual([false, true]);
  await first?.release(false);
  expect(await second?.holds()).toBe(true);
  expect(await one.take("r1", 0)).toBeUndefined();
  await second?.release(true);
  for (const claims of [one, other]) await claims.clear();
  expect(await readdir(dir)).toEqual([]);
});
