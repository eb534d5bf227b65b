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
import { isSince } from "../../../runtime/install-form.ts";

/** The version whose behaviour the tests were written against; another one is named by `--client`. */
export const VERSION = process.env["CLAUDE_CODE_VERSION"] ?? "2.1.330";
const FOLDER = join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "signalbox-test-client");
const SCOPE = "@anthropic-ai";

const run = promisify(execFile);

/** Newer ones are a program for each platform; older ones are a script for Node. */
const PACKAGES = [
  { name: `claude-code-${process.platform}-${process.arch}`, program: "claude" },
  { name: "claude-code", program: "cli.js" },
] as const;

/** @returns the path of the client's program. @throws Error where it cannot be had. */
export async function fetchClient(): Promise<string> {
  const failures: unknown[] = [];
  for (const { name, program } of PACKAGES) {
    const kept = join(FOLDER, `${name}-${VERSION}`);
    if (!existsSync(join(kept, program)))
      await fetchInto(kept, name).catch((error: unknown) => failures.push(error));
    if (existsSync(join(kept, program))) return join(kept, program);
  }
  throw new AggregateError(
    failures,
    `Claude Code ${VERSION} cannot be had: see \`npm view ${SCOPE}/claude-code versions\`.`,
  );
}

async function fetchInto(kept: string, name: string): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const draft = mkdtempSync(join(FOLDER, "draft-"));
  try {
    await run("npm", ["pack", "--silent", `${SCOPE}/${name}@${VERSION}`], { cwd: draft });
    await run("sh", ["-c", "tar xzf ./*.tgz"], { cwd: draft });
    if (!existsSync(kept)) renameSync(join(draft, "package"), kept);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** True where the client under test is at least as new. */
export const isAtLeast = (version: string): boolean => isSince(VERSION, version);
