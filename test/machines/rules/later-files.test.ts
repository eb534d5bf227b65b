// Later files
// Which paths are those of files that run later, and what a rule for a folder does about them.

import fc from "fast-check";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type RuleTerms, rulingOf, NOTHING_GUARDED } from "../../../machines/index.ts";
import { LATER, runsLater, tellingNames } from "../../../machines/rules/later-files.ts";
import { holds } from "../../support/properties/property.ts";
import { asked } from "../../support/rules/terms.ts";

const FILE = "test/machines/rules/later-files.test.ts";
const split = (text = ""): readonly string[] => text.split(/\s+/).filter((word) => word !== "");
const FILES = LATER.flatMap(({ files }) => split(files)).map((name) => name.replaceAll("*", "x"));
const FOLDERS = LATER.flatMap(({ folders }) => split(folders)).map((name) => name.replaceAll("*", "x"));

const folder = (tool: string, text: string, kind: "prefix" | "glob" = "prefix"): RuleTerms => ({
  effect: "allow",
  tool,
  match: { kind, text },
});
const write = (file_path: string) => asked("Write", { file_path, content: "x" });
const edit = (file_path: string) => asked("Edit", { file_path, old_string: "a", new_string: "b" });
const says = (rule: RuleTerms, question = write("/repo/a")) =>
  rulingOf([rule], question, NOTHING_GUARDED)?.effect;

describe("a file that runs later", () => {
  test.each([
    "README.md",
    "src/a.ts",
    "hooks/useState.ts",
    "git/x",
    "src/github/a.ts",
    "head.ts",
    "package.json.md",
    "a~1b",
  ])("LATER-FILES-1: is not %s", (path) => {
    expect([runsLater(path), tellingNames(`/repo/${path}`)]).toEqual([false, []]);
  });

  test("LATER-FILES-1: is known in other letters of case, with signs that do not show, and under a short name", () => {
    const disguise = fc
      .tuple(
        fc.constantFrom(...FILES, ...FOLDERS.map((name) => `${name}/x`)),
        fc.constantFrom<(text: string) => string>(
          (text) => text.toUpperCase(),
          (text) => text.replace(/.(?=.)/, "$&\u200b"),
          (text) => text.replace(/(?=\/|$)/, ". "),
          (text) => text.replace(/(?=\/|$)/, "::$DATA"),
          (text) => text.replace(/[a-z]/g, (letter) => String.fromCodePoint(letter.charCodeAt(0) + 0xfee0)),
          () => "GIT~1/config",
          () => "PACKAG~1.JSO",
        ),
      )
      .map(([name, spell]) => `/repo/${spell(name)}`);
    holds(FILE, 3_000, disguise, (path) => {
      expect([path, runsLater(path), tellingNames(path).length > 0]).toEqual([path, true, true]);
      expect([path, says(folder("Write", "/repo"), write(path))]).toEqual([path, undefined]);
    });
  });

  test("LATER-FILES-2: is each of the table, at any depth, with all that lies in its folders", () => {
    for (const name of FILES)
      expect([name, runsLater(`/a/b/${name}`), runsLater(name)]).toEqual([name, true, true]);
    for (const name of FOLDERS)
      expect([name, runsLater(`/a/${name}/b/c`), runsLater(`${name}/b`)]).toEqual([name, true, true]);
    expect([runsLater("/x/hooks/pre-push"), runsLater("/x/hooks/pre-push.md")]).toEqual([true, false]);
  });

  test.each([
    ...[".pylintrc", "pylintrc", "mypy.ini", ".mypy.ini", ".flake8", ".pdbrc"],
    ...[".rspec", ".simplecov", "phpunit.xml.dist", "phpstan.neon", ".user.ini", "php.ini", ".htaccess"],
    ...[".formatter.exs", ".iex.exs", ".credo.exs", ".ghci", ".jvmopts", ".sbtopts", "Earthfile", "Brewfile"],
    ...["Cakefile", "devbox.json", "tslint.json", "jest.config.json", "vitest.workspace.ts"],
    ...[".dependency-cruiser.cjs", ".storybook/main.ts", "etc/init.d/a"],
  ])(
    "LATER-FILES-2: %s runs later, because its tool reads it as a program, or takes programs from it",
    (path) => {
      expect([runsLater(`/repo/${path}`), tellingNames(`/repo/${path}`).length]).toEqual([true, 1]);
    },
  );

  test("Docs: the page on rules lists the groups of the table", () => {
    const page = readFileSync("docs/reference/rules.md", "utf8");
    expect(LATER.filter(({ what }) => !page.includes(`| ${what} `)).map(({ what }) => what)).toEqual([]);
  });
});

describe("a rule for files", () => {
  const LATERS = [
    "/repo/.git/hooks/pre-commit",
    "/repo/.github/workflows/ci.yml",
    "/repo/package.json",
    "/repo/Makefile",
  ];

  test.each(["Write", "Edit"])("RULING-7: %s in a folder does not reach what runs later", (tool) => {
    const question = tool === "Write" ? write : edit;
    const rules = [folder(tool, "/repo"), folder(tool, "/repo/**", "glob"), folder(tool, "/repo/*", "glob")];
    rules.push({ effect: "allow", tool });
    for (const path of LATERS)
      expect(rules.map((rule) => says(rule, question(path)))).toEqual(rules.map(() => undefined));
    expect(rules.map((rule) => says(rule, question("/repo/a.ts")))).toEqual(rules.map(() => "allow"));
  });

  test("RULING-7: reaches what it names, a system's files among them", () => {
    expect(says(folder("Write", "/repo/package.json"), write("/repo/package.json"))).toBe("allow");
    expect(says(folder("Write", "/repo/.github"), write("/repo/.github/workflows/ci.yml"))).toBe("allow");
    expect(says(folder("Write", "/repo/**/package.json", "glob"), write("/repo/a/package.json"))).toBe(
      "allow",
    );
    expect(says(folder("Write", "/repo/*.json", "glob"), write("/repo/package.json"))).toBeUndefined();
    expect(says(folder("Write", "/repo/.github"), write("/repo/.github/package.json"))).toBeUndefined();
    expect(says(folder("Write", "/**", "glob"), write("/etc/x.md"))).toBeUndefined();
    expect(says(folder("Write", "/etc"), write("/etc/x.md"))).toBe("allow");
    const question = write("/repo/.git/config");
    const inputHash = question.input?.hash ?? expect.fail();
    expect(says({ effect: "allow", tool: "Write", match: { kind: "exact", inputHash } }, question)).toBe(
      "allow",
    );
  });

  test("RULING-7: what is read may run later; what a tool that is not known writes may not", () => {
    expect(says(folder("Read", "/repo"), asked("Read", { file_path: "/repo/package.json" }))).toBe("allow");
    const other = (tool: string) =>
      says({ effect: "allow", tool }, asked(tool, { path: "/repo/package.json" }));
    expect([other("mcp__fs__write_file"), other("mcp__fs__read_file")]).toEqual([undefined, "allow"]);
    const words =
      "modify_file download applyDiff export_csv extract-archive browser_take_screenshot clone_repo";
    for (const word of words.split(" ")) expect([word, other(`mcp__x__${word}`)]).toEqual([word, undefined]);
    for (const word of ["list_files", "find_symbol"]) expect(other(`mcp__x__${word}`)).toBe("allow");
  });
});
