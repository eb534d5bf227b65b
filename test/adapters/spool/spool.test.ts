// Spool
// What hooks left behind is taken in order, once, and each file is accounted for.

import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test as property, fc } from "@fast-check/vitest";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ManualClock } from "../../support/engine/manual-clock.ts";
import { Spool } from "../../../adapters/spool/spool.ts";
import { readSpooled } from "../../../adapters/spool/spool-file.ts";
import { RefusedError, RetryableError } from "../../../runtime/errors/errors.ts";

const NOW = 1_800_000_000_000;
let dir: string;
let taken: { readonly id: string; readonly said: string; readonly time: number }[];
let refused: string[];
let failure: ((said: string) => Error | undefined) | undefined;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "signalbox-spool-"));
  [taken, refused, failure] = [[], [], undefined];
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const thrown = (error: unknown): void => {
  throw error;
};
const spool = (onError: (error: unknown) => void = thrown): Spool =>
  new Spool({
    dir,
    clock: new ManualClock(NOW),
    take({ id, body, time }) {
      const said = Buffer.from(body).toString("utf8");
      const error = failure?.(said);
      if (error) return Promise.reject(error);
      taken.push({ id, said, time });
      return Promise.resolve();
    },
    refuse({ code }) {
      refused.push(code);
      return Promise.resolve();
    },
    onError,
  });

/** @param agoMs when it was finished. */
function left(name: string, said: string, agoMs = 1_000, text = `1 42 -\n${said}`): void {
  writeFileSync(join(dir, name), text, { mode: 0o600 });
  const at = (NOW - agoMs) / 1000;
  utimesSync(join(dir, name), at, at);
}
const said = (): readonly string[] => taken.map((each) => each.said);

