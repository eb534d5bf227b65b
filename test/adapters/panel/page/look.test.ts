// Panel: look
// The page's styles use the tokens and nothing beside them, and docs/reference/panel-design.md has each token as it is.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..", "..", "..");
const PAGE = join(ROOT, "adapters", "panel", "page");
const read = (...path: readonly string[]): string => readFileSync(join(ROOT, ...path), "utf8");

const NAMES = readdirSync(PAGE, { recursive: true, encoding: "utf8" });
const TOKENS = "look/tokens.css";
const STYLES = NAMES.filter((name) => name.endsWith(".css") && name !== TOKENS);

interface Declared {
  readonly file: string;
  readonly name: string;
  readonly value: string;
}

/** The declarations of a style sheet, each on one line. */
const declarationsIn = (file: string): readonly Declared[] =>
  [
    ...readFileSync(join(PAGE, file), "utf8")
      .replace(/\/\*[^]*?\*\//g, "")
      .matchAll(/(?<=[{;]\s*)(--[\w-]+|[a-z-]+):\s*([^;{}]+);/g),
  ].map(([, name = "", value = ""]) => ({ file, name, value: value.replace(/\s+/g, " ").trim() }));

const tokens = declarationsIn(TOKENS).filter(({ name }) => name.startsWith("--"));
const declared = STYLES.flatMap(declarationsIn);
const shown = ({ file, name, value }: Declared): string => `${file}: ${name}: ${value}`;

/** A colour that is written out. */
const COLOUR =
  /#[0-9a-f]{3,8}\b|\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color|color-mix|light-dark)\(|\b(?:white|black|gr[ae]y|red|green|blue|yellow|orange|purple)\b/;

const IS_SPACE = /^(?:scroll-)?(?:padding|margin)(?:-[a-z-]+)?$|^(?:row-|column-)?gap$/;

/** A distance: tokens, sums of them, nothing, or what the screen's edge takes. */
const isOfTokens = (value: string): boolean =>
  value
    .replace(/!important|auto/g, "")
    .replace(/(?:var|env)\([a-z-]+(?:, 0)?\)/g, "0")
    .replace(/calc|[-+*()\s]/g, " ")
    .split(/\s+/)
    .every((part) => /^\d*$/.test(part));

/** Distances that are no step of the scale, each with its reason. */
const SPACES: Readonly<Record<string, string>> = {
  "answers/answers.css: gap: 1px": "a hair between the parts of one bar",
  "inbox/empty.css: margin: 12vh auto var(--gap-huge)": "a part of the window's height",
  "search/palette.css: margin-top: 10vh": "a part of the window's height",
};

/** The same by the property. */
const OTHERS: Readonly<Record<string, RegExp>> = {
  "font-size": /^(?:var\(--[a-z-]+\)|inherit|0)$/,
  font: /^(?:inherit|var\(--code\)|var\(--[a-z-]+\) \/ [\d.]+ var\(--(?:sans|mono)\))$/,
  "font-family": /^(?:inherit|var\(--(?:sans|mono)\))$/,
  "font-weight": /^(?:inherit|normal|var\(--strong\))$/,
  "border-radius": /^(?:(?:0|var\(--radius[a-z-]*\))(?: |$))+$/,
};

/** Declarations of those properties that use no token, each with its reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  "look/elements.css: border-radius: var(--radius-small) / 16px":
    "the outer edge of a chip whose colour ends 11 px within it",
};

describe("the panel: look", () => {
  it("Panel: docs/reference/panel-design.md has each token with its value, and no other", () => {
    const rows = read("docs", "reference", "panel-design.md")
      .split("\n")
      .filter((line) => line.startsWith("| `--"))
      // The last cell says what the token is for.
      .map((line) => line.split("|").slice(0, -2).join("|"))
      .map((line) => [...line.matchAll(/`([^`]+)`/g)].map(([, text = ""]) => text));
    const valuesOf = (value: string): readonly string[] => {
      const [, light, dark] = /^light-dark\((.+), (.+)\)$/.exec(value) ?? [];
      return light !== undefined && dark !== undefined ? [light, dark] : [value];
    };
    expect(tokens.length).toBeGreaterThan(30);
    expect(rows).toEqual(tokens.map(({ name, value }) => [name, ...valuesOf(value)]));
  });

  it("Panel: each token is used, and whatever is used is a token or set by the page", () => {
    const scripts = NAMES.filter((name) => name.endsWith(".tsx") || name.endsWith(".ts"))
      .map((name) => readFileSync(join(PAGE, name), "utf8"))
      .join("\n");
    const names = new Set(tokens.map(({ name }) => name));
    const used = [...tokens, ...declared].flatMap(({ value }) =>
      [...value.matchAll(/var\((--[\w-]+)/g)].map(([, name = ""]) => name),
    );
    expect([...names].filter((name) => !used.includes(name))).toEqual([]);
    const own = new Set(declared.map(({ name }) => name));
    const unknown = used.filter(
      (name) => !names.has(name) && !own.has(name) && !scripts.includes(`"${name}"`),
    );
    expect(unknown).toEqual([]);
    expect([...own].filter((name) => names.has(name))).toEqual([]);
  });

  it("Panel: no style of the page writes out a colour", () => {
    expect(declared.length).toBeGreaterThan(500);
    expect(declared.filter(({ value }) => COLOUR.test(value)).map(shown)).toEqual([]);
  });

  it("Panel: every distance in a style of the page is a token, but for the few that are named here", () => {
    const raw = declared.filter(({ name, value }) => IS_SPACE.test(name) && !isOfTokens(value)).map(shown);
    expect(raw.toSorted()).toEqual(Object.keys(SPACES).toSorted());
  });

  it("Panel: every size and weight of letters, typeface and corner is a token, but for those that are named here", () => {
    const raw = declared.filter(({ name, value }) => OTHERS[name]?.test(value) === false).map(shown);
    expect(raw.toSorted()).toEqual(Object.keys(EXCEPTIONS).toSorted());
  });

  it("Panel: whatever moves takes the token's time, but for an arrow's step in a statechart", () => {
    const timed = declared.filter(({ value }) => /\d(?:ms|s)\b/.test(value)).map(shown);
    expect(timed).toEqual(["machine/machine.css: animation: run 0.8s linear 3"]);
  });

  it("Panel: the sign-in page, which loads no style, has the tokens' values", () => {
    const page = read("adapters", "http", "access", "sign-in-page.ts");
    const values = [...page.matchAll(/(--[a-z-]+): (light-dark\([^)]+\))/g)];
    expect(values.length).toBeGreaterThan(5);
    for (const [, name, value] of values)
      expect([name, value]).toEqual([name, tokens.find((token) => token.name === name)?.value]);
  });

  it("Panel: a raw colour, distance or size planted in a style is found, so that finding nothing means something", () => {
    for (const value of ["#fff", "1px solid rgb(0 0 0 / 10%)", "light-dark(red, var(--line))"])
      expect(COLOUR.test(value)).toBe(true);
    for (const value of ["0.3rem", "0 2px", "calc(var(--gap) + 1em)", "var(--gap) 5%"])
      expect(isOfTokens(value)).toBe(false);
    for (const value of ["0", "var(--gap) auto", "calc(-1 * var(--gap-large))", "0 calc(2 * var(--gap))"])
      expect(isOfTokens(value)).toBe(true);
    expect(OTHERS["font-size"]?.test("13px")).toBe(false);
  });
});
