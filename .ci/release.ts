// Release
// Makes a release of what stands under "Unreleased" in the changelog: version, commit, tag, package.
//
//   npm run release -- 0.2.0 [--check]
//
//   Owns:          the order of the steps, what keeps one from being made.
//   Does not own:  publishing: pushing and `npm publish` are a person's.
//
// Nothing is changed unless all can be: a clean tree, a later version, words in the changelog, no such tag.
// Run again after it was ended midway, it goes on where it was: what is done already is not done twice.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { check: { type: "boolean", default: false } },
});

/** They name the version at their top. */
const DESCRIPTIONS = ["docs/reference/openapi.yaml", "docs/reference/asyncapi.yaml"] as const;
const FILES = ["CHANGELOG.md", "package.json", "package-lock.json", ...DESCRIPTIONS] as const;
const HEAD = "## [Unreleased]\n";

const git = (...args: readonly string[]): string => execFileSync("git", args, { encoding: "utf8" }).trim();
const read = (name: string): string => readFileSync(name, "utf8");

class Refused extends Error {}

/** @returns the part of a changelog under a version's head, without that head. */
function wordsOf(changelog: string, version: string): string | undefined {
  const from = changelog.split(new RegExp(`^## \\[${version.replaceAll(".", "\\.")}\\].*\n`, "m"))[1];
  return from?.split(/^## \[/m)[0]?.trim();
}

const numbersOf = (version: string): readonly number[] => version.split(".").map(Number);

function isLater(one: string, other: string): boolean {
  const [mine, theirs] = [numbersOf(one), numbersOf(other)];
  const at = mine.findIndex((each, n) => each !== theirs[n]);
  return at >= 0 && (mine[at] ?? 0) > (theirs[at] ?? 0);
}

/** What of a release is there already. */
interface Done {
  readonly isCommitted: boolean;
  readonly isTagged: boolean;
}

/** @throws Refused with what to do. */
function checked(version: string): Done {
  if (!/^\d+\.\d+\.\d+$/.test(version))
    throw new Refused(`"${version}" is no version. Write one as in: npm run release -- 0.2.0`);
  const { version: present } = JSON.parse(read("package.json")) as { readonly version: string };
  const tag = `v${version}`;
  const changed = git("status", "--porcelain");
  if (changed !== "")
    throw new Refused(`The tree is not clean. Commit these first, or put them away:\n${changed}`);
  const isTagged = git("tag", "--list", tag) !== "";
  const isCommitted = present === version && wordsOf(read("CHANGELOG.md"), version) !== undefined;
  if (isCommitted && git("log", "-1", "--format=%s") !== subjectOf(version))
    throw new Refused(`${version} was released before. Name a later version.`);
  if (isCommitted) return { isCommitted, isTagged };
  if (isTagged) throw new Refused(`The tag ${tag} is there already. Name a later version.`);
  if (!isLater(version, present)) throw new Refused(`${version} is not later than ${present}.`);
  if (!wordsOf(read("CHANGELOG.md"), "Unreleased"))
    throw new Refused('Nothing stands under "Unreleased" in CHANGELOG.md: say there what changes for users.');
  return { isCommitted, isTagged };
}

const subjectOf = (version: string): string => `Release ${version}`;

function commit(version: string, day: string): void {
  try {
    writeFileSync("CHANGELOG.md", read("CHANGELOG.md").replace(HEAD, `${HEAD}\n## [${version}] - ${day}\n`));
    for (const name of ["package.json", "package-lock.json"]) {
      const manifest = JSON.parse(read(name)) as { version: string; packages?: { ""?: { version: string } } };
      manifest.version = version;
      if (manifest.packages?.[""]) manifest.packages[""].version = version;
      writeFileSync(name, `${JSON.stringify(manifest, null, 2)}\n`);
    }
    for (const name of DESCRIPTIONS)
      writeFileSync(name, read(name).replace(/^ {2}version: .*$/m, `  version: ${version}`));
    git("commit", "--quiet", "--message", subjectOf(version), "--", ...FILES);
  } catch (error) {
    git("checkout", "--quiet", "HEAD", "--", ...FILES);
    throw error;
  }
}

try {
  const [version = ""] = positionals;
  const { isCommitted, isTagged } = checked(version);
  if (values.check) process.stdout.write(`${version} can be released.\n`);
  else {
    if (!isCommitted) commit(version, new Date().toISOString().slice(0, 10));
    const words = `Signalbox ${version}\n\n${wordsOf(read("CHANGELOG.md"), version) ?? ""}`;
    if (!isTagged) git("tag", "--annotate", `v${version}`, "--cleanup=verbatim", "--message", words);
    const packed = execFileSync("npm", ["pack", "--silent"], { encoding: "utf8" }).trim().split("\n").at(-1);
    process.stdout.write(
      `${version} is committed, tagged as v${version}, and packed as ${packed ?? "?"}.\nTo publish it: git push --follow-tags, then npm publish ${packed ?? "FILE"}.\n`,
    );
  }
} catch (error) {
  if (!(error instanceof Refused)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
