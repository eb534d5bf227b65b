// Sight
// Whether a rule to deny sees its command behind options, asked of git itself.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commandRule, saidOf } from "../../support/rules/terms.ts";
import { samples } from "../../support/properties/property.ts";

const DENY = commandRule("deny", "git push");
const said = (command: string, text = "git push") => saidOf([commandRule("deny", text)], command);

let repo = "";
beforeAll(() => {
  repo = mkdtempSync(join(tmpdir(), "signalbox-git-"));
  spawnSync("git", ["init", "-q", "--template=", repo]);
});
afterAll(() => {
  rmSync(repo, { recursive: true });
});

/** @returns true if git says that it would run its own `push`, or what an alias stands for. */
function runsPush(args: readonly string[]): boolean {
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: "/nonexistent",
    GIT_TRACE: "1",
    GIT_CONFIG_NOSYSTEM: "1",
  };
  const { stderr } = spawnSync("git", args, { cwd: repo, env, encoding: "utf8", timeout: 10_000 });
  return /trace: (?:built-in: git (?:push|send-pack)\b|exec: git-(?:push|send-pack))/.test(stderr);
}

const OPTIONS = [
  ...[
    "-C .",
    "-c a.b=c",
    "--no-pager",
    "-P",
    "-p",
    "--paginate",
    "--git-dir=.git",
    "--git-dir .git",
    "--work-tree .",
  ],
  ...[
    "--namespace=x",
    "--namespace x",
    "--bare",
    "--no-optional-locks",
    "--literal-pathspecs",
    "--config-env=a.b=HOME",
  ],
  ...[
    "-c alias.p=push",
    "-c alias.up=push",
    "--no-replace-objects",
    "--exec-path=/x",
    "--icase-pathspecs",
    "-C /nothing/.. -C .",
  ],
  ...[
    "--super-prefix=x",
    "--attr-source=HEAD",
    "--no-advice",
    "--no-lazy-fetch",
    "--config-env a.b=HOME",
    "-c",
  ],
];
const behind = fc.constantFrom(
  "push",
  "push x",
  "push --force",
  "p",
  "up x",
  "send-pack x",
  "pus",
  "status push",
  "log",
  "-- push",
);
const commands = fc
  .tuple(fc.array(fc.constantFrom(...OPTIONS), { maxLength: 3 }), behind)
  .map(([options, rest]) => [...options, rest].join(" "));

describe("a rule to deny git push", () => {
  test("SIGHT-1, SIGHT-2: says so, or asks, wherever git would push", () => {
    const tried = [...new Set(samples(240, commands))];
    const pushing = tried.filter((rest) => runsPush(rest.split(" ")));
    expect(pushing.length).toBeGreaterThan(30);
    expect(pushing.filter((rest) => saidOf([DENY], `git ${rest}`) === undefined)).toEqual([]);
    const certain = pushing.filter((rest) => saidOf([DENY], `git ${rest}`) === "deny");
    expect(certain.length).toBeGreaterThan(pushing.length / 2);
  }, 120_000);

  test.each([
    ["git -C x push", "deny"],
    ["git --no-pager push", "deny"],
    ["git -c a.b=c push", "deny"],
    ["git -C x -c a.b=c --git-dir=y push origin", "deny"],
    ["/usr/bin/git -C x push", "deny"],
    ["sudo -u x git -C y push", "deny"],
    ["sh -c 'git -C x push'", "deny"],
    ["ls && git -C x push", "deny"],
    ["git send-pack x", "deny"],
    ["git -c alias.p=push p", "ask"],
    ["git p", "ask"],
    ["git --unheard-of push", "ask"],
    ["git --unheard-of x push", "ask"],
    ["git log push", undefined],
    ["git -C push status", undefined],
    ["git status", undefined],
    ["echo git", undefined],
  ])("SIGHT-1, SIGHT-2: %s: %s", (command, effect) => {
    expect(said(command)).toBe(effect);
  });

  test.each([
    ["git push --force", "git push origin --force", "deny"],
    ["git push --force", "git --no-pager push origin main --force", "deny"],
    ["git push --force", "git push --forc origin", "ask"],
    ["git push --force", "git push origin", undefined],
    ["rm -rf", "rm -fr x", "deny"],
    ["rm -rf", "rm -r -f x", "deny"],
    ["rm -rf", "rm -r x", undefined],
    ["npm publish", "npm --registry x publish", "deny"],
    ["npm run deploy", "npm -w x run-script deploy", "deny"],
    ["kubectl delete", "kubectl -n x --context y delete pod", "deny"],
    ["docker push", "docker --host x push y", "deny"],
    ["git * --force", "git -C x push --force", "deny"],
  ])("SIGHT-1: %s and %s: %s", (text, command, effect) => {
    expect(saidOf([commandRule("deny", text, text.includes("*") ? "glob" : "prefix")], command)).toBe(effect);
  });

  test("SIGHT-3: asks where there are too many options in a row", () => {
    expect(said(`git ${"-x ".repeat(200)}push`)).toBe("ask");
  });
});
