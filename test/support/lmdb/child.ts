// Child
// A process that writes like an engine, to be killed, starved and lied to from outside.
//
//   Owns:          the scenarios named by the lmdb tests.
//   Does not own:  judging them: it prints what it was told, and the parent checks the folder.
//
// Every line is printed synchronously, so it was printed before anything that came after it.

import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { open as openRaw } from "lmdb";
import { compactLmdb, openLmdb, openSnapshot } from "../../../adapters/lmdb/index.ts";
import type { LmdbOptions } from "../../../adapters/lmdb/index.ts";
import { markOf, systemClock } from "../../../adapters/system/index.ts";
import { RetryableError } from "../../../runtime/errors/errors.ts";
import type { Clock, Write } from "../../../runtime/ports.ts";

const [scenario = "", dir = ""] = process.argv.slice(2);
const ROWS = 40;

function say(...words: readonly (string | number)[]): void {
  writeSync(1, `${words.join(" ")}\n`);
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}

/** What the engine does about a FatalError: no exit hook runs. */
function stopAtOnce(): void {
  const reallyExit: unknown = Reflect.get(process, "reallyExit");
  if (typeof reallyExit === "function") Reflect.apply(reallyExit, process, [75]);
}

function open(options: LmdbOptions = {}, clock = systemClock()) {
  return openLmdb(dir, clock, {
    markOf,
    ...options,
    onFatal: (error) => say("fatal", error.code),
  });
}

function group(n: number): Write[] {
  const rows = Array.from({ length: ROWS }, (_, row) => ({ put: `row/${row}`, value: String(n) }));
  return [...rows, { put: `group/${String(n).padStart(6, "0")}`, value: String(n) }];
}

/** Replaces the file under a file descriptor of this process, as a disk that fails from now on. */
function replace(fd: number, path: string): void {
  closeSync(fd);
  while (openSync(path, "r+") !== fd);
}

/** lmdb writes pages through one descriptor and the page that points to them through a synchronous second one. */
function descriptors(): { pages: number; meta: number } {
  const open = readdirSync("/proc/self/fd").filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).endsWith("/data.mdb");
    } catch {
      return false; // The descriptor readdir itself used.
    }
  });
  const writeOnly = (fd: string) => /^flags:\s*\d*1$/m.test(readFileSync(`/proc/self/fdinfo/${fd}`, "utf8"));
  return { pages: Number(open.find((fd) => !writeOnly(fd))), meta: Number(open.find(writeOnly)) };
}

/** Whatever is to be done later is done at once: one checkpoint begins when the last one has ended. */
const hasty = (): Clock => ({ ...systemClock(), after: (_, callback) => systemClock().after(0, callback) });

/** Commits and appends at the same time until killed; prints which were acknowledged. */
async function write(clock: Clock): Promise<void> {
  const { store, journal } = open({}, clock);
  say("epoch", await store.open());
  await journal.open(undefined);
  let n = Number(store.get("row/0") ?? 0);
  const commits = async () => {
    for (;;) {
      await store.commit(group(++n));
      say("committed", n);
    }
  };
  const appends = async () => {
    for (;;) {
      const from = journal.tail();
      await journal.append(Array.from({ length: 7 }, (_, index) => `entry ${from + 1 + index}`));
      say("appended", from + 7);
    }
  };
  await Promise.all([commits(), appends()]);
}

/** Three good commits, then one on a disk that fails in the given place; prints what could be read then. */
async function fail(place: "sync" | "pages" | "meta", exit: () => void): Promise<void> {
  const { store, journal } = open();
  await store.open();
  await journal.open(undefined);
  for (let n = 1; n <= 3; n++) {
    await store.commit(group(n));
    say("committed", n);
  }
  const { pages, meta } = descriptors();
  if (place === "sync") replace(pages, "/dev/null"); // Takes every write and cannot be synced.
  if (place === "pages") replace(pages, "/dev/full");
  if (place === "meta") replace(meta, "/dev/full");
  const told = await Promise.allSettled([store.commit(group(4)), journal.append(["entry 1"])]);
  for (const one of told) say(one.status, one.status === "rejected" ? codeOf(one.reason) : "");
  const later = await Promise.allSettled([
    store.commit([{ put: "later", value: "" }]),
    journal.append(["later"]),
  ]);
  say("later", ...later.map(({ status }) => status));
  await sleep(50); // Anything unhandled would end the process here.
  exit();
}

/** Polls a row while its commit is under way; prints when it is seen and when it is acknowledged. */
async function look(): Promise<void> {
  const { store } = open();
  await store.open();
  await store.commit([{ put: "row", value: "old" }]);
  say("meta", descriptors().meta);
  const commit = store.commit([{ put: "row", value: "new" }]).then(() => say("acknowledged"));
  while (store.get("row") === "old") await sleep(1);
  say("seen");
  await commit;
  await store.close();
}

