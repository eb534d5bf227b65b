// Log
// What an operator may read, and what never stands in a log.

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { build, jsonLines } from "../support/processes/program.ts";

beforeAll(() => build(), 180_000);

it("LOG-1: a log line says code, position and place, and no text of an error, which may quote a message", () => {
  const program = `
    import { stderrLog } from "./dist/adapters/log/index.js";
    const log = stderrLog("info");
    const cause = Object.assign(new Error("SECRET cause"), { code: "EIO" });
    const error = Object.assign(new TypeError("SECRET", { cause }), { code: "STORE_FAILED" });
    log.defect(new TypeError("SECRET\\n    at SECRET"), 7);
    log.failed("SECRET");
    log.fatal(error);
    log.fatal(Object.assign(new Error("SECRET"), { code: "TERM_ENDED" }));
    log.migrating({ from: 3, to: 6 });
  `;
  const cwd = join(import.meta.dirname, "..", "..");
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
    { level: 60, msg: "fatal", code: "STORE_FAILED", cause: "EIO" },
    { level: 30, msg: "the term has ended", code: "TERM_ENDED" },
    { msg: "the store has the new format", from: 3, to: 6 },
  ]);
  expect(stderr).not.toContain("SECRET");
});

it("S1.39: a request made, a request moved and what a start found are lines with ids and states, and no content", () => {
  const program = `
    import { stderrLog } from "./dist/adapters/log/index.js";
    const change = { entity: "request", id: "r1", workspace: "w", sessionId: "s", n: 7, view: { prompt: "SECRET" } };
    const log = stderrLog("debug");
    log.recovered({ openRequests: 2, pendingApprovals: 1, replayed: 3, oldest: [] });
    log.request({ ...change, from: null, to: "created" });
    log.request({ ...change, from: "created", to: "failed", cause: "SECRET" });
    log.request({ ...change, entity: "callback", from: "none", to: "delivered" });
    stderrLog("info").request({ ...change, from: "created", to: "failed" });
    if (stderrLog("warn").request) throw new Error("it is told though nobody reads it");
  `;
  const cwd = join(import.meta.dirname, "..", "..");
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    cwd,
    encoding: "utf8",
  });
  const of = { requestId: "r1", sessionId: "s", change: 7 };
  expect([status, jsonLines(stderr)]).toMatchObject([
    0,
    [
      { msg: "recovered", openRequests: 2, pendingApprovals: 1, replayed: 3 },
      { msg: "request created", ...of, state: "created" },
      { msg: "request moved", ...of, from: "created", to: "failed" },
    ],
  ]);
  expect(jsonLines(stderr)).toHaveLength(3);
  expect(stderr).not.toContain("SECRET");
});
