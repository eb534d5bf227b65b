// Property log
// How many values each property was tried on, written for whoever asks by the environment.
//
//   Owns:          `PROPERTY_LOG`: the file that gets a line for each property tried.
//   Does not own:  trying (property, fast-check), adding up (soak).

import { appendFileSync } from "node:fs";
import { expect } from "vitest";

/** A property that was tried, or values made for several at once: those have no title. */
export interface Tried {
  readonly title?: string;
  readonly values: number;
}

/** The running test's own title, without the seed that some end with; undefined outside of a test. */
export const titleNow = (): string | undefined =>
  expect
    .getState()
    .currentTestName?.split(" > ")
    .at(-1)
    ?.replace(/ \(with seed=-?\d+\)$/, "");

export function logTried(values: number): void {
  const { PROPERTY_LOG } = process.env;
  if (PROPERTY_LOG === undefined) return;
  const title = titleNow();
  const tried: Tried = title === undefined ? { values } : { title, values };
  appendFileSync(PROPERTY_LOG, `${JSON.stringify(tried)}\n`);
}
