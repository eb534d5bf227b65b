// Data folder, used before
// What a folder has held is not begun anew when it is lost: the start says what is gone, and what to do.
//
//   Owns:          G23 as far as the whole folder goes.
//   Does not own:  what is wrong inside the store's own files (lmdb/lost.test.ts).

import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type DataFolder, dataFolder, ensureKey, makeFolder } from "../../../adapters/data-folder/index.ts";
import { createEngine, FatalError, RefusedError } from "../../../adapters/index.ts";
import { event } from "../../support/http/served.ts";

let dir: string;
let folder: DataFolder;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "signalbox-used-"));
  folder = dataFolder(dir, {});
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** An engine's life on the folder; it takes a message in. */
async function use(): Promise<void> {
  const engine = await createEngine({ dataDir: dir });
  await engine.send(event("request.created", { requestId: "r1" }));
  await engine.stop();
}

const known = async (): Promise<boolean> => {
  const engine = await createEngine({ dataDir: dir });
  const found = engine.queries.getRequest("r1") !== undefined;
  await engine.stop();
  return found;
};

/** How a start is refused. */
async function refusal(): Promise<{
  readonly code: string;
  readonly message: string;
  readonly next: string;
}> {
  const error: unknown = await createEngine({ dataDir: dir }).then(
    () => "it started",
    (error: unknown) => error,
  );
  if (error instanceof FatalError || error instanceof RefusedError) return error;
  throw new Error(String(error));
}

const all = () => readdirSync(dir, { recursive: true }).toSorted();
/** The command at the end of what is to be done. */
const commandIn = (next: string): string => /: ([^:]+)$/.exec(next)?.[1] ?? "";

describe("G23: a part of the folder that is gone", () => {
  it.each([
    ["the store", () => rmSync(folder.store, { recursive: true }), "store/data.mdb"],
    ["the store's file", () => rmSync(join(folder.store, "data.mdb")), "store/data.mdb"],
    ["what was in the store's file", () => truncateSync(join(folder.store, "data.mdb")), "store/data.mdb"],
    ["the blobs", () => rmSync(folder.blobs, { recursive: true }), "blobs"],
    ["the journal's name", () => rmSync(folder.journal), "journal"],
    ["the seal key", () => rmSync(folder.key), "key"],
  ])(
    "G23, RECORD-1: without %s no start begins anew; the command it names gives it up",
    async (_, lose, path) => {
      await makeFolder(folder);
      await ensureKey(folder);
      await use();
      lose();
      const before = all();
      for (let times = 0; times < 2; times += 1) {
        const { code, message, next } = await refusal();
        expect([code, message, next]).toEqual([
          "FOLDER_LOST",
          expect.stringContaining(join(dir, path)),
          expect.stringContaining("Put it back from a copy of the data folder"),
        ]);
        expect(all()).toEqual(before);
      }
      const { next } = await refusal();
      execFileSync("sh", ["-c", commandIn(next)]);
      expect(await known()).toBe(!path.startsWith("store"));
      await use();
    },
  );

  it("G23: one that was put back from a copy is gone on with", async () => {
    await use();
    cpSync(dir, `${dir}.copy`, { recursive: true });
    rmSync(folder.store, { recursive: true });
    await refusal();
    cpSync(join(`${dir}.copy`, "store"), folder.store, { recursive: true });
    rmSync(`${dir}.copy`, { recursive: true });
    expect(await known()).toBe(true);
  });

  it("G23: a store from before the newest start is told from the newest, and taken where it is said", async () => {
    await use();
    cpSync(folder.store, `${dir}.store`, { recursive: true });
    await use();
    rmSync(folder.store, { recursive: true });
    cpSync(`${dir}.store`, folder.store, { recursive: true });
    rmSync(`${dir}.store`, { recursive: true });
    const { code, next } = await refusal();
    expect(code).toBe("STORE_OLDER");
    execFileSync("sh", ["-c", commandIn(next)]);
    expect(await known()).toBe(true);
  });

  it("G23, RECORD-2: a folder of an earlier version is taken as it is, and known from then on", async () => {
    await use();
    rmSync(folder.record);
    rmSync(folder.blobs, { recursive: true });
    expect(await known()).toBe(true);
    expect(JSON.parse(readFileSync(folder.record, "utf8"))).toMatchObject({
      holds: ["store", "blobs", "journal"],
      journal: "embedded",
    });
  });

  it("G23: a record that cannot be read is told, with what has it written anew", async () => {
    await use();
    writeFileSync(folder.record, "{");
    const { code, next } = await refusal();
    expect(code).toBe("BAD_RECORD");
    execFileSync("sh", ["-c", commandIn(next)]);
    expect(await known()).toBe(true);
  });

  it("G23: a folder that was never used is no loss", async () => {
    await makeFolder(folder);
    expect(existsSync(folder.record)).toBe(false);
    await use();
    expect(await known()).toBe(true);
  });
});
