// Wait for
// What ends a wait, what it is told then, and that nothing of it is left.

import { describe, expect, it } from "vitest";
import { ManualClock } from "../support/engine/manual-clock.ts";
import { anyNews, settling, type Source, waitFor } from "../../runtime/wait-for.ts";

const isMet = (news: string): boolean => news === "met";

function rig() {
  const [clock, gone, listeners] = [
    new ManualClock(),
    new AbortController(),
    new Set<(news: string) => void>(),
  ];
  const source: Source<string> = (hear) => (listeners.add(hear), () => listeners.delete(hear));
  let timers = 0;
  const counting = {
    after(ms: number, callback: () => void) {
      timers += 1;
      const cancel = clock.after(ms, callback);
      return () => {
        timers -= 1;
        cancel();
      };
    },
  };
  return {
    clock,
    gone,
    source,
    within: { clock: counting, ms: 100 },
    tell: (news: string): void => [...listeners].forEach((hear) => hear(news)),
    left: () => [listeners.size, timers],
  };
}

describe("WAIT-FOR-1: a wait", () => {
  it.each([
    ["met", ({ tell }: ReturnType<typeof rig>): void => tell("met")],
    ["late", ({ clock }: ReturnType<typeof rig>): void => clock.advance(100)],
    ["gone", ({ gone }: ReturnType<typeof rig>): void => gone.abort()],
  ])("WAIT-FOR-1: is ended once, as %s, and leaves nothing", async (how, happens) => {
    const all = rig();
    const ended = waitFor(all.source, isMet, all.within, all.gone.signal);
    expect(all.left()).toEqual([1, 1]);
    all.tell("other");
    happens(all);
    all.tell("met");
    expect(await ended).toBe(how);
    expect(all.left()).toEqual([0, 0]);
  });

  it("WAIT-FOR-1: goes on with other news and before its time; with none given it has no end by time", async () => {
    const all = rig();
    let ended = "not";
    void waitFor(all.source, isMet, undefined).then((how) => (ended = how));
    all.tell("other");
    all.clock.advance(1_000_000);
    await Promise.resolve();
    expect(ended).toBe("not");
    all.tell("met");
    await Promise.resolve();
    expect(ended).toBe("met");
  });

  it("WAIT-FOR-1: of one who has left already does not begin", async () => {
    const all = rig();
    all.gone.abort();
    expect(await waitFor(all.source, isMet, all.within, all.gone.signal)).toBe("gone");
    expect(all.left()).toEqual([0, 0]);
  });

  it("WAIT-FOR-1: for work ends with it, whether it was done or failed", async () => {
    const { within } = rig();
    expect(await waitFor(settling(Promise.resolve()), anyNews, within)).toBe("met");
    expect(await waitFor(settling(Promise.reject(new Error("no"))), anyNews, within)).toBe("met");
  });

  it("WAIT-FOR-2: whose test throws has the error, and others hear the same news", async () => {
    const all = rig();
    const bad = waitFor(all.source, () => JSON.parse("{") as boolean, all.within);
    const good = waitFor(all.source, isMet, all.within);
    all.tell("met");
    await expect(bad).rejects.toThrow(SyntaxError);
    expect(await good).toBe("met");
    expect(all.left()).toEqual([0, 0]);
  });
});
