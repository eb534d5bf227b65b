// Verified text
// The exit code of a verification, by what it found.

import { describe, expect, test } from "vitest";
import { exitCodeOf } from "../../../../adapters/cli/verified-text.ts";

const row = (isOtherBuild: boolean) => ({ key: "rule/shop/1", what: "altered", isOtherBuild }) as const;
const entry = (isOtherBuild: boolean) => ({ position: 1, at: 1, kept: "a", found: "b", isOtherBuild });
const gap = (wasApplied: boolean) => ({ first: 1, last: 2, wasApplied });
const none = { differences: [], missing: [], rows: { compared: 1, differences: [], unchecked: [] } };
const rowsOf = (...differences: readonly ReturnType<typeof row>[]) => ({
  rows: { ...none.rows, differences },
});

describe("PROGRAM-1: the exit code of `verify`", () => {
  test.each([
    ["nothing differs", none, 0],
    ["entries were lost before they left a proof", { ...none, missing: [gap(false)] }, 0],
    ["entries were lost that were applied", { ...none, missing: [gap(true)] }, 1],
    ["a row of this build differs", { ...none, ...rowsOf(row(true), row(false)) }, 1],
    ["an entry of this build differs", { ...none, differences: [entry(false)] }, 1],
    ["only rows of another build differ", { ...none, ...rowsOf(row(true)) }, 3],
    ["only entries of another build differ", { ...none, differences: [entry(true)] }, 3],
  ])("PROGRAM-1: if %s", (_, found, code) => {
    expect(exitCodeOf(found)).toBe(code);
  });
});
