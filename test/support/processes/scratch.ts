// Scratch
// A folder of its own for each test of a file, gone when the test is over.
//
//   Owns:          making and removing it.
//   Does not own:  what is put into it.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";

/**
 * Call it before any other `beforeEach` and `afterEach` of the file: the folder is there for them.
 * @returns the folder of the test that runs.
 */
export function scratchEach(): () => string {
  let dir = "";
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), "signalbox-test-"));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));
  return () => dir;
}
