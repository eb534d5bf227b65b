// Follow
// When the page reads anew what it shows, for answers that are older than its stream.

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ask } from "../../../../adapters/panel/page/engine/api.ts";
import { load, Wire } from "../../../support/panel/wire.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
/** What is tried of the page's follower. */
interface Follow {
  onResync(listener: () => void): void;
  open(): void;
}

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A stream that is open from the place `log-10` on, and how often it has had everything read anew. */
async function followed() {
  const wire = new Wire();
  const { Follow } = await load<{ readonly Follow: new () => Follow }>("engine/follow.ts");
  const follow = new Follow();
  const resyncs = vi.fn();
  follow.onResync(resyncs);
  follow.open();
  wire.say("ready", "log-10");
  const answerAt = async (place: string): Promise<void> => {
    const asked = ask("/v1/stats");
    await (await wire.take("/v1/stats")).answer({}, place);
    await asked;
  };
  return { wire, follow, resyncs, answerAt, pass: () => vi.advanceTimersByTimeAsync(10_000) };
}

describe("an answer that is older than the stream", () => {
  test("ENGINE-FOLLOW-1: has everything read anew once, however many such answers come", async () => {
    const { wire, resyncs, pass } = await followed();
    const asked = Promise.all([1, 2, 3, 4, 5].map(() => ask("/v1/stats")));
    for (const each of wire.waiting.splice(0)) await each.answer({}, "log-7");
    await asked;
    await pass();
    expect(resyncs).toHaveBeenCalledOnce();
  });

  test("ENGINE-FOLLOW-1: is none once the stream has told of the new change log", async () => {
    const { wire, resyncs, answerAt, pass } = await followed();
    wire.say("resync", "other-5");
    for (let n = 0; n < 3; n += 1) await answerAt("other-5");
    await pass();
    expect(resyncs).toHaveBeenCalledOnce();
  });

  test("ENGINE-FOLLOW-1: causes nothing while no stream is open; the next stream has everything read anew", async () => {
    const { wire, resyncs, answerAt, pass } = await followed();
    wire.lose();
    for (let n = 0; n < 3; n += 1) await answerAt("other-5");
    await pass();
    expect(resyncs).not.toHaveBeenCalled();
    wire.say("ready", "log-12");
    expect(resyncs).toHaveBeenCalledOnce();
    await answerAt("log-12");
    await pass();
    expect(resyncs).toHaveBeenCalledOnce();
  });

  test("ENGINE-FOLLOW-1: even if all answers are, they are asked for at most once a second", async () => {
    const { follow, wire, resyncs, answerAt, pass } = await followed();
    follow.onResync(() => void answerAt("other-5"));
    await answerAt("other-5");
    await pass();
    expect(resyncs.mock.calls.length).toBeGreaterThan(1);
    expect(resyncs.mock.calls.length).toBeLessThan(12);
    expect(wire.waiting.length).toBeLessThan(2);
  });
});
