// Numbered
// A version of the client as three numbers, also where it is named `latest`.
//
//   Owns:          asking the registry.
//   Does not own:  fetching the client (package.ts).

import { spawnSync } from "node:child_process";

/** @throws Error where there is no such version. */
export function numbered(version: string): string {
  if (/^\d+\.\d+\.\d+$/.test(version)) return version;
  const { stdout } = spawnSync("npm", ["view", `@anthropic-ai/claude-code@${version}`, "version"], {
    encoding: "utf8",
  });
  const found = stdout.trim();
  if (found === "")
    throw new Error(
      `There is no Claude Code ${version}. \`npm view @anthropic-ai/claude-code versions\` lists them.`,
    );
  return found;
}
