// System
// The machine's clock and ids, and the clock and ids that stand in for them.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CountedIds } from "../support/engine/counted-ids.ts";
import { ManualClock } from "../support/engine/manual-clock.ts";
import { isSame, listensOn, markOf, startedAt, systemClock, systemIds } from "../../adapters/system/index.ts";

const UUID_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe("Ids", () => {
  it.each([
    ["system", systemIds()],
    ["counted", new CountedIds()],
  ])("SYSTEM-IDS-1: %s ids are UUIDs of version 7, each one once, in ascending order", (_, ids) => {
    const made = Array.from({ length: 1000 }, () => ids.uuid());
    expect(made.filter((id) => !UUID_7.test(id))).toEqual([]);
    expect(made.toSorted()).toEqual(made);
    expect(new Set(made).size).toBe(1000);
  });
});

describe("processes", () => {
  it("CLIENT-WATCH-1: a process is the same until it ends, and its start is told; another one's mark is not its own", async () => {
    const child = spawn("sleep", ["600"]);
    const pid = child.pid ?? 0;
    const mark = markOf(pid) ?? "";
    expect([isSame(pid, mark), mark === markOf(process.pid)]).toEqual([true, false]);
    const own = startedAt(process.pid);
    if (own !== undefined) expect(Math.abs(Date.now() - process.uptime() * 1000 - own)).toBeLessThan(10_000);
    child.kill("SIGKILL");
    await once(child, "exit");
    expect([isSame(pid, mark), startedAt(pid)]).toEqual([false, undefined]);
  });
});

describe("ports", () => {
  it("SYSTEM-LISTENING-1: a process listens where a socket of its own does, and no longer; another process does not", async () => {
    const child = spawn("sleep", ["600"]);
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const there = process.platform === "linux" ? [true, false, false] : [undefined, undefined, undefined];
    expect([
      listensOn(process.pid, port),
      listensOn(child.pid ?? 0, port),
      listensOn(1_000_000_000, port),
    ]).toEqual(there);
    server.close();
    await once(server, "close");
    expect(listensOn(process.pid, port)).not.toBe(true);
    child.kill("SIGKILL");
  });
});

describe("system clock", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it("SYSTEM-CLOCK-1: a delay longer than one timer can take ends when it is over, not at once", () => {
    const fired = vi.fn();
    const longestMs = 2 ** 31 - 1;
    systemClock().after(2 * longestMs + 500, fired);
    vi.advanceTimersByTime(2 * longestMs + 499);
    expect(fired).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(fired).toHaveBeenCalledOnce();
  });

  it("SYSTEM-CLOCK-1: a cancelled delay never calls back, at any length", () => {
    const fired = vi.fn();
    const cancels = [10, 2 ** 32].map((delayMs) => systemClock().after(delayMs, fired));
    vi.advanceTimersByTime(5);
    cancels[0]?.();
    vi.advanceTimersByTime(2 ** 31);
    cancels[1]?.();
    vi.advanceTimersByTime(2 ** 33);
    expect(fired).not.toHaveBeenCalled();
  });

  it("SYSTEM-CLOCK-1: a delay in the past calls back, but not before the caller is done", () => {
    const fired = vi.fn();
    systemClock().after(-5, fired);
    expect(fired).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(fired).toHaveBeenCalledOnce();
  });
});

describe("manual clock", () => {
  it("SYSTEM-CLOCK-1: timers fire in the order they are due, each at its own time, those set on the way too", () => {
    const clock = new ManualClock(1000);
    const fired: [string, number][] = [];
    const note = (name: string) => () => void fired.push([name, clock.now()]);
    clock.after(30, note("late"));
    clock.after(10, () => {
      note("early")();
      clock.after(5, note("nested"));
    });
    clock.after(10, note("early too"));
    const cancel = clock.after(20, note("cancelled"));
    cancel();
    clock.after(31, note("not yet"));
    clock.advance(30);
    expect(fired).toEqual([
      ["early", 1010],
      ["early too", 1010],
      ["nested", 1015],
      ["late", 1030],
    ]);
    expect([clock.now(), clock.monotonic()]).toEqual([1030, 30]);
  });

  it("SYSTEM-CLOCK-1: setting the wall clock moves neither monotonic time nor timers", () => {
    const clock = new ManualClock(1000);
    const fired = vi.fn();
    clock.after(10, fired);
    clock.stepWall(-500);
    expect([clock.now(), clock.monotonic()]).toEqual([500, 0]);
    clock.stepWall(5000);
    expect(fired).not.toHaveBeenCalled();
    clock.advance(10);
    expect(fired).toHaveBeenCalledOnce();
  });
});