describe("SPOOL-1: the spool", () => {
  it("SPOOL-1: files are taken in the order in which they were finished, with the time of it, and removed", async () => {
    left("1700000002-7", "second", 2_000);
    left("1700000001-9", "first", 3_000);
    left("1700000003-8", "third", 1_000);
    await spool().drain();
    expect(said()).toEqual(["first", "second", "third"]);
    expect(taken[0]?.time).toBe(NOW - 3_000);
    expect(readdirSync(dir)).toEqual([]);
  });

  it("SPOOL-1: files of one millisecond are taken in the order in which they were finished, too", async () => {
    left("1700000001-3", "third", 1_000.2);
    left("1700000001-9", "first", 1_000.8);
    left("1700000001-5", "second", 1_000.5);
    await spool().drain();
    expect(said()).toEqual(["first", "second", "third"]);
    expect(new Set(taken.map(({ time }) => time)).size).toBe(1);
  });

  it("SPOOL-1: a file that was taken, but not removed, has the same id again", async () => {
    left("1700000001-9", "first", 3_000);
    failure = () => new RetryableError("STOPPING", "", "", 1000);
    const ids: string[] = [];
    failure = () => undefined;
    for (let n = 0; n < 2; n++) {
      left("1700000001-9", "first", 3_000);
      await spool().drain();
      ids.push(taken.at(-1)?.id ?? "");
    }
    expect(new Set(ids).size).toBe(1);
  });

  it("SPOOL-3: while nothing is taken in, files stay, and are taken in their order afterwards", async () => {
    left("1700000001-1", "first", 3_000);
    left("1700000002-2", "second", 2_000);
    failure = () => new RetryableError("STORE_FULL", "", "", 1000);
    const one = spool();
    await one.drain();
    expect([said(), readdirSync(dir).length]).toEqual([[], 2]);
    failure = undefined;
    await one.drain();
    expect(said()).toEqual(["first", "second"]);
  });

  it("SPOOL-2: what the door refuses is a dead letter already, and does not keep the others back", async () => {
    left("1700000001-1", "bad", 3_000);
    left("1700000002-2", "good", 2_000);
    failure = (each) => (each === "bad" ? new RefusedError("NOT_JSON", "", "") : undefined);
    await spool().drain();
    expect([said(), refused, readdirSync(dir)]).toEqual([["good"], [], []]);
  });

  it("SPOOL-4: what is beyond its workspace's quota is removed, and does not keep the others back", async () => {
    left("1700000001-9", "beyond", 3_000);
    left("1700000002-9", "good", 2_000);
    failure = (said) => (said === "beyond" ? new RetryableError("OVER_QUOTA", "", "", 1000) : undefined);
    await spool().drain();
    expect([said(), refused, readdirSync(dir)]).toEqual([["good"], [], []]);
  });

  it("SPOOL-2: links, files others may write and files with two names are removed unread, each with a dead letter", async () => {
    const outside = mkdtempSync(join(tmpdir(), "signalbox-outside-"));
    writeFileSync(join(outside, "secret"), "1 42 -\nsecret");
    symlinkSync(join(outside, "secret"), join(dir, "1700000001-1"));
    left("1700000002-2", "open");
    chmodSync(join(dir, "1700000002-2"), 0o622);
    left("1700000003-3", "twice");
    linkSync(join(dir, "1700000003-3"), join(outside, "other"));
    await spool().drain();
    expect([said(), refused, readdirSync(dir)]).toEqual([[], Array(3).fill("NOT_YOURS"), []]);
    rmSync(outside, { recursive: true });
  });

  it("SPOOL-2: a folder that is named like a file has one letter, stays, and holds nothing back", async () => {
    mkdirSync(join(dir, "1700000001-1"));
    left("1700000002-2", "second");
    const errors: unknown[] = [];
    const one = spool((error) => errors.push(error));
    for (let n = 0; n < 3; n++) await one.drain();
    left("1700000003-3", "third");
    await one.drain();
    expect([said(), refused, errors.length]).toEqual([["second", "third"], ["NOT_YOURS"], 1]);
    expect(readdirSync(dir)).toEqual(["1700000001-1"]);
  });

  it("SPOOL-2: a folder that is named like an unfinished file has one letter, too", async () => {
    mkdirSync(join(dir, ".1700000001-1"));
    utimesSync(join(dir, ".1700000001-1"), 1, 1);
    const errors: unknown[] = [];
    const one = spool((error) => errors.push(error));
    for (let n = 0; n < 3; n++) await one.drain();
    expect([refused, errors.length, readdirSync(dir)]).toEqual([["TORN"], 1, [".1700000001-1"]]);
  });

  it("SPOOL-2: where the count of what was dropped cannot be taken, that is told once, and files are read", async () => {
    mkdirSync(join(dir, ".dropped"));
    writeFileSync(join(dir, "dropped"), "..");
    const errors: unknown[] = [];
    const one = spool((error) => errors.push(error));
    for (const name of ["1700000001-1", "1700000002-2"]) {
      left(name, name);
      await one.drain();
    }
    expect([said(), refused, errors.length]).toEqual([["1700000001-1", "1700000002-2"], [], 1]);
  });

  it("SPOOL-2: what another user put there is not applied, and has a dead letter", async () => {
    left("1700000001-1", "forged");
    const other = vi.spyOn(process, "getuid").mockReturnValue(statSync(dir).uid + 1);
    try {
      await spool().drain();
    } finally {
      other.mockRestore();
    }
    expect([said(), refused, readdirSync(dir)]).toEqual([[], ["NOT_YOURS"], []]);
  });

  it("SPOOL-2: what is older than 7 days, torn or without its first line is not applied, and each has a dead letter", async () => {
    left("1700000001-1", "old", 8 * 86_400_000);
    left("1700000002-2", "", 1_000, "no first line");
    left("1700000003-3", "", 1_000, "");
    left(".1700000004-4", "half", 2 * 3_600_000);
    left(".1700000005-5", "being written", 1_000);
    await spool().drain();
    expect(said()).toEqual([]);
    expect(refused.toSorted()).toEqual(["NOT_SPOOLED", "NOT_SPOOLED", "TOO_OLD", "TORN"]);
    expect(readdirSync(dir)).toEqual([".1700000005-5"]);
  });

  it("SPOOL-2: what hooks could not write is told once, with its number", async () => {
    const told: string[] = [];
    const one = new Spool({
      dir,
      clock: new ManualClock(NOW),
      take: () => Promise.resolve(),
      refuse: (error) => Promise.resolve(void told.push(error.message)),
      onError: () => undefined,
    });
    writeFileSync(join(dir, "dropped"), "...");
    await one.drain();
    await one.drain();
    expect(told).toEqual(["The messages of 3 hooks could not be written to the spool."]);
    expect(readdirSync(dir)).toEqual([]);
  });

  it("SPOOL-1: what is there at the call is taken when the drain ends; what is no hook's stays untouched", async () => {
    mkdirSync(join(dir, "nested"));
    left("notes.txt", "mine");
    const one = spool();
    const before = one.drain();
    left("1700000001-1", "late");
    await Promise.all([before, one.drain()]);
    expect([said(), readdirSync(dir)]).toEqual([["late"], ["nested", "notes.txt"]]);
  });

  it("SPOOL-FILE-1: says whose hook it is, where that is not the first client", () => {
    const read = (line: string) => readSpooled(Buffer.from(`${line}\n{}`));
    expect(read("1 42 shop")).toMatchObject({ pid: 42, workspace: "shop" });
    expect(read("1 42 shop")).not.toHaveProperty("client");
    expect(read("1 42 - client=tiny gated=all")).toMatchObject({ client: "tiny", gated: "all" });
    const question = "client=tiny&via=sdk&session=run-1";
    expect(read(`1 42 - a_1 deny ${question}`)).toMatchObject({
      client: "tiny",
      answered: { approvalId: "a_1", answered: "deny", via: "sdk", unplaced: { session: "run-1" } },
    });
  });

  property.prop([fc.uint8Array({ maxLength: 600 })])(
    "SPOOL-FILE-1: any bytes are read, or refused as no file of a hook",
    (bytes) => {
      try {
        expect(readSpooled(bytes).body.length).toBeLessThan(bytes.length);
      } catch (error) {
        expect(error).toMatchObject({ code: "NOT_SPOOLED" });
      }
    },
  );
});
