// Exact numbers
// Which numbers of a JSON text change when the text is parsed, against arithmetic on whole numbers.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkNumbers } from "../../../runtime/door/parse.ts";
import { inexactNumberIn } from "../../../runtime/text/exact-numbers.ts";
import { holds } from "../../support/properties/property.ts";

const inexactIn = (text: string): string | undefined => inexactNumberIn(Buffer.from(text));
const FILE = "test/runtime/text/exact-numbers.test.ts";
const whole = fc.oneof(
  fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
  fc.bigInt({ min: 2n ** 53n - 50n, max: 2n ** 53n + 50n }),
);

describe("EXACT-NUMBERS-1: a number", () => {
  test("EXACT-NUMBERS-1: changes exactly if it is printed as another whole number once it was parsed", () => {
    holds(FILE, 2_000, whole, (number) => {
      const isKept = BigInt(JSON.stringify(Number(number))) === number;
      expect(inexactIn(`{"a":[1,{"b":${number}}]}`)).toBe(isKept ? undefined : `${number}`);
    });
  });

  test("EXACT-NUMBERS-1: that a program printed of a double never changes", () => {
    holds(FILE, 2_000, fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
      for (const text of [JSON.stringify(number), number.toExponential(), `${number}`])
        expect(inexactIn(`[${text}]`)).toBeUndefined();
    });
  });

  test("EXACT-NUMBERS-1: in a text is a text", () => {
    holds(FILE, 500, fc.tuple(fc.string(), whole), ([text, number]) => {
      expect(inexactIn(JSON.stringify({ [text]: `${text}${number}` }))).toBeUndefined();
    });
    expect(() => checkNumbers(Buffer.from('{"id":"1234567890123456789"}'))).not.toThrow();
  });

  test.each([
    "1234567890123456789",
    "-1234567890123456789",
    "1234567890123456789.0",
    "12345678901234567.8e1",
  ])("EXACT-NUMBERS-1: %s changes, and the error says what to do", (number) => {
    expect(() => checkNumbers(Buffer.from(`{"a":${number}}`))).toThrow(
      expect.objectContaining({ code: "INEXACT_NUMBER", next: expect.stringMatching(/text/) as string }),
    );
  });
});
