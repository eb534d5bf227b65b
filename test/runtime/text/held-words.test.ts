// Held for words
// How long a new question is held back, and what lets it go.

import { describe, expect, test } from "vitest";
import { ManualClock } from "../../support/engine/manual-clock.ts";
import { awaitsWords, HELD_MS, HeldForWords, type Worded } from "../../../runtime/text/held-words.ts";

const asked = (source?: string, channel = "gate"): Worded => ({
  approval: { channels: [channel] },
  ...(source !== undefined && { call: { intent: { source } } }),
});

function holding() {
  const clock = new ManualClock();
  const shown: [string, string | undefined][] = [];
  const after = (delayMs: number, callback: () => void) => clock.after(delayMs, callback);
  const held = new HeldForWords<Worded>(after, ({ call }, key) => shown.push([key, call?.intent?.source]));
  return { clock, shown, held };
}

describe("a question held for its words", () => {
  test("HELD-WORDS-1: it is shown once: as soon as its own message's words are there", () => {
    const { clock, shown, held } = holding();
    held.put("q", asked());
    held.put("q", asked("display"));
    clock.advance(HELD_MS - 1);
    expect(shown).toEqual([]);
    held.put("q", asked("message"));
    clock.advance(HELD_MS);
    expect(shown).toEqual([["q", "message"]]);
  });

  test("HELD-WORDS-1: without them it is shown after 300 ms, with the best that is known by then", () => {
    const { clock, shown, held } = holding();
    held.put("q", asked());
    clock.advance(HELD_MS - 1);
    held.put("q", asked("description"));
    clock.advance(1);
    expect([HELD_MS, shown]).toEqual([300, [["q", "description"]]]);
    expect(held.has("q")).toBe(false);
  });

  test("HELD-WORDS-1: what ends before is not shown, and others are", () => {
    const { clock, shown, held } = holding();
    held.put("q", asked());
    held.put("other", asked());
    expect([held.drop("q"), held.drop("q"), held.all.length]).toEqual([true, false, 1]);
    clock.advance(HELD_MS);
    expect(shown).toEqual([["other", undefined]]);
    held.put("late", asked());
    held.clear();
    clock.advance(HELD_MS);
    expect(shown).toHaveLength(1);
  });

  test("HELD-WORDS-2: only what a client with a transcript asks is held, whatever door it asks by", () => {
    const doors = ["hook", "gate", "gate-sdk", "gate-mcp", "gate-service", "gateway", "sample"];
    expect(doors.filter((door) => awaitsWords(asked(undefined, door)))).toEqual(doors.slice(0, 4));
    expect(doors.filter((door) => awaitsWords(asked("message", door)))).toEqual([]);
  });
});
