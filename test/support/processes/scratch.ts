// Scratch
// A separate folder for each test of a file, removed when the test is over.
//
//   Owns:          making and removing it.
//   Does not own:  what is put into it.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";

/**
 * Call it before any other `beforeEach` and `afterEach` of the file, so that they find the folder.
 * @returns the folder of the running test.
 */
export function scratchEach(): () => string {
  let dir = "";
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), "signalbox-test-"));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));
  return () => dir;
}
