// Nodes
// Runs the tests on each version of Node.js that Signalbox supports.
//
//   npm run test:nodes [-- --only 24] [-- --long]
//
//   Owns:          which versions are supported, and where each comes from: npm has Node's own binaries as packages.
//   Does not own:  the tests. The Node.js that started this is not tried again.

import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { parseArgs } from "node:util";

/** The oldest that `engines` allows, then the newest of each line that is maintained. */
const SUPPORTED = ["20.19.0", "22", "24"];

const { values } = parseArgs({ options: { only: { type: "string" }, long: { type: "boolean" } } });

/** @returns the folder of its programs. Throws if npm has none for this machine. */
function installed(version: string, into: string): string {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = join(into, version);
  process.stderr.write(`Node ${version}: installing ${name}\n`);
  execFileSync(
    "npm",
    ["install", "--silent", "--no-save", "--ignore-scripts", "--prefix", folder, `${name}@${version}`],
    { stdio: ["ignore", "ignore", "inherit"] },
  );
  return join(folder, "node_modules", name, "bin");
}

/** @returns what the table tells of a version. Each test, and each program that it starts, runs on it. */
function tried(version: string, into: string): { readonly version: string; readonly status: number } {
  const programs = installed(version, into);
  const env = { ...process.env, PATH: `${programs}${delimiter}${process.env.PATH ?? ""}` };
  const node = join(programs, "node");
  const found = execFileSync(node, ["--version"], { encoding: "utf8" }).trim();
  const projects = ["short", "core", "alone", ...(values.long === true ? ["long"] : [])];
  const args = ["node_modules/vitest/vitest.mjs", "run", ...projects.flatMap((name) => ["--project", name])];
  process.stderr.write(`Node ${found}: ${projects.join(", ")}\n`);
  return { version: found, status: spawnSync(node, args, { env, stdio: "inherit" }).status ?? 1 };
}

const into = mkdtempSync(join(tmpdir(), "signalbox-nodes-"));
try {
  const versions = values.only === undefined ? SUPPORTED : [values.only];
  const all = versions.map((version) => tried(version, into));
  for (const { version, status } of all)
    process.stdout.write(`${version}: ${status === 0 ? "passed" : "failed"}\n`);
  process.exitCode = all.every(({ status }) => status === 0) ? 0 : 1;
} finally {
  rmSync(into, { recursive: true, force: true });
}
