// Data folder
// Where data lives, and the secret that lies beside it.

import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  dataFolder,
  ensureToken,
  makeFolder,
  readAddress,
  readToken,
  writeAddress,
} from "../adapters/data-folder/index.ts";

let dir: string;
beforeEach(() => (dir = mkdtempSync(join(tmpdir(), "signalbox-folder-"))));
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe("data folder", () => {
  it("D1: the folder and the token are their user's alone", async () => {
    const folder = dataFolder(join(dir, "a", "b"), {});
    await makeFolder(folder);
    const token = await ensureToken(folder);
    expect([modeOf(folder.dir), modeOf(folder.token)]).toEqual([0o700, 0o600]);
    expect(Buffer.from(token, "base64url")).toHaveLength(32);
    expect(readdirSync(folder.dir)).toEqual(["token"]);
  });

  it("D1: a token others could read is closed to them when it is used again", async () => {
    const folder = dataFolder(dir, {});
    const token = await ensureToken(folder);
    chmodSync(folder.token, 0o644);
    expect(await ensureToken(folder)).toBe(token);
    expect(modeOf(folder.token)).toBe(0o600);
  });

  it("D2: those that make the token at once end with the same one", async () => {
    const folder = dataFolder(dir, {});
    const tokens = await Promise.all(Array.from({ length: 20 }, () => ensureToken(folder)));
    expect(new Set(tokens)).toEqual(new Set([readFileSync(folder.token, "utf8").trim()]));
    expect(readdirSync(dir)).toEqual(["token"]);
  });

  it("D1: an empty token file opens nothing and is told by its path", async () => {
    const folder = dataFolder(dir, {});
    writeFileSync(folder.token, "\n");
    expect(await readToken(folder)).toBeUndefined();
    await expect(ensureToken(folder)).rejects.toThrow(folder.token);
  });

  it("CLI: a folder that is named wins over SIGNALBOX_DATA, and that over the platform's", () => {
    expect(dataFolder("/a", { SIGNALBOX_DATA: "/b" }).dir).toBe("/a");
    expect(dataFolder(undefined, { SIGNALBOX_DATA: "/b" }).dir).toBe("/b");
    expect(dataFolder(undefined, {}).dir).toMatch(/signalbox$/);
  });

  it("CLI: the address that was written is read, and none is none", async () => {
    const folder = dataFolder(dir, {});
    expect(await readAddress(folder)).toBeUndefined();
    await writeAddress(folder, "http://127.0.0.1:1");
    await writeAddress(folder, "http://127.0.0.1:2");
    expect(await readAddress(folder)).toBe("http://127.0.0.1:2");
    expect(readdirSync(dir)).toEqual(["address"]);
  });
});
