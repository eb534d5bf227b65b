// LMDB, crashes
// Processes that are killed, disks that fail and disks that are full: what is on disk afterwards.
//
//   Owns:          the claims PORTS-1, PORTS-2, G3 where they need a process to die.
//   Does not own:  power loss: that the kernel was asked to sync is shown, that the disk did is not.
//
// Some tests put another file under lmdb's file descriptor, which needs Linux; some watch or change system calls, which
// needs strace (Debian: apt-get install strace). Under CI a missing strace is a failure, elsewhere those are skipped.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openLmdb } from "../../../adapters/lmdb/index.ts";
import { systemClock } from "../../../adapters/system/index.ts";
import { startChild, works } from "../../support/lmdb/children.ts";
import { between, callsOf } from "../../support/lmdb/strace.ts";

const linux = process.platform === "linux";
const strace = linux && works("strace", "-f", "-o", "/dev/null", "true");
const smallDisk = linux && works("unshare", "-rm", "mount", "-t", "tmpfs", "none", "/mnt");
const never = new AbortController().signal;

let base: string;
let dir: string;

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "signalbox-crash-"));
  dir = join(base, "store");
});
afterEach(() => rm(base, { recursive: true }));

/** What a restart finds. */
async function found() {
  const { store, journal, close } = openLmdb(dir, systemClock());
  const epoch = await store.open();
  await journal.open(undefined);
  const tail = journal.tail();
  const state = {
    epoch,
    rows: new Map(store.range({ gte: "row/", lt: "row0" })),
    groups: [...store.range({ gte: "group/", lt: "group0" })].map(([, value]) => Number(value)),
    entries: tail === 0 ? [] : await journal.read(0, tail, never),
  };
  await close();
  return state;
}

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1);

it.each([
  ["amid commits and appends", "write"],
  ["amid checkpoints", "fold"],
])(
  "PORTS-1, PORTS-2, G3, FOLD-1, REDO-LOG-3: kill -9 %s loses nothing acknowledged and leaves nothing half-applied",
  async (_, scenario) => {
    const lastSaid = (lines: readonly string[], word: string) =>
      Math.max(0, ...lines.filter((line) => line.startsWith(word)).map((line) => Number(line.split(" ")[1])));
    let groups = 0;
    let entries = 0;
    for (const [round, commits] of [1, 2, 3, 8, 21, 34].entries()) {
      const child = startChild(scenario, dir);
      await child.said("committed", commits);
      child.kill();
      expect(await child.ended).toBe("SIGKILL");
      const state = await found();
      // Twice a round: the child and the look at it. No waiting in between: a dead owner does not block.
      expect(state.epoch).toBe(2 * round + 2);
      expect(state.groups).toEqual(upTo(state.groups.length));
      expect(new Set(state.rows.values())).toEqual(new Set([String(state.groups.length)]));
      expect(state.rows.size).toBe(40);
      expect(state.entries.map(({ body }) => body)).toEqual(
        upTo(state.entries.length).map((n) => `entry ${n}`),
      );
      expect(state.entries.map(({ position }) => position)).toEqual(upTo(state.entries.length));
      expect(state.entries.length % 7).toBe(0);
      const stamps = state.entries.map(({ at }) => at);
      expect(stamps).toEqual(stamps.toSorted((a, b) => a - b));
      groups = Math.max(groups, lastSaid(child.lines, "committed"));
      entries = Math.max(entries, lastSaid(child.lines, "appended"));
      expect(state.groups.length).toBeGreaterThanOrEqual(groups);
      expect(state.entries.length).toBeGreaterThanOrEqual(entries);
    }
  },
);

describe.runIf(linux)("a disk that fails", () => {
  it.each(["fail-sync", "fail-pages", "fail-meta", "fail-sync, plain exit"])(
    "PORTS-2, G3, ENVIRONMENT-4, TABLES-2, TABLES-3: a commit the disk refused (%s) is refused to everyone once, stops all writing, and is not there after a restart",
    async (scenario) => {
      const child = startChild(scenario, dir);
      expect(await child.ended).toBe(75);
      expect(child.lines).toEqual([
        "committed 1",
        "committed 2",
        "committed 3",
        "fatal STORE_FAILED",
        "rejected STORE_FAILED",
        "rejected STORE_FAILED",
        "later rejected rejected",
      ]);
      const state = await found();
      expect(state.epoch).toBe(2);
      expect(state.groups).toEqual([1, 2, 3]);
      expect(new Set(state.rows.values())).toEqual(new Set(["3"]));
      expect(state.entries).toEqual([]);
    },
  );

  it.runIf(smallDisk)(
    "G3: a full disk refuses the commit, then the start, and lets it go on once there is room",
    async () => {
      const mount = ["unshare", "-rm", "sh", "-c", 'mount -t tmpfs -o size=8m none "$0" && exec "$@"', base];
      const child = startChild("fill", dir, mount);
      await child.ended;
      expect(child.lines).toEqual([
        "fatal STORE_FAILED",
        "rejected STORE_FAILED",
        "refused STORE_FULL",
        "epoch 2",
        "missing 0",
      ]);
      expect(await child.ended).toBe(0);
    },
  );
});

