// Guarded
// What no rule allows: calls that reach the engine, however they spell it, against what bash makes of the words.

import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Guarded, NOTHING_GUARDED, type RuleTerms, rulingOf } from "../../../machines/index.ts";
import { isGuarded } from "../../../machines/rules/guarded.ts";
import { samples } from "../../support/properties/property.ts";
import { asked } from "../../support/rules/terms.ts";

const GUARDED: Guarded = {
  folders: ["/home/ann/.local/state/desk"],
  ports: [22001],
  names: ["box.example.com"],
};
const OPTIONS = { cwd: "/home/ann/shop" };

const reaches = (
  tool: string,
  input: unknown,
  guarded = GUARDED,
  cwd: string | undefined = OPTIONS.cwd,
): boolean => isGuarded({ tool, input, cwd }, guarded);
const run = (command: string, guarded = GUARDED, cwd?: string): boolean =>
  reaches("Bash", { command }, guarded, cwd);

let room = "";
beforeAll(() => {
  room = mkdtempSync(join(tmpdir(), "desk-"));
  mkdirSync(join(room, "home/state/Desk/deep"), { recursive: true });
  mkdirSync(join(room, "home/shop/src"), { recursive: true });
  for (const file of ["token", "line-key", "deep/x"]) writeFileSync(join(room, "home/state/Desk", file), "");
  for (const file of ["a.ts", "src/b.ts"]) writeFileSync(join(room, "home/shop", file), "");
});
afterAll(() => {
  rmSync(room, { recursive: true });
});

/** Where the words of each command lead by bash's own reading, from the shop's folder. */
function placesOf(commands: readonly string[]): readonly (readonly string[])[] {
  const home = join(room, "home");
  const script = commands.map((words) => `printf '%s\\n' ${words}\nprintf '\\035'`).join("\n");
  const { stdout } = spawnSync("/bin/bash", ["--norc", "-s"], {
    // An argument would be too long for many samples.
    input: script,
    cwd: join(home, "shop"),
    env: { PATH: "/nonexistent", HOME: home, STATE: join(home, "state") },
    encoding: "utf8",
  });
  const records = stdout.split("\x1d").slice(0, -1);
  return records.map((record) =>
    record
      .split("\n")
      .slice(0, -1)
      .map((word) => resolve(home, "shop", word)),
  );
}

const spelled = (path: string): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom<(text: string) => string>(
        (text) => text,
        (text) => text.replaceAll("/", "//"),
        (text) => text.replaceAll("/", "/./"),
        (text) => text.replace(/\/(?=[^/]*$)/, "/deep/../"),
        (text) => `'${text}'`,
        (text) => `"${text}"`,
        (text) => text.replace(/[a-z](?=[a-z])/gi, "\\$&"),
        (text) => text.replace(/[a-z](?=[^/]*$)/i, "''$&\"\""),
        (text) => text.replace(/[a-z](?=[^/]*$)/i, "?"),
        (text) => text.replace(/[a-z](?=[^/]*$)/i, "[$&]"),
        (text) => text.replace(/(?<=\/.)[^/]*(?=[^/]*$)/, "*"),
        (text) => text.replace(/Desk/, "D{esk,x}"),
      ),
      fc.constantFrom("", "x=1 ", "-o "),
    )
    .map(([spell, before]) => before + spell(path));

const words = fc.oneof(
  ...["token", "line-key", "deep/x", "", "."].flatMap((file) =>
    [
      "~/state/Desk/",
      "$HOME/state/Desk/",
      "../state/Desk/",
      "${STATE}/Desk/",
      "src/../../state/Desk/",
      "../shop/../state/Desk/",
    ].map((before) => spelled(before + file)),
  ),
  spelled("a.ts"),
  spelled("src/b.ts"),
);

