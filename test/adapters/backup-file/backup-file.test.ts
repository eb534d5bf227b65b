// Backup file
// What is written is read back; what is cut, changed or somebody else's is refused by name, and nothing of it given out.

import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { beforeEach, describe, expect, it, test } from "vitest";
import {
  BackupWriter,
  checkPassphrase,
  isBackup,
  openSealed,
  readBackup,
  type ReadFrame,
  sealed,
} from "../../../adapters/backup-file/index.ts";
import { scratchEach } from "../../support/processes/scratch.ts";
import { holdsLater } from "../../support/properties/property.ts";

const FILE = "test/adapters/backup-file/backup-file.test.ts";
const base = scratchEach();
let file: string;
beforeEach(() => {
  file = join(base(), "a.backup");
});

type Given = readonly (readonly [part: string, body: Uint8Array])[];
const SMALL: Given = [
  ["header", Buffer.from("h")],
  ["rows", Buffer.from("some rows")],
  ["rows", Buffer.alloc(3_000, 7)],
  ["blobs", Buffer.alloc(0)],
];

async function write(given: Given, at = file) {
  const writer = await BackupWriter.begin(at);
  for (const [n, [part, body]] of given.entries()) await writer.add({ part, n }, body);
  return writer.end();
}

async function read(at = file): Promise<readonly ReadFrame[]> {
  const frames: ReadFrame[] = [];
  for await (const frame of readBackup(at)) frames.push(frame);
  return frames;
}

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : String(error);
const REFUSALS = ["NOT_A_BACKUP", "BACKUP_FORMAT", "BACKUP_CUT", "BACKUP_DAMAGED"];

/** @returns the code with which a file of these bytes is refused, and how many frames came before. */
async function refusalOf(bytes: Uint8Array): Promise<readonly [code: string, frames: number]> {
  writeFileSync(file, bytes);
  let frames = 0;
  try {
    for await (const _ of readBackup(file)) frames += 1;
  } catch (error) {
    return [codeOf(error), frames];
  }
  return ["taken", frames];
}

