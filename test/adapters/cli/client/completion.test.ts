// Completion
// What real shells offer once they have read the script.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { textAt } from "../../../support/engine/json.ts";
import { build, Desk, jsonLines } from "../../../support/processes/program.ts";

let desk: Desk;
const dir = mkdtempSync(join(tmpdir(), "signalbox-"));
const SHELLS = ["bash", "zsh", "fish"] as const;
type Shell = (typeof SHELLS)[number];

beforeAll(async () => {
  await build();
  desk = new Desk();
  for (const shell of SHELLS) writeFileSync(join(dir, shell), (await desk.run(["completion", shell])).out);
}, 180_000);
afterAll(async () => {
  await desk.clear();
  rmSync(dir, { recursive: true });
});

const has = (shell: Shell): boolean => spawnSync(shell, ["--version"]).status === 0;

/** @returns what the shell prints, a line each. */
function asked(shell: Shell, args: readonly string[]): readonly string[] {
  const { stdout, stderr } = spawnSync(shell, args, {
    encoding: "utf8",
    env: { HOME: dir, PATH: process.env["PATH"], TERM: "dumb" },
  });
  expect(stderr).toBe("");
  return stdout.split("\n").filter((line) => line !== "");
}

function inBash(line: string): readonly string[] {
  const words = line.split(" ");
  const ask = `source '${dir}/bash'; COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}; _signalbox; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return asked("bash", ["--norc", "-c", ask]);
}

const inFish = (line: string): readonly string[] =>
  asked("fish", ["--no-config", "-c", `source '${dir}/fish'; complete --do-complete '${line}'`]).map(
    (each) => each.split("\t")[0] ?? "",
  );

describe.each([
  ["bash", inBash],
  ["fish", inFish],
] as const)("completion in %s", (shell, offered) => {
  it.runIf(has(shell))("COMPLETION-1: it offers commands, actions, options and their values", () => {
    expect(offered("signalbox app")).toEqual(["approvals", "approve"]);
    expect(offered("signalbox rules en")).toEqual(["enforce"]);
    expect(offered("signalbox rules add --dr")).toEqual(["--dry"]);
    expect(offered("signalbox rules ls --dr")).toEqual([]);
    expect(offered("signalbox rules add --glob x al")).toEqual(["allow"]);
    expect(offered("signalbox doctor --js")).toEqual(["--json"]);
    expect(offered("signalbox install --agent c").toSorted()).toEqual(["claude-code", "codex", "copilot"]);
    expect(offered("signalbox up --child")).toEqual([]);
  });
});

describe("completion", () => {
  it.runIf(has("zsh"))("COMPLETION-1: zsh takes the script, and completes the program by it", () => {
    const ask = `source '${dir}/zsh'; print -r -- $_comps[signalbox]`;
    expect(asked("zsh", ["-f", "-c", ask]).join()).toContain("_bash_complete -o default -F _signalbox");
  });

  it("COMPLETION-1: its words are those of the program's help", async () => {
    const told = jsonLines((await desk.run(["completion", "bash", "--json"])).out);
    const { out } = await desk.run(["--help"]);
    const named = [...out.matchAll(/^ {2}([a-z]+)(?: [[<]| {2})/gm)].map(([, name = ""]) => name);
    const typed = told.map((each) => textAt(each, "name"));
    const names = typed.filter((name) => name?.includes(" ") === false);
    expect(typed).toContain("rules enforce");
    expect(names.length).toBeGreaterThan(25);
    expect(named.filter((name) => name !== "help").toSorted()).toEqual(names.toSorted());
  });
});
