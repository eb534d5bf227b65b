// Visible
// No foreign text steers a terminal.

import { fc, test } from "@fast-check/vitest";
import { describe, expect, it } from "vitest";
import { table } from "../../../adapters/cli/output/table.ts";
import { oneLine, safeJson, visible } from "../../../runtime/text/visible.ts";

/** Text in which dangerous characters are as likely as harmless ones. */
const nasty = fc.string({
  unit: fc.oneof(
    fc.integer({ min: 0, max: 0xff }).map((code) => String.fromCharCode(code)),
    fc.integer({ min: 0x200b, max: 0x206f }).map((code) => String.fromCharCode(code)),
    fc.integer({ min: 0xd800, max: 0xdfff }).map((code) => String.fromCharCode(code)),
    fc.constantFrom(
      "\u061c",
      "\ufeff",
      "\u3164",
      "\u{e0041}",
      "\u{1f469}\u200d\u{1f4bb}",
      "\u001b[2J",
      "\u009b2J",
    ),
    fc.string({ unit: "binary" }),
  ),
});

/** Independent of the code under test: the ranges from UAX #9, ISO 6429 and the Unicode tables. */
function dangerous(text: string, newlineAllowed: boolean): readonly string[] {
  return Array.from(text).filter((letter) => {
    const code = letter.codePointAt(0) ?? 0;
    if (code === 0x0a) return !newlineAllowed;
    const isControl = code < 0x20 || (code >= 0x7f && code <= 0x9f);
    const isBidi =
      [0x061c, 0x200e, 0x200f].includes(code) ||
      (code >= 0x202a && code <= 0x202e) ||
      (code >= 0x2066 && code <= 0x2069);
    const isInvisible =
      (code >= 0x200b && code <= 0x200d) ||
      [0x00ad, 0x2028, 0x2029, 0x2060, 0xfeff, 0x3164].includes(code) ||
      (code >= 0xe0000 && code <= 0xe007f);
    const isHalf = code >= 0xd800 && code <= 0xdfff;
    return isControl || isBidi || isInvisible || isHalf;
  });
}

describe("visible", () => {
  test.prop([nasty])(
    "VISIBLE-1, G48: no control but the newline, no bidi or invisible character comes out, whatever goes in",
    (text) => {
      expect(dangerous(visible(text), true)).toEqual([]);
      expect(dangerous(oneLine(text), false)).toEqual([]);
    },
  );

  test.prop([fc.string({ unit: fc.constantFrom("a", "é", "漢", "😀", " ", "\n", "~", "£") })])(
    "VISIBLE-1: text without such characters comes out unchanged",
    (text) => {
      expect(visible(text)).toBe(text);
    },
  );

  test.prop([fc.jsonValue(), nasty])(
    "VISIBLE-2: safe JSON is the same value, in one line of harmless characters",
    (value, text) => {
      const both = { value, text, [text]: text };
      expect(JSON.parse(safeJson(both))).toEqual(JSON.parse(JSON.stringify(both)));
      expect(dangerous(safeJson(both), false)).toEqual([]);
    },
  );

  it("VISIBLE-1: an escape sequence is shown, not sent", () => {
    expect(visible("rm -rf /\u001b[2K\recho ok\u202e")).toBe("rm -rf /␛[2K␍echo ok<U+202E>");
  });

  it("VISIBLE-1: a table's cells cannot break its lines", () => {
    expect(
      table(
        ["A", "B"],
        [
          ["x\ny", "\u001b[31mred"],
          ["1", "2"],
        ],
      ),
    ).toBe("A    B\nx␊y  ␛[31mred\n1    2");
  });
});
