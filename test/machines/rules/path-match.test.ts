// Path match
// Which paths a pattern is about, against a second matcher.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  allowsPath,
  concernsPath,
  pathGlob,
  pathPrefix,
  type PathPattern,
} from "../../../machines/rules/path-match.ts";
import { holds } from "../../support/properties/property.ts";
import { referenceAllowsPath } from "../../support/rules/reference.ts";
import { anyPath } from "../../support/rules/texts.ts";

const FILE = "test/machines/rules/path-match.test.ts";
const globOf = (text: string): PathPattern => pathGlob(text) ?? expect.fail(`${text} is no pattern`);
const prefixOf = (text: string): PathPattern => pathPrefix(text) ?? expect.fail(`${text} is no folder`);
const PATTERNS = [
  "/repo/**",
  "/repo/src/*",
  "/**/.env",
  "/repo/*/a.ts",
  "/**",
  "/repo",
  "/*",
  "/repo/**/*.ts",
  "/",
];

describe("a pattern of paths that allows", () => {
  test("PATH-MATCH-1: allows what a second matcher allows, and nothing else", () => {
    let allowed = 0;
    holds(FILE, 20_000, fc.tuple(fc.constantFrom(...PATTERNS), anyPath), ([pattern, path]) => {
      const is = allowsPath(globOf(pattern), path);
      if (is) allowed += 1;
      expect(is).toBe(referenceAllowsPath(pattern, path));
    });
    expect(allowed).toBeGreaterThan(500);
  });

  test("PATH-MATCH-1, PATH-MATCH-3, I-51: never allows what holds .., what is relative, or what is no plain text", () => {
    holds(FILE, 5_000, fc.tuple(fc.constantFrom(...PATTERNS), anyPath), ([pattern, path]) => {
      if (!allowsPath(globOf(pattern), path)) return;
      expect(path.split("/")).not.toContain("..");
      expect(path.startsWith("/")).toBe(true);
      expect(path).not.toMatch(/[\0\\]/);
    });
  });

  test("PATH-MATCH-1: a folder is itself and what lies in it", () => {
    const is = (path: string): boolean => allowsPath(prefixOf("/repo/src/"), path);
    const given = [
      "/repo/src",
      "/repo/src/a/b",
      "/repo//./src/a",
      "/repo/srcs",
      "/repo",
      "/repo/src/../x",
      "src/a",
    ];
    expect(given.map(is)).toEqual([true, true, true, false, false, false, false]);
    expect([
      pathPrefix("/a/*"),
      pathPrefix("a"),
      pathGlob("/a/../b"),
      pathGlob("a/*"),
      pathGlob("~/x"),
    ]).toEqual(Array(5).fill(undefined));
  });
});

describe("a pattern of paths that denies", () => {
  const fit = (pattern: string, path: string, cwd?: string) => concernsPath(globOf(pattern), path, cwd);

  test("PATH-MATCH-2: fires wherever the same pattern would allow", () => {
    holds(FILE, 5_000, fc.tuple(fc.constantFrom(...PATTERNS), anyPath), ([pattern, path]) => {
      if (allowsPath(globOf(pattern), path))
        expect(concernsPath(globOf(pattern), path, undefined)).toBe("yes");
    });
  });

  test.each([
    ["/etc/passwd", undefined],
    ["/ETC/Passwd", undefined],
    ["/repo/../etc/passwd", undefined],
    ["\\etc\\passwd", undefined],
    ["../etc/passwd", "/repo"],
    ["passwd", "/etc"],
  ])("PATH-MATCH-2: fires for %s, asked in %s", (path, cwd) => {
    expect(fit("/etc/**", path, cwd)).toBe("yes");
  });

  test("PATH-MATCH-3: is not sure of a place that it cannot know", () => {
    const given = ["/repo/../x", "~/x", "x", `/${"x".repeat(5_000)}`];
    expect(given.map((path) => fit("/etc/**", path))).toEqual(Array(4).fill("unsure"));
    expect(["/repo/x", "/etcetera"].map((path) => fit("/etc/**", path))).toEqual(["no", "no"]);
  });
});
