// Around
// The lines around an edit: those of the file, directly beside the change, and never more than there is room for.

import { describe, expect, it, test } from "vitest";
import { fc } from "@fast-check/vitest";
import { type EditLines, linesAround, occurrencesOf } from "../../../../runtime/reading/around/around.ts";
import type { Edit } from "../../../../runtime/reading/around/edits.ts";

const edit = (before: string, isEverywhere = false): Edit => ({ before, after: "new", isEverywhere });
const numbered = (count: number): string =>
  Array.from({ length: count }, (_, n) => `line ${n + 1}\n`).join("");
const texts = (lines: EditLines["before"]): readonly string[] => lines.map(({ n, text }) => `${n} ${text}`);

const line = fc.constantFrom("", "a", "b", " a", "ab", "aab", "x".repeat(500), "\u{1f600}".repeat(250));
const file = fc.array(line, { minLength: 1, maxLength: 40 }).map((lines) => lines.join("\n"));
/** A file, and a part of it. */
const found = file.chain((text) =>
  fc
    .tuple(fc.nat(text.length), fc.nat(text.length))
    .map(([one, other]) => ({ text, part: text.slice(Math.min(one, other), Math.max(one, other)) })),
);

describe("the lines around an edit", () => {
  it("AROUND-1: every text is in its line of the file, and together with the change they follow one another without a gap", () => {
    fc.assert(
      fc.property(found, fc.boolean(), ({ text, part }, isEverywhere) => {
        const [lines] = linesAround(text, [edit(part, isEverywhere)]);
        if (!lines) return;
        const rows = text.split("\n");
        const { at, before, after } = lines;
        for (const { n, text: shown, isCut } of [...before, ...after]) {
          expect(rows[n - 1]).toContain(shown);
          if (isCut !== true) expect(rows[n - 1]).toBe(shown);
        }
        const first = text.indexOf(part);
        expect(at).toBe(text.slice(0, first).split("\n").length);
        const isInLine = first > 0 && text[first - 1] !== "\n";
        const last = isInLine ? at : at - 1;
        expect(before.map(({ n }) => n)).toEqual(before.map((_, n) => last - before.length + 1 + n));
        const end = text.slice(0, first + part.length);
        const isAtEnd = /(?:^|\n)$/.test(end) || /^\n|^$/.test(text.slice(end.length));
        const next = end.split("\n").length + (isAtEnd && !/(?:^|\n)$/.test(end) ? 1 : 0);
        expect(after.map(({ n }) => n)).toEqual(after.map((_, n) => next + n));
      }),
    );
  });

  it("AROUND-1: the first and the last line of a file, and a change within a line", () => {
    const text = numbered(20);
    const [first] = linesAround(text, [edit("line 1\n")]);
    expect(first).toMatchObject({ at: 1, before: [] });
    expect(texts(first?.after ?? [])).toEqual(["2 line 2", "3 line 3", "4 line 4", "5 line 5", "6 line 6"]);
    const [last] = linesAround(text, [edit("line 20\n")]);
    expect(last).toMatchObject({ at: 20, after: [] });
    expect(texts(last?.before ?? []).at(-1)).toBe("19 line 19");
    const [whole] = linesAround("only", [edit("only")]);
    expect(whole).toEqual({ index: 0, at: 1, places: 1, before: [], after: [] });
    const [within] = linesAround("a\nsay(one, two)\nb", [edit("one")]);
    expect(within).toEqual({
      ...{ index: 0, at: 2, places: 1 },
      before: [
        { n: 1, text: "a" },
        { n: 2, text: "say(", isCut: true },
      ],
      after: [
        { n: 2, text: ", two)", isCut: true },
        { n: 3, text: "b" },
      ],
    });
  });

  it("AROUND-2: no lines for a text that is not there, or more than once, or empty; of all places the first", () => {
    const text = "a\nb\na\n";
    expect(linesAround(text, [edit("c"), edit("a"), edit("")])).toEqual([]);
    expect(linesAround(text, [edit("c"), edit("a", true)])).toMatchObject([{ index: 1, at: 1, places: 2 }]);
  });

  it("AROUND-3: however much is asked for, an answer has 40 lines and 16,000 bytes at most", () => {
    const unlike = fc.integer({ min: 0, max: 400 }).map((n) => `line ${n}`);
    const rows = (wide: string): string =>
      Array.from({ length: 401 }, (_, n) => `line ${n}\n${wide}\n`).join("");
    const wide = fc.constantFrom("", "x".repeat(390), "\u0001".repeat(390), "\u{1f600}".repeat(190));
    fc.assert(
      fc.property(wide, fc.array(unlike, { minLength: 1, maxLength: 30 }), (filling, sought) => {
        const all = linesAround(
          rows(filling),
          sought.map((each) => edit(`${each}\n`)),
        ).flatMap(({ before, after }) => [...before, ...after]);
        expect(all.length).toBeLessThanOrEqual(40);
        expect(
          all.reduce((sum, { text }) => sum + Buffer.byteLength(JSON.stringify(text)), 0),
        ).toBeLessThanOrEqual(16_000);
      }),
    );
    const many = Array.from({ length: 21 }, (_, n) => edit(n === 20 ? "line 1\n" : "nowhere"));
    expect(linesAround(numbered(9), many)).toEqual([]);
  });

  it("AROUND-3: a line that is too long is cut where it is farthest from the change, and no character is halved", () => {
    const long = "\u{1f600}".repeat(2_000);
    const [lines] = linesAround(`${long}\nx${long}[here]x${long}\n${long}`, [edit("[here]")]);
    const all = [...(lines?.before ?? []), ...(lines?.after ?? [])];
    expect(all.map(({ isCut }) => isCut)).toEqual([true, true, true, true]);
    for (const { text } of all) {
      expect(text.length).toBeLessThanOrEqual(400);
      expect(text).not.toMatch(/\p{Cs}/u);
    }
    expect(all[2]?.text.startsWith("x")).toBe(true);
  });

  it("AROUND-4: Windows' line breaks in the file or in the edit change nothing", () => {
    const [text, windows] = ["a\nb\nc\nd\n", "a\r\nb\r\nc\r\nd\r\n"];
    const expected = linesAround(text, [edit("b\nc\n")]);
    expect(expected).toHaveLength(1);
    expect(linesAround(windows, [edit("b\nc\n")])).toEqual(expected);
    expect(linesAround(windows, [edit("b\r\nc\r\n")])).toEqual(expected);
    expect(linesAround(text, [edit("b\r\nc\r\n")])).toEqual(expected);
  });
});

describe("the places of a text", () => {
  const word = fc.stringMatching(/^[ab]{1,6}$/);
  test("AROUND-5: they are those that the built-in search finds", () => {
    fc.assert(
      fc.property(word, fc.stringMatching(/^[ab]{0,60}$/), (sought, text) => {
        const count = text.split(sought).length - 1;
        const expected = count === 0 ? undefined : { first: text.indexOf(sought), count };
        expect(occurrencesOf(sought, text)).toEqual(expected);
      }),
    );
  });

  test("AROUND-5: a text of equal letters, for which the built-in search takes minutes, is searched at once", () => {
    const text = "a".repeat(512 * 1024);
    expect(occurrencesOf(`b${"a".repeat(100_000)}`, text)).toBeUndefined();
    expect(occurrencesOf(`${"a".repeat(100_000)}b`, text)).toBeUndefined();
  });
});
