// Blob files
// The folder of blobs: who may read it, what a killed process leaves in it, what the kernel was asked for.
//
// One test watches system calls, which needs strace (Debian: apt-get install strace). Under CI a missing strace is a
// failure, elsewhere it is skipped.

import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { BlobFiles } from "../../../adapters/blob-files/blob-files.ts";
import { ManualClock } from "../../support/engine/manual-clock.ts";
import { startChild, works } from "../../support/lmdb/children.ts";
import { between, callsOf } from "../../support/lmdb/strace.ts";

const strace = process.platform === "linux" && works("strace", "-f", "-o", "/dev/null", "true");
const CHILD = new URL("../../support/processes/blob-child.ts", import.meta.url).pathname;
const clock = new ManualClock(1_800_000_000_000);
const hashOf = (content: string | Buffer): string => createHash("sha256").update(content).digest("hex");

let base: string;
let dir: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "signalbox-blobs-"));
  dir = join(base, "blobs");
});
afterEach(() => rmSync(base, { recursive: true }));

const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe("the folder of blobs", () => {
  it("BLOB-FILES-1: folder and files are their user's alone, and a file holds the text and nothing else", async () => {
    const hash = hashOf("é");
    await new BlobFiles(dir, clock).put(hash, "é");
    expect(readdirSync(dir)).toEqual([hash]);
    expect([modeOf(dir), modeOf(join(dir, hash))]).toEqual([0o700, 0o600]);
    expect(readFileSync(join(dir, hash), "utf8")).toBe("é");
  });

  it("BLOB-FILES-3: what a dead process had not finished is no blob, and goes", async () => {
    const hash = hashOf("whole");
    mkdirSync(dir);
    writeFileSync(join(dir, `${hash}.draft`), "who");
    const blobs = new BlobFiles(dir, clock);
    expect(await blobs.get(hash)).toBeUndefined();
    expect(await blobs.old(Infinity)).toEqual([]);
    expect(readdirSync(dir)).toEqual([]);
  });

  it("PORTS-5: what lies there under other names is neither shown nor touched", async () => {
    mkdirSync(dir);
    writeFileSync(join(dir, "notes.txt"), "mine");
    mkdirSync(join(dir, hashOf("a folder")));
    const blobs = new BlobFiles(dir, clock);
    await expect(blobs.get(hashOf("a folder"))).rejects.toMatchObject({ code: "BLOB_DAMAGED" });
    expect(readFileSync(join(dir, "notes.txt"), "utf8")).toBe("mine");
  });

  it("BLOB-FILES-1: a blob that cannot be written is not acknowledged, and the next one is", async () => {
    writeFileSync(dir, "a file where the folder should be");
    const blobs = new BlobFiles(dir, clock);
    await expect(blobs.put(hashOf("x"), "x")).rejects.toMatchObject({
      code: "BLOB_NOT_KEPT",
      obligation: "retry",
    });
    rmSync(dir);
    await blobs.put(hashOf("x"), "x");
    expect(await blobs.get(hashOf("x"))).toBe("x");
  });

  it("BLOB-FILES-1: kill -9 amid puts leaves every acknowledged blob whole, and no other content under any name", async () => {
    const kept: string[] = [];
    for (const puts of [2, 3, 5, 8]) {
      const child = startChild("1000", dir, [], CHILD);
      await child.said("put", puts);
      child.kill();
      expect(await child.ended).toBe("SIGKILL");
      kept.push(...child.lines.flatMap((line) => (line.startsWith("kept ") ? [line.slice(5)] : [])));
      const named = readdirSync(dir).filter((name) => !name.endsWith(".draft"));
      for (const name of named) expect(hashOf(readFileSync(join(dir, name)))).toBe(name);
      expect(kept.filter((hash) => !named.includes(hash))).toEqual([]);
    }
    expect(kept.length).toBeGreaterThan(5);
  });
});

describe.runIf(strace || process.env["CI"])("what the kernel was asked for (needs strace)", () => {
  it("BLOB-FILES-1: the file is synced before it gets its name, the folder before the put is acknowledged", async () => {
    expect(strace, "strace is missing here: apt-get install strace").toBe(true);
    const log = join(base, "strace.log");
    const watch = ["-f", "-y", "-s", "99", "-o", log, "-e", "signal=none", "-e", "trace=fsync,rename,write"];
    const child = startChild("2", dir, ["strace", ...watch], CHILD);
    expect(await child.ended).toBe(0);
    const [, last = ""] = (await child.said("put", 2)).split(" ");
    const calls = callsOf(log).map((call) => call.replace(/^write\(1<[^>]*>/, "write(1"));
    const steps = between(calls, `put ${last}`, `kept ${last}`).flatMap((call) => {
      const what = /^(fsync|rename)\(/.exec(call)?.[1];
      return what === undefined ? [] : `${what} ${/\/(blobs(?:\/[^">]*)?)[">]/.exec(call)?.[1] ?? call}`;
    });
    expect(steps).toEqual([`fsync blobs/${last}.draft`, `rename blobs/${last}.draft`, "fsync blobs"]);
  });
});