it("PORTS-2: a disk that does not answer fails the commit after its time, and the store is whole once the process is gone", async () => {
  const child = startChild("impatient", dir);
  await child.said("epoch");
  const blocker = startChild("block", dir);
  await blocker.said("blocking");
  child.send("commit");
  expect(await child.ended).toBe("SIGKILL");
  expect(child.lines).toEqual(["epoch 1", "fatal STORE_STUCK", "rejected STORE_STUCK"]);
  blocker.kill();
  await blocker.ended;
  expect((await found()).epoch).toBe(2);
});

it("G3: an uncaught error ends the process even while a commit is under way", async () => {
  const child = startChild("throw", dir);
  expect(await child.ended).toBe(1);
  expect((await found()).groups.length).toBeLessThanOrEqual(1);
});

describe.runIf(strace || process.env["CI"])("what the kernel was asked for (needs strace)", () => {
  const traced = async (scenario: string, ...inject: readonly string[]) => {
    expect(strace, "strace is missing here: apt-get install strace").toBe(true);
    const log = join(base, "strace.log");
    const watch = ["-e", "trace=fdatasync,pwrite64,writev,write", "-e", "signal=none"];
    const change = inject.flatMap((one) => ["-e", `inject=${one}`]);
    const child = startChild(scenario, dir, ["strace", "-f", "-o", log, ...watch, ...change]);
    return { child, ended: await child.ended, calls: callsOf(log) };
  };
  const syncs = (calls: readonly string[]) => calls.filter((call) => call.startsWith("fdatasync(")).length;

  it("PORTS-2, TABLES-1: a commit is seen and acknowledged only after its pages and then its meta page were synced", async () => {
    // Each write returns late: the meta page stands in the file for a while before its sync is reported.
    const { child, ended, calls } = await traced("look", "pwrite64:delay_exit=40000");
    expect(ended).toBe(0);
    const meta = (await child.said("meta")).split(" ")[1] ?? "";
    const steps = calls
      .slice(calls.findIndex((call) => call.startsWith('write(1, "meta')))
      .flatMap((call) => {
        if (call.startsWith("fdatasync(")) return "pages synced";
        if (call.startsWith(`pwrite64(${meta},`)) return "meta page written and synced";
        return /^write\(1, "(seen|acknowledged)/.exec(call)?.[1] ?? [];
      });
    expect(steps.slice(0, 2)).toEqual(["pages synced", "meta page written and synced"]);
    // Behind them the store is closed, which writes again.
    expect(steps.slice(2, 4).toSorted()).toEqual(["acknowledged", "seen"]);
  });

  it("PORTS-2: every commit that is waited for is synced by itself", async () => {
    const { ended, calls } = await traced("steps");
    expect(ended).toBe(0);
    expect(syncs(between(calls, "begin", "end"))).toBe(10);
  });

  it("PORTS-1, PORTS-2, ENVIRONMENT-3: commits and appends that are handed in together share one sync", async () => {
    const { ended, calls } = await traced("crowd");
    expect(ended).toBe(0);
    expect(syncs(between(calls, "begin", "end"))).toBe(1);
    const state = await found();
    expect(state.groups).toHaveLength(500);
    expect(state.entries).toHaveLength(500);
  });

  it.each([
    ["no room", "a page", "writev", "ENOSPC", "STORE_FULL"],
    ["no room", "the meta page", "pwrite64", "ENOSPC", "STORE_FULL"],
    ["no right to write", "a page", "writev", "EROFS", "STORE_READ_ONLY"],
  ])(
    "G3, G29: %s for the epoch (%s) is told apart, leaves nothing, and the next try succeeds",
    async (_, __, call, error, code) => {
      await found();
      // lmdb 3.5.6 now and then damages its heap when a page cannot be written, and glibc aborts the process at its
      // end. What is claimed is what was told before, and what the disk holds after.
      const { child, ended } = await traced("persist", `${call}:error=${error}:when=1`);
      expect([0, "SIGABRT"]).toContain(ended);
      expect(child.lines).toEqual([`refused ${code} retry`, "epoch 2"]);
      expect((await found()).epoch).toBe(3);
    },
  );
});
