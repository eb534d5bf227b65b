// Program table
// The rows of the table, and which words of a command they tell.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { optionIn } from "../../../machines/rules/programs/program-row.ts";
import { namesOf, programNamed, ROWS } from "../../../machines/rules/programs/program-table.ts";
import { type Reach, reachesOf } from "../../../machines/rules/reach.ts";
import { holds } from "../../support/properties/property.ts";

const FILE = "test/machines/rules/program-table.test.ts";
const split = (text = ""): readonly string[] => text.split(/\s+/).filter((word) => word !== "");

describe("the table of programs", () => {
  test("PROGRAM-TABLE-1: has each name in one row, and finds it under a path, in capitals, with version and ending", () => {
    const names = ROWS.flatMap(namesOf);
    expect(names.filter((name, n) => names.indexOf(name) !== n)).toEqual([]);
    const plain = ROWS.filter(({ isBuiltin }) => !isBuiltin).flatMap(namesOf);
    for (const name of plain) {
      const known = programNamed(name);
      for (const spelled of [`/usr/bin/${name}`, name.toUpperCase(), `./${name}`, `${name}.exe`])
        expect([spelled, programNamed(spelled) === known]).toEqual([spelled, true]);
    }
    const [python, sort, other] = ["python", "sort", "nothing-known"].map(programNamed);
    expect([programNamed("python3.12"), programNamed("gsort"), programNamed("other-x")]).toEqual([
      python,
      sort,
      other,
    ]);
    expect(programNamed("/x/eval")).toBe(other);
  });

  test("PROGRAM-TABLE-1: a command of a program has one meaning, and its other names lead to a known one", () => {
    for (const { names, commands } of ROWS) {
      if (!commands?.known) continue;
      const known = new Set(split(commands.known));
      const used = [commands.named, commands.closed, commands.wraps].flatMap(split);
      expect([names, used.filter((each) => !known.has(each))]).toEqual([names, []]);
      expect([names, Object.keys(commands.same ?? {}).filter((each) => !known.has(each))]).toEqual([
        names,
        [],
      ]);
    }
  });

  test("PROGRAM-ROW-1: an option is known with its value attached, cut short, and among other letters", () => {
    const options = ROWS.flatMap(({ reaches }) =>
      split(reaches).map((option) => ({ option, among: new Set(split(reaches)) })),
    );
    const long = options.filter(({ option }) => option.startsWith("--"));
    const short = options.filter(({ option }) => /^-[a-zA-Z]$/.test(option));
    const cut = fc.constantFrom(...long).chain(({ option, among }) =>
      fc
        .tuple(fc.integer({ min: 3, max: option.length }), fc.constantFrom("", "=x"))
        .map(([length, value]) => ({
          word: option.slice(0, length) + value,
          among,
        })),
    );
    const bundled = fc
      .tuple(
        fc.constantFrom(...short),
        fc.stringMatching(/^[a-z]{0,2}$/),
        fc.stringMatching(/^[a-z.=]{0,4}$/),
      )
      .map(([{ option, among }, before, value]) => ({ word: `-${before}${option.slice(1)}${value}`, among }));
    holds(FILE, 3_000, fc.oneof(cut, bundled), ({ word, among }) => {
      expect([word, optionIn(word, among) === undefined]).toEqual([word, false]);
    });
    const among = new Set(["--output", "-o", "of=", "="]);
    expect(
      ["--out", "-xo", "of=x", "a=b", "-", "--", "x"].map((word) => optionIn(word, among) ?? ""),
    ).toEqual([...["--output", "-o", "of=", "=", "", "", ""]]);
  });
});

/** The words that are told, `!` behind those that are run. */
const toldOf = (command: string): string => {
  const words = command.split(" ");
  const told = new Map<number, Reach>();
  for (const each of reachesOf(words)) if (!told.get(each.at)?.isRun) told.set(each.at, each);
  return [...told.values()]
    .sort((one, other) => one.at - other.at)
    .map(({ at, isRun }) => (words[at] ?? "") + (isRun ? "!" : ""))
    .join(" ");
};

describe("what reaches further than its program", () => {
  test.each([
    ["git log -p -n 3", ""],
    ["git log --outp=x", "--outp=x"],
    ["git -C x -c a=b log", "-C x -c a=b"],
    ["git --no-pager log", ""],
    ["git p", "p"],
    ["npm run build --prefix x", "--prefix"],
    ["npm run build -- --prefix x", "--prefix"],
    ["npm run build --silent -- x", ""],
    ["npm test -- --silent", "--silent"],
    ["yarn build --require /x", "--require"],
    ["yarn list", ""],
    ["bun run build --watch", "--watch"],
    ["pytest tests/a.py", ""],
    ["pytest /tmp/x.py", "/tmp/x.py"],
    ["mocha ../x.js", "../x.js"],
    ["jest --preset /x", "--preset /x"],
    ["ptx -G a b", "-G"],
    ["ss -lD x", "-lD"],
    ["cp -r payload .", "-r"],
    ["unzip a.zip", "a.zip!"],
    ["git checkout main", "checkout"],
    ["git mv a .husky/pre-commit", "mv .husky/pre-commit"],
    ["git restore a", "restore"],
    ["git apply p.patch", "apply"],
    ["sort -rno x a", "-rno"],
    ["uniq -f 1 a b", "b"],
    ["make CC=x all", "CC=x"],
    ["unheard-of --output=x --exec y z", "--output=x --exec"],
  ])("REACH-1: %s: %s", (command, told) => {
    expect(toldOf(command)).toBe(told);
  });

  test.each([
    ["sudo -u x git log", "-u! x! git!"],
    ["env A=1 sort -o x", "A=1! sort! -o"],
    ["timeout 5 git log", "5! git!"],
    ["timeout 5 git p", "5! git! p"],
    ["python x.py -c y", "x.py!"],
    ["python -c x", "-c! x!"],
    ["bash -c ls", "-c! ls!"],
    ["find . -exec id +", "-exec! id! +!"],
    ["git config alias.l log", "config! alias.l! log!"],
    ["xargs -n 1 id", "-n! 1! id!"],
    ["uv run pytest -p x", "run! pytest! -p"],
  ])("REACH-2: %s: %s", (command, told) => {
    expect(toldOf(command)).toBe(told);
  });

  test.each([
    ["cp a.ts b.ts", ""],
    ["cp a .git/hooks/pre-commit", ".git/hooks/pre-commit"],
    ["tee -a Makefile", "Makefile"],
    ["cat Makefile", ""],
    ["dd of=.husky/x", "of=.husky/x"],
  ])("REACH-3: %s: %s", (command, told) => {
    expect(toldOf(command)).toBe(told);
  });

  test("REACH-3: in a folder whose files run later, each file may be one", () => {
    const told = (command: string, cwd?: string) => reachesOf(command.split(" "), cwd).map(({ at }) => at);
    expect(told("tee pre-commit", "/repo/.git/hooks")).toEqual([1]);
    expect(told("cp /tmp/a pre-push", "/repo/.husky")).toEqual([2]);
    expect([told("tee a", "/repo"), told("cat a", "/repo/.git"), told("tee a")]).toEqual([[], [], []]);
  });
});
