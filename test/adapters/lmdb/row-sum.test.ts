// LMDB, a row's sum
// A row with its checksum, and back.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { summed, unsummed } from "../../../adapters/lmdb/row-sum.ts";
import { openLmdb } from "../../../adapters/lmdb/index.ts";
import { decode } from "../../../runtime/rows/codec.ts";
import { keys } from "../../../runtime/rows/keys.ts";
import { ManualClock } from "../../support/engine/manual-clock.ts";
import { changed, rawIn } from "../../support/lmdb/raw.ts";
import { holds } from "../../support/properties/property.ts";
import { scratchEach } from "../../support/processes/scratch.ts";

const FILE = "test/adapters/lmdb/row-sum.test.ts";
const key = fc.string({ unit: fc.constantFrom("a", " ", "/", "~"), minLength: 1, maxLength: 4 });
const text = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: fc.constantFrom(" ", "\t", "\n", "\r", "1") }),
  fc.json(),
);
/** As the file has it, where one bit of it may have changed. */
const read = (bytes: Buffer): string => bytes.toString("utf8");

describe("LMDB, a row's sum", () => {
  it("ROW-SUM-1: whatever was written is read back, under its key only", () => {
    holds(FILE, 300, fc.tuple(key, text), ([of, value]) => {
      const stored = summed(of, value);
      expect(unsummed(of, stored)).toBe(value);
      expect(() => decode(`${of}x`, unsummed(`${of}x`, stored))).toThrow("cannot be read");
    });
  });

  it("ROW-SUM-1: with any bit changed, a row cannot be read", () => {
    for (const value of ['{"id":"c1","n":[12,null]}', "12", '"é"', "null"]) {
      const bytes = Buffer.from(summed("a/key", value));
      for (let at = 0; at < bytes.length; at += 1)
        for (let bit = 1; bit < 256; bit <<= 1) {
          const altered = Buffer.from(bytes);
          altered[at] = (altered[at] ?? 0) ^ bit;
          expect(() => decode("a/key", unsummed("a/key", read(altered)))).toThrow("cannot be read");
        }
    }
  });

  it("ROW-SUM-2: a row of an earlier version reads as it stands, and an earlier version reads a row with a sum", () => {
    holds(FILE, 300, fc.tuple(key, fc.json()), ([of, value]) => {
      expect(unsummed(of, value)).toBe(value);
      expect(JSON.parse(summed(of, value))).toEqual(JSON.parse(value));
    });
  });
});

describe("LMDB, rows with sums", () => {
  const dir = scratchEach();

  it("ROW-SUM-1: a row that was altered at rest is told to whoever reads it, the others are read", async () => {
    const written = ["a", "b", "c"].map((one) => ({ put: `quota/${one}`, value: `{"n":"${one}"}` }));
    const first = openLmdb(dir(), new ManualClock());
    await first.store.open();
    await first.store.commit(written);
    await first.close();
    await changed(dir(), async ({ rows }) => {
      await rows.put("quota/b", (rows.get("quota/b") ?? "").replace('"b"', '"d"'));
      await rows.put("quota/d", rows.get("quota/c") ?? "");
    });
    const second = openLmdb(dir(), new ManualClock());
    await second.store.open();
    const rows = new Map(second.store.range({ gte: keys.quotas, lt: "quota0" }));
    const told = [...rows].map(([one, value]) => {
      try {
        return decode(one, value);
      } catch {
        return "unreadable";
      }
    });
    expect(told).toEqual([{ n: "a" }, "unreadable", { n: "c" }, "unreadable"]);
    expect([second.store.get("quota/b"), second.store.get("quota/c")]).toEqual([
      rows.get("quota/b"),
      '{"n":"c"}',
    ]);
    await second.close();
    expect((await rawIn(dir())).rows.size).toBe(4);
  });
});
