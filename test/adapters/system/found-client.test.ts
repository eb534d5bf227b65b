// Found client
// The version of the client on the PATH, and where it is not looked for.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { clientVersion } from "../../../adapters/system/index.ts";

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "signalbox-client-"));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

/** @returns a folder with a `claude` that does this. */
function client(name: string, script: string): string {
  const dir = join(base, name);
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, "claude"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return dir;
}
const found = (...path: readonly string[]): Promise<string | undefined> =>
  clientVersion({ PATH: [...path, dirname(process.execPath), "/usr/bin", "/bin"].join(":") });

test("FOUND-CLIENT-1: it says its version", async () => {
  expect(await found(client("bin", 'echo "2.1.200 (Claude Code)"'))).toBe("2.1.200");
});

test.each([
  ["ends with an error", "echo 2.1.200; exit 1"],
  ["says something else", "echo hello"],
  ["says nothing", ""],
])("FOUND-CLIENT-1: of one that %s nothing is known", async (_, script) => {
  expect(await found(client("bin", script))).toBeUndefined();
});

test("FOUND-CLIENT-1: a project's own packages, and a folder named from where one stands, are passed over", async () => {
  const planted = client("project/node_modules/.bin", "echo 1.0.0");
  const own = client("bin", "echo 2.1.200");
  expect(await found(planted, `${planted}/`, "tmp", ".", "", own)).toBe("2.1.200");
});