describe("a call that reaches the engine's folder", () => {
  test("GUARDED-1, PATHS-IN-TEXT-1, PATHS-IN-TEXT-2: is found wherever bash would open a file in it", () => {
    const folder = join(room, "home/state/Desk");
    const guarded = { ...NOTHING_GUARDED, folders: [folder] };
    const all = samples(400, words);
    const places = placesOf(all);
    const tried = all.map((each, n) => ({
      each,
      into: places[n]?.some((place) => `${place}/`.startsWith(`${folder}/`)),
    }));
    const reaching = tried.filter(({ into }) => into);
    expect(reaching.length).toBeGreaterThan(100);
    const cwd = join(room, "home/shop");
    expect(reaching.filter(({ each }) => !run(`cat ${each}`, guarded, cwd)).map(({ each }) => each)).toEqual(
      [],
    );
    const others = tried.filter(({ each }) => !/state|\*|\?/i.test(each.replaceAll("\\", "")));
    expect(others.length).toBeGreaterThan(5);
    expect(others.filter(({ each }) => run(`cat ${each}`, guarded, cwd)).map(({ each }) => each)).toEqual([]);
  });

  test.each([
    ["Read", { file_path: "/home/ann/.local/state/desk/token" }],
    ["Write", { file_path: "/HOME/ann/.local//state/./DESK/line-key", content: "" }],
    ["Edit", { file_path: "../.local/state/desk/address", old_string: "a", new_string: "b" }],
    ["Grep", { pattern: "x", path: "/home/ann/.local/state" }],
    ["Glob", { pattern: "/home/**/token", path: "/" }],
    ["Monitor", { command: "tail -f ~/.local/state/desk/log" }],
    ["REPL", { code: 'readFileSync("/home/ann/.local/state/desk/token")' }],
    ["mcp__fs__read", { uri: "file:///home/ann/.local/state/%64esk/token" }],
    ["mcp__x__y", { deep: [{ text: "see /home/ann/.local/state/desk/token" }] }],
  ])("GUARDED-1: is found in what %s is given: %j", (tool, input) => {
    expect(reaches(tool, input)).toBe(true);
  });

  test.each([
    "rm -r ~",
    "tar c /home/ann/.local",
    "grep -r x ~/.local/state",
    "cp -r ../.local x",
    "ls ../..",
    "cd .. && find .",
  ])("GUARDED-1: so is a folder above it: %s", (command) => {
    expect(run(command, GUARDED, OPTIONS.cwd)).toBe(true);
  });

  test("GUARDED-1: so is all that is done in it, and a search from above it", () => {
    expect(run("ls", GUARDED, "/home/ann/.local/state/desk/journal")).toBe(true);
    expect(run("cat x", GUARDED, "/home/ann")).toBe(false);
    expect(run("find . -name x", GUARDED, "/home/ann")).toBe(true);
    expect(reaches("Grep", { pattern: "x" }, GUARDED, "/home/ann")).toBe(true);
    expect(reaches("Grep", { pattern: "x" })).toBe(false);
  });
});

