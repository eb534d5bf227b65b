// Alone
// Tests that change a module, load one anew, or change what all in their process see, are listed and share no process.

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { ALONE, SHARING } from "../alone.ts";

const ROOT = dirname(dirname(import.meta.dirname));
/** `wire.ts` stands in for the browser's globals. */
const CHANGES_THE_PROCESS = /\bvi\.(?:mock|doMock|resetModules|stubGlobal)\(|\/panel\/wire\.ts"/;
/** What listens, or runs an engine, may outlive its test. */
const LEAVES_SERVERS = /\/http\/served\.ts"|\bcreateServer\(|\bcreateEngine\(/;

const filesIn = (folder: string): readonly string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".test.ts"))
    .map((path) => join(folder, path));
const has = (words: RegExp) => (path: string) => words.test(readFileSync(join(ROOT, path), "utf8"));

test("Tidy: a test that would share a process and changes it is listed, and no other", () => {
  const changing = SHARING.flatMap(filesIn).filter(has(CHANGES_THE_PROCESS));
  expect(changing.toSorted()).toEqual(ALONE.toSorted());
});

test("Tidy: no test of an adapter shares a process and leaves a server in it", () => {
  const adapters = SHARING.filter((folder) => folder.startsWith("test/adapters/"));
  expect(adapters.flatMap(filesIn).filter(has(LEAVES_SERVERS))).toEqual([]);
});
