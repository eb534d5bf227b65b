// Alone
// The tests of the core share a process; those that change a module, or load one anew, are listed and stay out of it.

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { ALONE } from "../alone.ts";

const ROOT = dirname(dirname(import.meta.dirname));
const CHANGES_A_MODULE = /\bvi\.(?:mock|doMock|resetModules)\(/;

test("Tidy: a test of the core that changes a module, or loads one anew, is listed, and no other", () => {
  const changing = ["test/machines", "test/runtime"]
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((path) =>
        join(folder, path),
      ),
    )
    .filter((path) => path.endsWith(".test.ts"))
    .filter((path) => CHANGES_A_MODULE.test(readFileSync(join(ROOT, path), "utf8")));
  expect(changing.sort()).toEqual([...ALONE].sort());
});
