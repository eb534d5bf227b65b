// Panel: contrast
// Every colour of text stands out from each surface that it is on, in both themes, as WCAG counts contrast.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const PAGE = join(import.meta.dirname, "..", "..", "..", "..", "adapters", "panel", "page");
const TOKENS = readFileSync(join(PAGE, "look", "tokens.css"), "utf8");

/** Of level AAA. */
const LEAST = 7;
const SURFACES = ["ground", "sheet", "sunken"];
const SIGNALS = ["accent", "go", "wait", "stop"];
const GROUNDS = SIGNALS.map((signal) => `${signal}-ground`);

/** The token's colours in light and in dark. */
function coloursOf(name: string): readonly string[] {
  const [, light, dark] =
    new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`).exec(TOKENS) ?? [];
  if (light === undefined || dark === undefined) throw new Error(`The token --${name} has no two colours.`);
  return [light, dark];
}

/** Relative luminance, https://www.w3.org/TR/WCAG22/#dfn-relative-luminance. */
function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrastOf(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** Pairs of a text's token and a surface's whose contrast is too small, in either theme. */
const faintOf = (texts: readonly string[], surfaces: readonly string[]): readonly string[] =>
  texts.flatMap((text) =>
    surfaces.flatMap((surface) =>
      coloursOf(text).flatMap((colour, theme) => {
        const contrast = contrastOf(colour, coloursOf(surface)[theme] ?? "");
        return contrast >= LEAST ? [] : [`${text} on ${surface}: ${contrast.toFixed(2)}`];
      }),
    ),
  );

it("Panel: text and quiet text have a contrast of 7 to 1 on every surface, in both themes", () => {
  expect(faintOf(["text", "quiet"], [...SURFACES, ...GROUNDS])).toEqual([]);
});

it("Panel: the text of a signal has a contrast of 7 to 1 on every surface and on its own ground, in both themes", () => {
  expect(faintOf(SIGNALS, SURFACES)).toEqual([]);
  for (const signal of SIGNALS) expect(faintOf([signal], [`${signal}-ground`])).toEqual([]);
});

it("Panel: contrast is counted as WCAG counts it, so that finding nothing means something", () => {
  expect(contrastOf("#ffffff", "#000000")).toBe(21);
  // From the examples of https://webaim.org/resources/contrastchecker/.
  expect(contrastOf("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
  expect(faintOf(["line"], ["sheet"])).toHaveLength(2);
});
