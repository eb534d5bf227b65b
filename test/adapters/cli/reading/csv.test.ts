// CSV
// What a reader of RFC 4180, written from its text, finds in the lines.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { csv } from "../../../../adapters/cli/commands/stats.ts";

/** The records of a file, by the grammar of RFC 4180. */
function records(text: string): readonly (readonly string[])[] {
  const field = /(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n|$)/y;
  const all: string[][] = [[]];
  for (;;) {
    const found = field.exec(text);
    if (!found) throw new Error(`no field at ${field.lastIndex}`);
    const [, quoted, bare = "", end] = found;
    all.at(-1)?.push(quoted?.replaceAll('""', '"') ?? bare);
    if (end === "") return all;
    if (end === "\n") all.push([]);
  }
}

const hostile = fc.oneof(
  fc.string({ unit: fc.constantFrom("=", "+", "-", "@", '"', ",", "'", "a", " ", "|") }),
  fc.string(),
);

describe("CSV", () => {
  test("COMMANDS-STATS-1, COMMANDS-STATS-2: a reader finds the same cells, none begins a formula, and no hidden character is left", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(hostile, hostile, fc.nat()), { maxLength: 8 }), (rows) => {
        const found = records(csv(["one", "two", "three"], rows));
        expect(found).toHaveLength(rows.length + 1);
        for (const [at, [first = "", second = "", third]] of found.slice(1).entries()) {
          expect(third).toBe(String(rows[at]?.[2]));
          for (const [cell, given] of [
            [first, rows[at]?.[0] ?? ""],
            [second, rows[at]?.[1] ?? ""],
          ] as const) {
            expect(cell).not.toMatch(/^[=+\-@]/);
            // What is printable comes as it is; the mark aside.
            if (/^[ -~]*$/.test(given) && given.trim() === given)
              expect(cell).toBe(/^[=+\-@]/.test(given) ? `'${given}` : given);
          }
        }
      }),
    );
  });
});
