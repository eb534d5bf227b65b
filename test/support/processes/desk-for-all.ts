// Desk for all
// One data folder of the built program for all tests of a file.
//
//   Owns:          building before them, ending everything after them.
//   Does not own:  the commands (program.ts).

import { afterAll, beforeAll } from "vitest";
import { build, Desk } from "./program.ts";

const START_MAX_MS = 180_000;

/** @returns a desk on which nothing runs yet. */
export function deskForAll(): Desk {
  const desk = new Desk();
  beforeAll(() => build(), START_MAX_MS);
  afterAll(() => desk.clear());
  return desk;
}

/** @returns a desk whose engine is up before the first test. */
export function deskWithEngine(): Desk {
  const desk = deskForAll();
  beforeAll(async () => {
    await desk.up();
  }, START_MAX_MS);
  return desk;
}
