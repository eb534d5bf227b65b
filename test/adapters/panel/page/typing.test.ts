// Panel: typing, as functions
// What is typed on after its field went, or never came, is no key of the page.

import { describe, expect, it } from "vitest";
import { fc } from "@fast-check/vitest";
import { PAUSE_MS, typed, type Typing } from "../../../../adapters/panel/page/parts/typing.ts";

const letter = fc.constantFrom(..."aAdiejkcx 1".split(""));
const gap = fc.integer({ min: 0, max: PAUSE_MS - 1 });
const letters = fc.array(fc.record({ key: letter, gap }), { minLength: 1 });

/** The keys that the page hears of a text that is typed without a field. */
function heardOf(
  typing: Typing,
  from: number,
  text: readonly { readonly key: string; readonly gap: number }[],
) {
  let at = from;
  const heard: string[] = [];
  for (const { key, gap: after } of text) {
    at += after;
    const now = typed(typing, { at, key, isText: false });
    typing = now.typing;
    if (now.isKey) heard.push(key);
  }
  return { heard, typing, at };
}

describe("the panel: what is typed, and what is a key", () => {
  it("TYPING-1: whatever is typed on without a pause is no key; what comes after a pause is one", () => {
    fc.assert(
      fc.property(letters, letter, fc.nat(), (text, key, from) => {
        const field = typed(undefined, { at: from, key, isText: true });
        expect(field.isKey).toBe(false);
        const { heard, typing, at } = heardOf(field.typing, from, text);
        expect(heard).toEqual([]);
        expect(typed(typing, { at: at + PAUSE_MS, key, isText: false }).isKey).toBe(true);
      }),
    );
  });

  it("TYPING-1: where nobody typed, each key is one", () => {
    fc.assert(
      fc.property(letters, (text) => {
        expect(heardOf(undefined, 0, text).heard).toEqual(text.map(({ key }) => key));
      }),
    );
  });

  it.each(["Escape", "Enter", "Tab"])("TYPING-1: %s leaves a field, and ends a text without one", (key) => {
    const after = typed(5, { at: 6, key, isText: true });
    expect(after).toEqual({ typing: undefined, isKey: false });
    expect(typed(after.typing, { at: 7, key: "a", isText: false }).isKey).toBe(true);
    expect(typed(5, { at: 6, key, isText: false })).toEqual({ typing: undefined, isKey: true });
  });
});
