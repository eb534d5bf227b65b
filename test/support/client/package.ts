// Package
// The real client's program, fetched once into a cache outside of this tree.
//
//   Owns:          which version, where it is kept.
//   Does not own:  running it (claude.ts).

import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** The version whose behaviour the tests were written against; another one may be named. */
const VERSION = process.env["CLAUDE_CODE_VERSION"] ?? "2.1.330";
const FOLDER = join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "signalbox-test-client");

const run = promisify(execFile);

/** @returns the path of the client's program. @throws Error where it cannot be had. */
export async function fetchClient(): Promise<string> {
  const name = `claude-code-${process.platform}-${process.arch}`;
  const kept = join(FOLDER, `${name}-${VERSION}`);
  const program = join(kept, "claude");
  if (existsSync(program)) return program;
  mkdirSync(FOLDER, { recursive: true });
  const draft = mkdtempSync(join(FOLDER, "draft-"));
  try {
    await run("npm", ["pack", "--silent", `@anthropic-ai/${name}@${VERSION}`], { cwd: draft });
    await run("sh", ["-c", "tar xzf ./*.tgz"], { cwd: draft });
    if (!existsSync(program)) renameSync(join(draft, "package"), kept);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return program;
}
