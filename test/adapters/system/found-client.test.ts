// Found client
// The version of the client on the PATH, and where it is not looked for.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FoundClient, findClient, markOf } from "../../../adapters/system/index.ts";

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
const pid = (): number => Number(readFileSync(join(base, "pid"), "utf8"));
const own = (): readonly string[] => [dirname(process.execPath), "/usr/bin", "/bin"];
const found = (...path: readonly string[]): Promise<FoundClient> =>
  findClient({ PATH: [...path, ...own()].join(":") });

test("FOUND-CLIENT-1: it says its version, also behind another line", async () => {
  expect(await found(client("bin", 'echo "2.1.200 (Claude Code)"'))).toEqual({ version: "2.1.200" });
  const chatty = client("other", 'echo "A newer one is there: 2.1.300"; echo "2.1.200 (Claude Code)"');
  expect(await found(chatty)).toEqual({ version: "2.1.200" });
});

test.each([
  ["ends with an error", "#!/bin/sh\necho 2.1.200; exit 1"],
  ["says something else", "#!/bin/sh\necho hello"],
  ["says nothing", "#!/bin/sh\n"],
  ["cannot be run, since what runs it is missing", "#!/nowhere/node\n"],
])("FOUND-CLIENT-2: one that %s is not said to be missing", async (_, text) => {
  const dir = client("bin", "");
  writeFileSync(join(dir, "claude"), text);
  expect(await found(dir)).toEqual({ silent: join(dir, "claude") });
});

test("FOUND-CLIENT-1: a project's own packages, and a folder named from where one stands, are passed over", async () => {
  const planted = client("project/node_modules/.bin", "echo 1.0.0");
  const users = client("bin", "echo 2.1.200");
  expect(await found(planted, `${planted}/`, "tmp", ".", "", users)).toEqual({ version: "2.1.200" });
});

test("FOUND-CLIENT-2: one that is not asked is not said to be missing; a folder and a text of its name are none", async () => {
  const mark = join(base, "mark");
  const planted = client("project/node_modules/.bin", `touch ${mark}; echo 1.0.0`);
  expect(await found(planted)).toEqual({ unasked: join(planted, "claude") });
  expect(existsSync(mark)).toBe(false);
  mkdirSync(join(base, "folder", "claude"), { recursive: true });
  mkdirSync(join(base, "text"));
  writeFileSync(join(base, "text", "claude"), "2.1.200", { mode: 0o644 });
  expect(await found(join(base, "folder"), join(base, "text"))).toBe("none");
  expect(await findClient({})).toBe("none");
});

const DEAF = `trap "" TERM INT HUP; echo $$ > "$(dirname "$0")/../pid"; exec sleep 1000`;

test("FOUND-CLIENT-3: one that hears no signal and does not answer is ended", async () => {
  const dir = client("bin", DEAF);
  const env = { PATH: [dir, ...own()].join(":") };
  expect(await findClient(env, { timeoutMs: 3_000 })).toEqual({ silent: join(dir, "claude") });
  expect(markOf(pid())).toBeUndefined();
});

test("FOUND-CLIENT-3: whoever no longer wants to know ends it", async () => {
  const dir = client("bin", DEAF);
  const ending = new AbortController();
  const asked = findClient({ PATH: [dir, ...own()].join(":") }, { signal: ending.signal });
  while (!existsSync(join(base, "pid")) || pid() === 0) await sleep(5);
  ending.abort();
  expect(await asked).toEqual({ silent: join(dir, "claude") });
  while (markOf(pid()) !== undefined) await sleep(5);
});

test("FOUND-CLIENT-3: what it started and left behind is not waited for", async () => {
  const dir = client("bin", `sleep 1000 & echo $! > "$(dirname "$0")/../pid"; echo 2.1.200`);
  try {
    const env = { PATH: [dir, ...own()].join(":") };
    expect(await findClient(env, { timeoutMs: 1_000_000 })).toEqual({ version: "2.1.200" });
    expect(markOf(pid())).toBeDefined();
  } finally {
    process.kill(pid());
  }
});
