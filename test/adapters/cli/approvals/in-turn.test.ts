// In turn
// One thing after the other, and none after a failure.

import { describe, expect, it } from "vitest";
import { InTurn } from "../../../../adapters/cli/waiting/in-turn.ts";

describe("turns", () => {
  it("IN-TURN-1: no two are at work at once, whoever asked for them, in the order they were asked for", async () => {
    const turns = new InTurn(new AbortController().signal);
    const seen: string[] = [];
    const turn = (name: string) => async (): Promise<void> => {
      seen.push(`${name} begins`);
      await Promise.resolve();
      seen.push(`${name} ends`);
    };
    turns.add(turn("a"));
    turns.add(turn("b"));
    await turns.take(turn("c"));
    expect(seen).toEqual(["a", "b", "c"].flatMap((name) => [`${name} begins`, `${name} ends`]));
  });

  it("IN-TURN-1: after one has failed none begins, whoever waits is told, and the signal ends what goes on", async () => {
    const turns = new InTurn(new AbortController().signal);
    let later = 0;
    turns.add(() => Promise.reject(new Error("no engine")));
    await expect(
      turns.take(() => {
        later += 1;
        return Promise.resolve();
      }),
    ).rejects.toThrow("no engine");
    expect(() => turns.check()).toThrow("no engine");
    expect([later, turns.signal.aborted]).toEqual([0, true]);
  });
});
