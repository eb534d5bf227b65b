import { expect, expectTypeOf, test } from "vitest";
import { defined } from "../../machines/defined.ts";

const missing = undefined as string | undefined;

test("DEFINED-1, DEFINED-2: what is undefined is left out, and the rest stays in its order", () => {
  const found = defined({ z: 1, a: missing, m: "m", b: undefined, c: 2 });
  expect(JSON.stringify(Object.entries(found))).toBe('[["z",1],["m","m"],["c",2]]');
});

test("DEFINED-1: what else counts as nothing stays", () => {
  const nothing = { no: false, none: null, zero: 0, empty: "", list: [] };
  expect(Object.entries(defined(nothing))).toEqual(Object.entries(nothing));
});

test("DEFINED-1: what it is given stays as it is", () => {
  const given = { a: 1, b: undefined };
  expect(defined(given)).not.toBe(given);
  expect(Object.keys(given)).toEqual(["a", "b"]);
});

test("DEFINED-1: the type lets a key be missing that may be undefined, and no other", () => {
  const found = defined({ a: 1, b: missing });
  expectTypeOf(found).branded.toEqualTypeOf<{ readonly a: 1; readonly b?: string }>();
});
