// Blobs contract
// What every implementation of the port Blobs does.
//
//   Owns:          what is kept, under which name, for how long.
//   Does not own:  crashes of a process (blob-files.test.ts), which blobs are needed (blob-sweep.test.ts).

import { createHash } from "node:crypto";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ManualClock } from "../../support/engine/manual-clock.ts";
import type { Blobs } from "../../../runtime/ports.ts";

export interface BlobDisk {
  /** Its clock says when a blob was put. */
  readonly clock: ManualClock;
  /** The same blobs, as a process started anew sees them. */
  restart(): Blobs;
  /** Puts other content under a hash, behind the port's back. */
  damage(hash: string, content: string): Promise<void>;
  dispose(): Promise<void>;
}

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");
const LATER = 1_000;

export function blobsContract(name: string, newDisk: () => Promise<BlobDisk>): void {
  describe(`${name} blobs`, () => {
    let disk: BlobDisk;
    let blobs: Blobs;

    const put = async (text: string): Promise<string> => {
      await blobs.put(hashOf(text), text);
      return hashOf(text);
    };

    beforeEach(async () => {
      disk = await newDisk();
      blobs = disk.restart();
    });
    afterEach(() => disk.dispose());

    it("PORTS-4: what was put is got, also by the next process; what was not put is not there", async () => {
      const hash = await put("a text");
      expect(await blobs.get(hash)).toBe("a text");
      expect(await disk.restart().get(hash)).toBe("a text");
      expect(await blobs.get(hashOf("another"))).toBeUndefined();
      expect(await disk.restart().old(Infinity)).toEqual([hash]);
    });

    it("PORTS-4: any text comes back as it was, and putting it again changes nothing", async () => {
      const texts = fc.string({ unit: fc.constantFrom("a", "\0", "\n", "é", "日", "😀", '"', "\\") });
      await fc.assert(
        fc.asyncProperty(fc.array(texts, { maxLength: 5 }), async (all) => {
          for (const text of [...all, ...all]) await put(text);
          for (const text of all) expect(await blobs.get(hashOf(text))).toBe(text);
        }),
        { numRuns: 20 },
      );
      const long = "ü😀".repeat(1 << 20);
      expect((await blobs.get(await put(long))) === long).toBe(true);
    });

    it("PORTS-4: blobs put at once, some of them the same, are all there", async () => {
      const texts = Array.from({ length: 30 }, (_, n) => `text ${n % 10}`);
      await Promise.all(texts.map(put));
      expect([...(await blobs.old(Infinity))].sort()).toEqual([...new Set(texts.map(hashOf))].sort());
      for (const text of texts) expect(await blobs.get(hashOf(text))).toBe(text);
    });

    it.each([
      "",
      ".",
      "..",
      "../token",
      "/etc/passwd",
      "a/b",
      "a".repeat(63),
      "A".repeat(64),
      `${"a".repeat(64)}/../x`,
      `${"a".repeat(64)}\n`,
      `\0${"a".repeat(63)}`,
    ])("PORTS-5: %j is no name: nothing is read, written or dropped under it", async (bad) => {
      const hash = await put("a text");
      const refusal = { code: "BAD_BLOB_NAME" };
      await expect(blobs.put(bad, "x")).rejects.toMatchObject(refusal);
      await expect(blobs.get(bad)).rejects.toMatchObject(refusal);
      await expect(blobs.drop(bad, Infinity)).rejects.toMatchObject(refusal);
      expect(await blobs.old(Infinity)).toEqual([hash]);
    });

    it("PORTS-5: other content under a hash is never given out, and is whole again once it was put again", async () => {
      const hash = await put("what a person was shown");
      for (const content of ["what a person was shoWn", "what a person was sho", ""]) {
        await disk.damage(hash, content);
        await expect(blobs.get(hash)).rejects.toMatchObject({ code: "BLOB_DAMAGED" });
        await put("what a person was shown");
        expect(await blobs.get(hash)).toBe("what a person was shown");
      }
    });

    it("BLOB-FILES-2: a blob is as old as its last put, and only an old one is dropped", async () => {
      const first = disk.clock.now();
      const [once, twice] = [await put("once"), await put("twice")];
      disk.clock.advance(LATER);
      await put("twice");
      expect(await blobs.old(first)).toEqual([]);
      expect(await blobs.old(first + 1)).toEqual([once]);
      expect([...(await disk.restart().old(first + LATER + 1))].sort()).toEqual([once, twice].sort());
      await blobs.drop(once, first);
      await blobs.drop(twice, first + LATER);
      expect([await blobs.get(once), await blobs.get(twice)]).toEqual(["once", "twice"]);
      await blobs.drop(once, first + 1);
      await blobs.drop(once, Infinity);
      expect([await blobs.get(once), await blobs.get(twice)]).toEqual([undefined, "twice"]);
    });

    it("BLOB-FILES-2: a blob put while it is dropped as an old one is there", async () => {
      const hash = await put("wanted again");
      disk.clock.advance(LATER);
      for (let round = 0; round < 20; round += 1) {
        const before = disk.clock.now();
        await Promise.all([blobs.drop(hash, before), put("wanted again"), blobs.drop(hash, before)]);
        expect(await blobs.get(hash)).toBe("wanted again");
        disk.clock.advance(LATER);
      }
    });
  });
}
