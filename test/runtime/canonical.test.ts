import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { canonicalText, MAX_DEPTH, toolInput } from "../../runtime/canonical.ts";
import { RefusedError } from "../../runtime/errors/errors.ts";

/** Undoes what JSON itself does not keep. */
const parsed = (text: string): unknown => JSON.parse(text);
const asJson = (value: unknown): unknown => parsed(JSON.stringify(value));

/** The same value with the keys of every object in another order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  const text = Object.entries(value)
    .reverse()
    .map(([key, item]) => `${JSON.stringify(key)}:${JSON.stringify(reversed(item))}`);
  return parsed(`{${text.join()}}`);
}

const nested = (levels: number): unknown => parsed("[".repeat(levels) + "]".repeat(levels));

describe("CANONICAL-1: one value has one text", () => {
  test.prop([fc.jsonValue()])("CANONICAL-1: the order of keys does not matter", (value) => {
    expect(canonicalText(reversed(asJson(value)))).toBe(canonicalText(asJson(value)));
  });

  test.prop([fc.jsonValue(), fc.jsonValue()])(
    "CANONICAL-1: different values have different texts",
    (left, right) => {
      const sameText = canonicalText(asJson(left)) === canonicalText(asJson(right));
      expect(sameText).toBe(isDeepStrictEqual(asJson(left), asJson(right)));
    },
  );

  test("CANONICAL-1: minus zero is zero", () => {
    expect(canonicalText(parsed("[-0, 0, -0.0]"))).toBe("[0,0,0]");
  });

  test("CANONICAL-1: the hash is the SHA-256 of the text in hex", () => {
    expect(toolInput({ b: "x", a: [1, 2] })).toEqual({
      text: `{"a":[1,2],"b":"x"}`,
      hash: "d0f56dda38d34376527524ddd98f7ec117d5cbfb240f86e11bfb9d2d01a717d9",
    });
  });

  test.prop([fc.string({ unit: "binary" })])(
    "CANONICAL-1: the hash of any text is that of its UTF-8 bytes",
    (text) => {
      const bytes = Buffer.from(JSON.stringify(text), "utf8");
      expect(toolInput(text).hash).toBe(createHash("sha256").update(bytes).digest("hex"));
    },
  );
});

describe("CANONICAL-2: the text parses back to the value", () => {
  test.prop([fc.jsonValue()])("CANONICAL-2: any value comes back", (value) => {
    expect(parsed(canonicalText(asJson(value)))).toEqual(asJson(value));
  });

  const hostile = [
    "__proto__",
    "constructor",
    "toJSON",
    "xstate$$type",
    "then",
    "hasOwnProperty",
    "",
    "\u2028",
    "\ud800",
    '"',
    "\0",
  ];
  test.prop([
    fc.dictionary(fc.constantFrom(...hostile), fc.constantFrom(1, "x", null), { noNullPrototype: false }),
  ])("CANONICAL-2: keys with a meaning in a language or a library are text", (fields) => {
    const json = `{${Object.entries(fields)
      .map(([key, item]) => `${JSON.stringify(key)}:${JSON.stringify(item)}`)
      .join()}}`;
    const back = parsed(canonicalText(parsed(json)));
    expect(Object.entries(back as object).sort()).toEqual(Object.entries(parsed(json) as object).sort());
  });

  test("CANONICAL-2: a __proto__ key is kept, and changes no prototype", () => {
    const text = canonicalText(parsed(`{"__proto__":{"admin":true},"xstate$$type":1}`));
    expect(text).toBe(`{"__proto__":{"admin":true},"xstate$$type":1}`);
    expect(({} as Record<string, unknown>)["admin"]).toBeUndefined();
  });

  test("CANONICAL-2: half a surrogate pair stays what it was, and two of them stay two", () => {
    expect(canonicalText("\ud800")).toBe(`"\\ud800"`);
    expect(toolInput("\ud800").hash).not.toBe(toolInput("\ud801").hash);
  });
});

describe("CANONICAL-3: what JSON cannot express is refused", () => {
  test("CANONICAL-3: 64 levels are kept; 65 are refused, and so are a hundred thousand", () => {
    expect(canonicalText(nested(MAX_DEPTH))).toBe("[".repeat(64) + "]".repeat(64));
    expect(() => canonicalText(nested(65))).toThrow(RefusedError);
    expect(() => canonicalText(nested(100_000))).toThrow(/deeper than 64/);
  });

  test.prop([fc.constantFrom(undefined, NaN, Infinity, 1n, Symbol("s"), () => 1)])(
    "CANONICAL-3: values of other kinds are refused, however deep",
    (value) => {
      expect(() => canonicalText({ a: [value] })).toThrow(RefusedError);
    },
  );

  test("CANONICAL-3: a number too large for a double is refused, not written as null", () => {
    expect(() => canonicalText(parsed(`{"n":1e400}`))).toThrow(/Infinity/);
  });
});
