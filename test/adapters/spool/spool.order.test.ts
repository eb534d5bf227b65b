// Spool, the order
// Files are taken as they were finished, however little lies between two of them and whatever they are called.

import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { ManualClock } from "../../support/engine/manual-clock.ts";
import { Spool } from "../../../adapters/spool/spool.ts";
import { holdsLater } from "../../support/properties/property.ts";

const FILE = "test/adapters/spool/spool.order.test.ts";
const NOW = 1_800_000_000_000;

interface File {
  /** Second, process, and how many that process had left before, if it leaves several. */
  readonly name: readonly [second: number, process: number, count?: number];
  /** After the first of them, µs. */
  readonly us: number;
}

const aFile: fc.Arbitrary<File> = fc.record({
  name: fc.oneof(
    fc.tuple(fc.constantFrom(1_799_999_998, 1_799_999_999), fc.constantFrom(9, 10, 99, 100_000)),
    fc.tuple(fc.constant(1_799_999_999), fc.constant(7), fc.integer({ min: 1, max: 12 })),
  ),
  us: fc.constantFrom(0, 10, 400, 990, 1_000, 1_010, 2_500),
});

/** Leaves the files, in any order. @returns in which they are taken. */
async function taken(files: readonly File[]): Promise<readonly string[]> {
  const dir = mkdtempSync(join(tmpdir(), "signalbox-spool-"));
  const found: string[] = [];
  try {
    for (const { name, us } of files) {
      const path = join(dir, name.join("-"));
      writeFileSync(path, `1 42 -\n${name.join("-")}`, { mode: 0o600 });
      const at = (NOW - 10_000) / 1_000 + us / 1e6;
      utimesSync(path, at, at);
    }
    const ns = new Set(readdirSync(dir).map((name) => statSync(join(dir, name), { bigint: true }).mtimeNs));
    expect(ns.size, "the file system keeps times finer than these").toBe(
      new Set(files.map(({ us }) => us)).size,
    );
    const spool = new Spool({
      dir,
      clock: new ManualClock(NOW),
      take: ({ body }) => Promise.resolve(void found.push(Buffer.from(body).toString("utf8"))),
      refuse: (error) => Promise.reject(error),
      onError: (error) => {
        throw error;
      },
    });
    await spool.drain();
    expect(readdirSync(dir)).toEqual([]);
    return found;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** By their times, then by each number of their names; a name without a last number comes before those with one. */
function inOrder(files: readonly File[]): readonly string[] {
  const key = ({ us, name: [second, process, count = 0] }: File): readonly number[] => [
    us,
    second,
    process,
    count,
  ];
  return files
    .toSorted((one, other) => {
      const others = key(other);
      return (
        key(one)
          .map((number, n) => number - (others[n] ?? 0))
          .find((apart) => apart !== 0) ?? 0
      );
    })
    .map(({ name }) => name.join("-"));
}

it("SPOOL-1: whatever their names and times, files are taken by their time, and of one time by the numbers of their names", () =>
  holdsLater(
    FILE,
    200,
    fc.uniqueArray(aFile, { minLength: 1, maxLength: 10, selector: ({ name }) => name.join("-") }),
    async (files) => {
      expect(await taken(files)).toEqual(inOrder(files));
    },
  ));

it("SPOOL-1: the tenth file of a process is taken after its ninth, though both have one time", async () => {
  const files = [12, 2, 10, 1, 9].map((count): File => ({ name: [1_799_999_999, 7, count], us: 0 }));
  expect(await taken(files)).toEqual([1, 2, 9, 10, 12].map((count) => `1799999999-7-${count}`));
});