describe("a whole file", () => {
  it("BACKUP-FILE-FRAME-1, BACKUP-FILE-READER-1: whatever is written is read back, in order", async () => {
    const given = fc.array(fc.tuple(fc.constantFrom("rows", "blobs"), fc.uint8Array({ maxLength: 5_000 })));
    await holdsLater(FILE, 40, given, async (frames) => {
      const written = await write(frames);
      const found = await read();
      expect(found.slice(0, -1).map(({ head, body }) => [head.part, new Uint8Array(body)])).toEqual(
        frames.map(([part, body]) => [part, new Uint8Array(body)]),
      );
      expect(found.at(-1)?.head).toMatchObject({ part: "end", parts: written.parts });
      expect([found.at(-1)?.to, found.at(-1)?.of, statSync(file).size]).toEqual(Array(3).fill(written.bytes));
    });
  });

  it("BACKUP-FILE-WRITER-1: it is its user's alone, and until it is whole its name has what was there before", async () => {
    await write(SMALL);
    const before = readFileSync(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const writer = await BackupWriter.begin(file);
    await writer.add({ part: "header" });
    expect(readFileSync(file)).toEqual(before);
    expect(await refusalOf(readFileSync(`${file}.part`))).toEqual(["BACKUP_CUT", 1]);
    writeFileSync(file, before);
    await writer.abandon();
    expect(readdirSync(base())).toEqual(["a.backup"]);
    // One that was killed left its draft: the next one begins anew.
    writeFileSync(`${file}.part`, "signalbox backup 1\nhalf");
    await write(SMALL.slice(0, 2));
    expect(await read()).toHaveLength(3);
    expect(existsSync(`${file}.part`)).toBe(false);
  });

  it("BACKUP-FILE-WRITER-1: of two that write to one name, the first one to have begun puts nothing there", async () => {
    const [first, second] = [await BackupWriter.begin(file), await BackupWriter.begin(file)];
    await first.add({ part: "first" });
    await second.add({ part: "second" });
    await expect(first.end()).rejects.toMatchObject({ code: "BACKUP_TAKEN" });
    await first.abandon();
    await second.end();
    expect((await read()).map(({ head }) => head.part)).toEqual(["second", "end"]);
  });

  it("BACKUP-FILE-WRITER-2: what is no backup is left as it is", async () => {
    writeFileSync(file, "a letter");
    await expect(BackupWriter.begin(file)).rejects.toMatchObject({ code: "NOT_A_BACKUP" });
    expect([readFileSync(file, "utf8"), readdirSync(base())]).toEqual(["a letter", ["a.backup"]]);
    expect(await isBackup(file)).toBe(false);
  });
});

describe("a file that does not hold", () => {
  it("BACKUP-FILE-FRAME-1, BACKUP-FILE-READER-1: with any byte changed it is refused, before the frame with that byte is given out", async () => {
    const { bytes: size } = await write(SMALL);
    const whole = readFileSync(file);
    const ends = (await read()).map(({ to }) => to);
    const change = fc.tuple(fc.nat({ max: size - 1 }), fc.integer({ min: 1, max: 255 }));
    await holdsLater(FILE, 300, change, async ([at, by]) => {
      const altered = Buffer.from(whole);
      altered[at] = (altered[at] ?? 0) ^ by;
      const [code, frames] = await refusalOf(altered);
      expect(REFUSALS).toContain(code);
      expect(frames).toBeLessThanOrEqual(ends.filter((end) => end <= at).length);
    });
  });

  it("BACKUP-FILE-FRAME-2: cut anywhere, or with something behind its end, it is refused", async () => {
    await write(SMALL);
    const whole = readFileSync(file);
    for (let at = 0; at < whole.length; at += 1) {
      const [code] = await refusalOf(whole.subarray(0, at));
      expect([at, REFUSALS.includes(code)]).toEqual([at, true]);
    }
    expect((await refusalOf(Buffer.concat([whole, Buffer.from("x")])))[0]).toBe("BACKUP_DAMAGED");
  });

  it("BACKUP-FILE-FRAME-1: frames that are left out, doubled or moved are refused", async () => {
    await write(SMALL);
    const whole = readFileSync(file);
    const [a = 0, b = 0, c = 0] = (await read()).map(({ to }) => to);
    const [first, second, third] = [whole.subarray(0, a), whole.subarray(a, b), whole.subarray(b, c)];
    const rest = whole.subarray(c);
    for (const parts of [
      [first, third, rest],
      [first, second, second, third, rest],
      [first, third, second, rest],
      [first, second, rest],
    ])
      expect((await refusalOf(Buffer.concat(parts)))[0]).toBe("BACKUP_DAMAGED");
  });

  test("BACKUP-FILE-READER-1: a newer format and something else are told apart, with what to do", async () => {
    writeFileSync(file, "signalbox backup 2\nwhatever");
    await expect(read()).rejects.toMatchObject({
      code: "BACKUP_FORMAT",
      message: expect.stringMatching(/has format 2.*reads format 1/) as string,
    });
    expect(await isBackup(file)).toBe(true);
    expect((await refusalOf(Buffer.from("")))[0]).toBe("NOT_A_BACKUP");
  });
});

describe("what the passphrase opens", () => {
  const before = Buffer.alloc(32, 1);

  it("BACKUP-FILE-SEALED-1: it opens with its passphrase, and holds nothing that can be read without", async () => {
    const { head, body } = await sealed("the key", "four words that hold", before);
    expect(body.toString("latin1")).not.toContain("the key");
    const open = (passphrase: string, digest = before, bytes = body) =>
      openSealed({ part: "secrets", ...head }, bytes, passphrase, digest).catch(codeOf);
    expect(await open("four words that hold")).toBe("the key");
    expect(await open("four words that hol")).toBe("WRONG_PASSPHRASE");
    // Another byte in it, or another backup before it (BACKUP-FILE-SEALED-2).
    const altered = Buffer.from(body);
    altered[0] = (altered[0] ?? 0) ^ 1;
    expect(await open("four words that hold", before, altered)).toBe("WRONG_PASSPHRASE");
    expect(await open("four words that hold", Buffer.alloc(32, 2))).toBe("WRONG_PASSPHRASE");
    const again = await sealed("the key", "four words that hold", before);
    expect(again.body.equals(body)).toBe(false);
  });

  it("BACKUP-FILE-SEALED-2: a head that somebody made up opens nothing", async () => {
    const { head, body } = await sealed("the key", "four words that hold", before);
    for (const changed of [{ tag: head.tag.slice(0, 8) }, { iv: "" }, { salt: "zz" }, { tag: undefined }])
      await expect(
        openSealed({ part: "secrets", ...head, ...changed }, body, "four words that hold", before),
      ).rejects.toMatchObject({ code: "WRONG_PASSPHRASE" });
  });

  it("BACKUP-FILE-SEALED-1: a short passphrase is refused", () => {
    expect(() => checkPassphrase("secret")).toThrow(/fewer than 8/);
    expect(() => checkPassphrase("four words that hold")).not.toThrow();
  });
});