async function steps(): Promise<void> {
  const { store } = open();
  await store.open();
  say("begin");
  for (let n = 1; n <= 10; n++) await store.commit(group(n));
  say("end");
  await store.close();
}

async function crowd(): Promise<void> {
  const { store, journal } = open();
  await store.open();
  await journal.open(undefined);
  const bodies = Array.from({ length: 500 }, (_, n) => `entry ${n}`);
  say("begin");
  await Promise.all(bodies.flatMap((body, n) => [journal.append([body]), store.commit(group(n))]));
  say("end");
  await store.close();
}

/** Opens until it succeeds, at most three times. */
async function persist(): Promise<void> {
  const { store } = open();
  for (let round = 0; round < 3; round++) {
    try {
      say("epoch", await store.open());
      break;
    } catch (error) {
      say("refused", codeOf(error), error instanceof RetryableError ? error.obligation : "");
    }
  }
  await store.close();
}

/** On a small disk, partly filled: writes until it is full, restarts, makes room, restarts. */
async function fill(): Promise<void> {
  const taken = join(dir, "..", "taken");
  writeFileSync(taken, Buffer.alloc(3 << 20));
  const first = open();
  await first.store.open();
  let n = 0;
  try {
    for (;;) await first.store.commit([{ put: `big/${++n}`, value: "x".repeat(100_000) }]);
  } catch (error) {
    say("rejected", codeOf(error));
  }
  await first.store.close();
  const { store } = open();
  await store.open().catch((error: unknown) => say("refused", codeOf(error)));
  rmSync(taken);
  say("epoch", await store.open());
  const kept = [...store.range({ gte: "big/", lt: "big0" })];
  say("missing", n - 1 - kept.length);
  await store.close();
}

/** Prints its epoch, then commits once for every line it is sent, and prints the result. */
async function hold(options: LmdbOptions): Promise<void> {
  const { store } = open(options);
  try {
    say("epoch", await store.open());
  } catch (error) {
    say("refused", codeOf(error));
    return;
  }
  let n = 0;
  process.stdin.on("data", () => {
    n += 1;
    const rows = [
      { put: "by", value: String(process.pid) },
      { put: `${process.pid}/${n}`, value: "x".repeat(20_000) },
    ];
    void store.commit(rows).then(
      () => say("committed"),
      (error: unknown) => {
        say("rejected", codeOf(error));
        process.kill(process.pid, "SIGKILL");
      },
    );
  });
}

/** Takes lmdb's write lock and keeps it, like a disk that never answers. */
async function block(): Promise<void> {
  const root = openRaw<string, string>({ path: dir, noSubdir: false, overlappingSync: false });
  await root.childTransaction(() => {
    say("blocking");
    return new Promise(() => undefined);
  });
}

/** Dies of an uncaught error while lmdb's thread has begun a commit. */
async function throwMeanwhile(): Promise<void> {
  const { store } = open();
  await store.open();
  void store.commit(group(1));
  await new Promise((resolve) => process.nextTick(resolve)); // The commit is handed to lmdb, which starts it by setImmediate.
  setImmediate(() => {
    const until = Date.now() + 5; // Its thread gets as far as it can without this one.
    while (Date.now() < until);
    throw new Error("uncaught");
  });
}

/** Compacts the store again and again until killed. */
async function compact(): Promise<void> {
  for (;;) {
    say("compacting");
    await compactLmdb(dir, { markOf });
  }
}

/** Reads a snapshot, slowly, as a backup of much does. */
async function snapshot(): Promise<void> {
  await openSnapshot(dir);
  say("open", process.pid);
  await sleep(60_000);
}

const scenarios: Record<string, () => Promise<void>> = {
  write: () => write(systemClock()),
  fold: () => write(hasty()),
  look,
  steps,
  crowd,
  persist,
  fill,
  block,
  compact,
  snapshot,
  throw: throwMeanwhile,
  hold: () => hold({}),
  force: () => hold({ force: true }),
  known: () => hold({ known: { epoch: 1 } }),
  impatient: () => hold({ commitTimeoutMs: 300 }),
  "fail-sync": () => fail("sync", stopAtOnce),
  "fail-sync, plain exit": () => fail("sync", () => process.exit(75)),
  "fail-pages": () => fail("pages", stopAtOnce),
  "fail-meta": () => fail("meta", stopAtOnce),
};

const run = scenarios[scenario];
if (!run) throw new Error(`No scenario "${scenario}".`);
await run();