describe("a call that reaches the engine otherwise", () => {
  test.each([
    ["curl http://127.0.0.1:22001/v1/approvals", true],
    ["curl http://127.1:022001/", true],
    ["nc 127.0.0.1 22001", true],
    ["curl http://127.0.0.1:4280/", true],
    ["curl https://BOX.example.com/v1", true],
    ["curl https://xbox.example.com/v1", false],
    ["echo 122001 220010", false],
    ["cat a.ts", false],
  ])("GUARDED-2: %s: %s", (command, is) => {
    expect(run(command, GUARDED, OPTIONS.cwd)).toBe(is);
  });

  test.each([
    ["npx signalbox approve a_1", true],
    ["npx 'signal''box' x", true],
    ["npx s\\ignalbox x", true],
    ["cat .claude/settings.json", true],
    ["cat .cl''aude/x", true],
    ["curl --unix-socket x http://localhost", true],
    ["cat /proc/12/fd/3", true],
    ["ls .claude-x", false],
  ])("GUARDED-3: %s: %s", (command, is) => {
    expect(run(command, NOTHING_GUARDED, OPTIONS.cwd)).toBe(is);
  });

  const ENTRIES = ["fd/23", "root/x", "cwd/token", "map_files/7f0-7f1", "mem", "environ", "task/7/fd/3"];

  test.each(ENTRIES)("GUARDED-4: /proc/4242/%s is found in every spelling", (entry) => {
    const path = `/proc/4242/${entry}`;
    const spelledPaths = [
      ...[path, path.replaceAll("/", "//"), path.replaceAll("/", "/./"), `/proc/x/..${path.slice(5)}`],
      ...[`/home/..${path}`, `/proc/self/../4242/${entry}`, `/dev/fd/../../4242/${entry}`],
      ...[`/proc/net/../../4242/${entry}`, `../../..${path}`, path.replaceAll("4", "%34")],
    ];
    for (const each of spelledPaths) {
      expect([each, run(`cat ${each}`, NOTHING_GUARDED, OPTIONS.cwd)]).toEqual([each, true]);
      expect([each, reaches("Read", { file_path: each }, NOTHING_GUARDED)]).toEqual([each, true]);
      expect([each, reaches("mcp__x__y", { from: [each] }, NOTHING_GUARDED)]).toEqual([each, true]);
    }
    expect(run(`cat ${entry}`, NOTHING_GUARDED, "/proc/4242")).toBe(true);
    expect(run(`cat fd/../../4242/${entry}`, NOTHING_GUARDED, "/dev")).toBe(true);
  });

  test.each([
    ["grep -r x /proc/4242", true],
    ["grep -r x ../../../proc//self", true],
    ["tar c /proc", true],
    ["cat /proc/cpuinfo", false],
    ["cat proc/a.ts ../proc/b.ts task/mem", false],
    ["ls proc", false],
    ["cat /home/ann/dev/fd/../x", false],
  ])("GUARDED-4: %s: %s", (command, is) => {
    expect(run(command, NOTHING_GUARDED, OPTIONS.cwd)).toBe(is);
  });

  test("GUARDED-1, RULING-5: a path that is too long to be searched is guarded, and a long body is not", () => {
    const path = `/home/${"x/../".repeat(4_000)}ann/.local/state/desk/token`;
    const long = "a/b ".repeat(5_000);
    for (const [tool, input] of [
      ["Read", { file_path: path }],
      ["mcp__fs__read", { path }],
      ["mcp__fs__read", { uri: `file://${path}` }],
      ["mcp__fs__read", { from: path }],
    ] as const) {
      expect([tool, reaches(tool, input)]).toEqual([tool, true]);
      expect(rulingOf([{ effect: "allow", tool }], asked(tool, input, OPTIONS), GUARDED)).toBeUndefined();
    }
    const cat: RuleTerms = { effect: "allow", tool: "Bash", match: { kind: "prefix", text: "cat" } };
    const command = { command: `cat ${path}` };
    expect(rulingOf([cat], asked("Bash", command, OPTIONS), GUARDED)).toBeUndefined();
    expect(reaches("Write", { file_path: "/home/ann/shop/a.ts", content: long })).toBe(false);
    expect(reaches("mcp__fs__write", { path: "/home/ann/shop/a.ts", body: long })).toBe(false);
  });

  test("RULING-5: no rule allows it, one for the very input neither; a rule to deny it counts", () => {
    const question = asked("Bash", { command: "cat /home/ann/.local/state/desk/token" }, OPTIONS);
    const inputHash = question.input?.hash ?? expect.fail();
    const rules: readonly RuleTerms[] = [
      { effect: "allow", tool: "Bash", match: { kind: "exact", inputHash } },
      { effect: "allow", tool: "Bash", match: { kind: "prefix", text: "cat" } },
    ];
    expect(rulingOf(rules, question, GUARDED)).toBeUndefined();
    expect(rulingOf(rules, question, NOTHING_GUARDED)?.effect).toBe("allow");
    const deny: RuleTerms = { effect: "deny", tool: "Bash", match: { kind: "prefix", text: "cat" } };
    expect(rulingOf([...rules, deny], question, GUARDED)?.effect).toBe("deny");
  });

  test("GUARDED-2: what a file is given is not looked at", () => {
    expect(reaches("Write", { file_path: "/home/ann/shop/a.ts", content: "signalbox 22001" })).toBe(false);
    expect(reaches("Edit", { file_path: "/home/ann/shop/a.ts", old_string: "4280", new_string: "" })).toBe(
      false,
    );
  });
});
