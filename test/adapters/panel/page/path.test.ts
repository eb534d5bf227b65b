// Panel: paths
// Which part of a line is the name of a file, so that the folders before it are cut first.

import fc from "fast-check";
import { expect, it } from "vitest";
import { partsOf } from "../../../../adapters/panel/page/parts/path.ts";

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
])("PARTS-PATH-1: %j is cut at its end, as any text is", (text) => {
  expect(partsOf(text)).toEqual(["", text]);
});

it("PARTS-PATH-1: both parts together are the text, whatever it is", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => partsOf(text).join("") === text));
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("/", "\\", "a", ".", " ", "\n") }),
      (text) => partsOf(text).join("") === text,
    ),
  );
});
