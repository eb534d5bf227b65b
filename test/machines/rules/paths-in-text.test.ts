// Paths in text
// Which paths are found in a text with variables.

import fc from "fast-check";
import { expect, test } from "vitest";
import { placesIn } from "../../../machines/rules/paths-in-text.ts";
import { holds } from "../../support/properties/property.ts";

const FILE = "test/machines/rules/paths-in-text.test.ts";

/** What a variable is, in one expression: the search itself does without it, because it takes quadratic time. */
const VARIABLE = /\$\{[^}]*\}|\$\([^)]*\)|\$[\w@*#?!-]+|`[^`]*`/g;

const BETWEEN = /[{}()` ]+/;

const text = fc
  .array(fc.constantFrom("$", "{", "}", "(", ")", "`", "/", "a", "..", " ", "$x", "${", "$("), {
    maxLength: 20,
  })
  .map((parts) => parts.join(""));

test("PATHS-IN-TEXT-2: wherever variables begin and end, or do not end, the paths around them are found", () => {
  holds(FILE, 3_000, text, (each) => {
    const found = new Set(placesIn([each]).map((place) => JSON.stringify(place)));
    const wanted = each
      .replace(VARIABLE, "*")
      .split(BETWEEN)
      .filter((word) => !word.includes("$"))
      .flatMap((word) => placesIn([word]));
    const lost = wanted.filter((place) => place.names.length > 0 && !found.has(JSON.stringify(place)));
    expect([each, lost]).toEqual([each, []]);
  });
});
