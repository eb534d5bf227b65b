// Release
// The script that makes a release, in a repository of the test's own: what it makes, what it refuses, going on after an end.

import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..");
const SCRIPT = join(ROOT, ".ci", "release.ts");
const TSX = join(ROOT, "node_modules", "tsx", "dist", "cli.mjs");
const CHANGELOG =
  "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A thing.\n\n## [0.1.0] - 2026-01-01\n\n- First.\n";

const DESCRIPTIONS = ["docs/reference/openapi.yaml", "docs/reference/asyncapi.yaml"];

let dir: string;
const git = (...args: readonly string[]): string =>
  execFileSync("git", args, { cwd: dir, encoding: "utf8" }).trim();
const put = (name: string, text: string): void => writeFileSync(join(dir, name), text);
const text = (name: string): string => readFileSync(join(dir, name), "utf8");
const release = (...args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [TSX, SCRIPT, ...args], {
    cwd: dir,
    encoding: "utf8",
  });
  return { code: status, out: stdout, err: stderr };
};

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "signalbox-release-"));
  git("init", "--quiet", "--initial-branch", "main");
  git("config", "user.name", "Ada");
  git("config", "user.email", "ada@example.com");
  const manifest = { name: "thing", version: "0.1.0" };
  put("package.json", `${JSON.stringify(manifest, null, 2)}\n`);
  put("package-lock.json", `${JSON.stringify({ ...manifest, packages: { "": manifest } }, null, 2)}\n`);
  put("CHANGELOG.md", CHANGELOG);
  put(".gitignore", "*.tgz\n");
  mkdirSync(join(dir, "docs", "reference"), { recursive: true });
  for (const name of DESCRIPTIONS)
    put(name, "info:\n  title: Thing\n  version: 0.1.0\npaths:\n  version: it\n");
  git("add", "--all");
  git("commit", "--quiet", "--message", "Begin");
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const versions = (): readonly unknown[] =>
  ["package.json", "package-lock.json"].map(
    (name) => (JSON.parse(text(name)) as { version: unknown }).version,
  );

describe("release", () => {
  it("Release: version, changelog, commit, tag and package say the same", () => {
    expect(release("0.2.0", "--check")).toMatchObject({ code: 0, out: "0.2.0 can be released.\n" });
    expect(versions()).toEqual(["0.1.0", "0.1.0"]);
    const { code, out } = release("0.2.0");
    expect([code, out]).toEqual([0, expect.stringContaining("packed as thing-0.2.0.tgz")]);
    expect(versions()).toEqual(["0.2.0", "0.2.0"]);
    for (const name of DESCRIPTIONS)
      expect(text(name)).toBe("info:\n  title: Thing\n  version: 0.2.0\npaths:\n  version: it\n");
    expect(text("CHANGELOG.md")).toMatch(
      /^# Changelog\n\n## \[Unreleased\]\n\n## \[0\.2\.0\] - \d{4}-\d\d-\d\d\n\n### Added\n\n- A thing\.\n\n## \[0\.1\.0\]/,
    );
    expect(git("log", "-1", "--format=%s")).toBe("Release 0.2.0");
    expect(git("tag", "--list", "--format=%(contents)", "v0.2.0")).toBe(
      "Signalbox 0.2.0\n\n### Added\n\n- A thing.",
    );
    expect(git("status", "--porcelain")).toBe("");
  });

  it("Release: what cannot be released changes nothing, and says why", () => {
    for (const [version, why] of [
      ["two", "is no version"],
      ["", "is no version"],
      ["0.1.0", "was released before"],
      ["0.0.9", "is not later than 0.1.0"],
    ] as const)
      expect(release(version)).toMatchObject({ code: 1, err: expect.stringContaining(why) as unknown });
    put("new", "");
    expect(release("0.2.0").err).toContain("The tree is not clean");
    rmSync(join(dir, "new"));
    git("tag", "v0.2.0");
    expect(release("0.2.0").err).toContain("The tag v0.2.0 is there already");
    put("CHANGELOG.md", CHANGELOG.replace("### Added\n\n- A thing.\n\n", ""));
    git("commit", "--quiet", "--all", "--message", "Say nothing");
    expect(release("0.3.0").err).toContain('Nothing stands under "Unreleased"');
    expect(versions()).toEqual(["0.1.0", "0.1.0"]);
  });

  it("Release: after an end between commit and tag it goes on, and a commit that fails leaves no trace", () => {
    put(".git/hooks/pre-commit", "#!/bin/sh\nexit 1\n");
    execFileSync("chmod", ["+x", join(dir, ".git", "hooks", "pre-commit")]);
    expect(release("0.2.0").code).toBe(1);
    expect([git("status", "--porcelain"), ...versions()]).toEqual(["", "0.1.0", "0.1.0"]);
    rmSync(join(dir, ".git", "hooks", "pre-commit"));
    expect(release("0.2.0").code).toBe(0);
    git("tag", "--delete", "v0.2.0");
    expect(release("0.2.0").code).toBe(0);
    expect(git("tag", "--list")).toBe("v0.2.0");
    expect(git("rev-list", "--count", "HEAD")).toBe("2");
    git("commit", "--quiet", "--allow-empty", "--message", "Go on");
    expect(release("0.2.0").err).toContain("0.2.0 was released before");
  });
});
