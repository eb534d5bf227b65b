// Log
// What an operator may read, and what never stands in a log.

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { build, jsonLines } from "./support/program.ts";

beforeAll(() => build(), 180_000);

it("G1l: a log line says code, position and place, and no text of an error, which may quote a message", () => {
  const program = `
    import { stderrLog } from "./dist/adapters/log/index.js";
    const log = stderrLog("info");
    const cause = Object.assign(new Error("SECRET cause"), { code: "EIO" });
    const error = Object.assign(new TypeError("SECRET", { cause }), { code: "STORE_FAILED" });
    log.defect(new TypeError("SECRET\\n    at SECRET"), 7);
    log.failed("SECRET");
    log.fatal(error);
    log.migrating({ from: 2, to: 3, rows: 100000, isDone: false });
    log.migrating({ from: 2, to: 3, rows: 120000, isDone: true });
  `;
  const cwd = join(import.meta.dirname, "..");
  const { stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    cwd,
    encoding: "utf8",
  });
  expect(jsonLines(stderr)).toMatchObject([
    {
      msg: "defect",
      code: "TypeError",
      position: 7,
      at: expect.arrayContaining([expect.stringContaining("eval")]) as unknown,
    },
    { msg: "failed" },
    { msg: "fatal", code: "STORE_FAILED", cause: "EIO" },
    { msg: "the store is brought to the new format", from: 2, to: 3, rows: 100_000 },
    { msg: "the store has the new format", rows: 120_000 },
  ]);
  expect(stderr).not.toContain("SECRET");
});
