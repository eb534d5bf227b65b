// Awaited words
// How many calls may wait for their words.

import { expect, it } from "vitest";
import { AwaitedWords } from "../../../adapters/http/awaited-words.ts";

it("AWAITED-WORDS-2: the oldest of too many is one without words; it is told once, whatever comes later", () => {
  const words = new AwaitedWords();
  const told = Array.from({ length: 5_000 }, (_, n) => words.ended(`w/s/${n}`, {}, n)).flat();
  expect([told.length, words.size]).toEqual([904, 4_096]);
  expect(new Set(told.map(({ outcome }) => outcome))).toEqual(new Set(["none"]));
  const intent = { text: "To see.", source: "message", confidence: "certain" } as const;
  expect(words.amended("w/s/0", { intent }, 5_000)).toEqual([]);
  expect(words.amended("w/s/4999", { intent }, 5_020)).toEqual([{ outcome: "found", lateMs: 21 }]);
  expect(words.amended("w/s/4998", { intent: { ...intent, source: "prompt" } }, 5_020)).toEqual([]);
});
