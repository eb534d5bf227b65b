// Title line
// A title has no line breaks; nothing else of it is changed.

import { expect, it } from "vitest";
import { nameOfSession } from "../../../adapters/cli/wording.ts";
import { titleLine } from "../../../runtime/text/title-line.ts";

it("TITLE-LINE-1: a run of line breaks with the blanks around it is one space, and nothing else is changed", () => {
  expect(titleLine("Fix the cart.\n\n  Then run it.\r\n\r\nDone.\n")).toBe(
    "Fix the cart. Then run it. Done.",
  );
  expect(titleLine("\n\nFirst line")).toBe("First line");
  expect(titleLine("two  blanks\tand a tab")).toBe("two  blanks\tand a tab");
  expect(titleLine("a \u2028 sign that hides nothing")).toBe("a \u2028 sign that hides nothing");
});

it("TITLE-LINE-1: a terminal names a session by its prompt, without the breaks", () => {
  const session = { id: "s1", title: "Fix it.\n\nThen \u001b[2J test." };
  expect(nameOfSession(session)).toBe("Fix it. Then ␛[2J test.");
});
