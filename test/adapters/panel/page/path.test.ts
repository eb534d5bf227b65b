// Panel: paths
// Which part of a line is the name of a file, so that the folders before it are cut first.

import fc from "fast-check";
import { expect, it } from "vitest";
import { partsOf } from "../../../../adapters/panel/page/parts/path.ts";
import { holds } from "../../../support/properties/property.ts";

it.each([
  ["/home/you/shop/src/cart/tax.ts", "/home/you/shop/src/cart", "/tax.ts"],
  ["C:\\shop\\src\\tax.ts", "C:\\shop\\src", "\\tax.ts"],
  ["src/tax.ts", "src", "/tax.ts"],
  ["~/.ssh/config", "~/.ssh", "/config"],
  ["https://example.org/guide/index.html", "https://example.org/guide", "/index.html"],
])("PARTS-PATH-1: of %s the folders may be cut, and the name stays", (text, folders, name) => {
  expect(partsOf(text)).toEqual([folders, name]);
});

it.each([
  "/tax.ts",
  "tax.ts",
  "cat /home/you/shop/tax.ts",
  "/home/you/shop/",
  "/home/you/a file.ts",
  "",
  "/",
])("PARTS-PATH-1: %j has no two parts, so it is cut at its end", (text) => {
  expect(partsOf(text)).toEqual(["", text]);
});

it.each([
  ["any characters", fc.string({ unit: "binary" })],
  ["the characters of paths", fc.string({ unit: fc.constantFrom("/", "\\", "a", ".", " ", "\n") })],
])("PARTS-PATH-1: both parts together are the text, of %s", (_, texts) => {
  holds("test/adapters/panel/page/path.test.ts", 200, texts, (text) => {
    expect(partsOf(text).join("")).toBe(text);
  });
});
