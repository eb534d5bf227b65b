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
      const used = [commands.named, commands.closed, commands.wraps?.replace("*", "")].flatMap(split);
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

/** Every spelling of a long option that some program takes for the same option. */
const spelledOf = (option: string): readonly string[] => {
  const plain = option.replace(/^--?/, "");
  const kebab = plain.replace(/[a-z](?=[A-Z])/g, "$&-").toLowerCase();
  const camel = plain.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const names = [plain, plain.toUpperCase(), plain.toLowerCase(), kebab, camel, kebab.replaceAll("-", "_")];
  const dotted = [...names, `${plain}.x`, `pool.forks.${camel}`, `test.${kebab}.x`];
  return dotted.flatMap((name) => [`-${name}`, `--${name}`, `--${name}=x`, `--${name}:x`]);
};

test("PROGRAM-ROW-2: each long option of the table is known in each spelling that a program accepts", () => {
  const rows = ROWS.flatMap(({ reaches, starts }) => [split(reaches), split(starts)]);
  const tried = rows.flatMap((options) =>
    options.filter((option) => /^--?\w[\w.-]+$/.test(option)).map((option) => ({ option, options })),
  );
  expect(tried.length).toBeGreaterThan(500);
  for (const { option, options } of tried) {
    const among = new Set(options);
    expect([option, spelledOf(option).filter((word) => optionIn(word, among) === undefined)]).toEqual([
      option,
      [],
    ]);
  }
});

test("PROGRAM-ROW-2: a letter with two dashes is known, and what only begins like an option of one dash is another", () => {
  const among = new Set(["-w", "-json-into", "--coverage.provider"]);
  expect(["--w", "--w=x", "-w", "-aw"].map((word) => optionIn(word, among))).toEqual(Array(4).fill("-w"));
  expect(["--json", "-W", "--W.x", "--coverage.enabled"].map((word) => optionIn(word, among) ?? "")).toEqual(
    Array(4).fill(""),
  );
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
    ["npm audit", ""],
    ["npm audit fix", "fix"],
    ["npm dedupe", "dedupe"],
    ["npm run build --silent -- x", ""],
    ["npm test -- --silent", "--silent"],
    ["yarn build --require /x", "build! --require"],
    ["yarn list", ""],
    ["bun run build --watch", "run! build! --watch"],
    ["yarn run test --watch", "run! test! --watch"],
    ["pnpm run build", ""],
    ["pnpm test a", ""],
    ["tsc --outdir=x", "--outdir=x"],
    ["tsc -P x", "-P"],
    ["gofmt --w a.go", "--w"],
    ["terraform plan --out=x", "plan --out=x"],
    ["terraform validate --json", ""],
    [
      "vitest run --exec-argv=x --poolOptions.forks.execArgv=x",
      "--exec-argv=x --poolOptions.forks.execArgv=x",
    ],
    ["vitest run --project unit", ""],
    ["vitest run --diff=data:x", "--diff=data:x"],
    ["mocha --file=/tmp/x.js --spec=a,../x.js a.js", "--file=/tmp/x.js --spec=a,../x.js"],
    ["jest --projects=x --roots=..", "--projects=x --roots=.."],
    ["pytest --tx=popen//python=x", "--tx=popen//python=x"],
    ["git read-tree --index-output=x HEAD", "--index-output=x"],
    ["pandoc -f markdown -t x.lua a.md", "-f -t"],
    ["pandoc --toc a.md", ""],
    ["pandoc lua x.lua", "lua"],
    ["just /x/build", "/x/build"],
    ["just -f x", "-f"],
    ["just --list", ""],
    ["task --list", ""],
    ["rake -R x", "-R"],
    ["dotnet /x/evil.dll", "/x/evil.dll"],
    ["dotnet x.dll", "x.dll"],
    ["dotnet test ../x.dll", "../x.dll"],
    ["dotnet build --property:X=y", "build --property:X=y"],
    ["swift x.swift", "x.swift"],
    ["dart x.dart", "x.dart"],
    ["stack x.hs", "x.hs"],
    ["hg log -v", ""],
    ["hg bis -c x", "bis"],
    ["hg merge -t x", "-t"],
    ["jj log", ""],
    ["jj my-alias", "my-alias"],
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
    ["pnpm bash x.sh", "bash! x.sh!"],
    ["pnpm -r vitest run --execArgv x", "vitest! --execArgv"],
    ["yarn run tsx x.ts", "run! tsx! x.ts!"],
    ["bun x.ts", "x.ts!"],
    ["hg bisect -c x", "bisect! -c! x!"],
    ["jj util exec sh x", "util! exec! sh! x!"],
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
