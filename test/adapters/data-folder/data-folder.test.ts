// Data folder
// Where data lives, and the secret that lies beside it.

import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  addToken,
  dataFolder,
  ensureKey,
  ensureSecret,
  makeFolder,
  onClosed,
  readAddress,
  removeAddress,
  readBinding,
  readTokens,
  readSecret,
  writeAddress,
  writeBinding,
} from "../../../adapters/data-folder/index.ts";

let dir: string;
beforeEach(() => (dir = mkdtempSync(join(tmpdir(), "signalbox-folder-"))));
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe("data folder", () => {
  it("SECRET-1: the folder and the token are their user's alone", async () => {
    const folder = dataFolder(join(dir, "a", "b"), {});
    await makeFolder(folder);
    const token = await ensureSecret(folder.lineKey);
    expect([modeOf(folder.dir), modeOf(folder.lineKey)]).toEqual([0o700, 0o600]);
    expect(Buffer.from(token, "base64url")).toHaveLength(32);
    expect(readdirSync(folder.dir)).toEqual(["line-key"]);
  });

  it("SECRET-1: a token others could read is closed to them when it is used again", async () => {
    const folder = dataFolder(dir, {});
    onClosed(() => undefined);
    const token = await ensureSecret(folder.lineKey);
    chmodSync(folder.lineKey, 0o644);
    expect(await ensureSecret(folder.lineKey)).toBe(token);
    expect(modeOf(folder.lineKey)).toBe(0o600);
  });

  it("SECRET-2, DATA-FOLDER-OWN-FILE-1: those that make the token at once end with the same one", async () => {
    const folder = dataFolder(dir, {});
    const tokens = await Promise.all(Array.from({ length: 20 }, () => ensureSecret(folder.lineKey)));
    expect(new Set(tokens)).toEqual(new Set([readFileSync(folder.lineKey, "utf8").trim()]));
    expect(readdirSync(dir)).toEqual(["line-key"]);
  });

  it("TOKENS-1: a person's token that is short enough to be guessed is refused, by its file", async () => {
    const folder = dataFolder(dir, {});
    const made = await addToken(folder, "ann");
    expect((await readTokens(folder)).map(({ name }) => name)).toEqual(["ann"]);
    writeFileSync(made, "hunter2\n");
    await expect(readTokens(folder)).rejects.toMatchObject({
      code: "WEAK_TOKEN",
      message: expect.stringContaining(made) as unknown,
    });
  });

  it("SECRET-1: an empty token file opens nothing and is told by its path", async () => {
    const folder = dataFolder(dir, {});
    writeFileSync(folder.lineKey, "\n");
    expect(await readSecret(folder.lineKey)).toBeUndefined();
    await expect(ensureSecret(folder.lineKey)).rejects.toThrow(folder.lineKey);
  });

  it("SECRET-1: the seal key is 32 bytes, its user's alone, the same at every start; a spoilt one is told by its path", async () => {
    const folder = dataFolder(dir, {});
    const key = await ensureKey(folder);
    expect([key.length, modeOf(folder.key)]).toEqual([32, 0o600]);
    expect(await ensureKey(folder)).toEqual(key);
    expect(await ensureSecret(folder.lineKey)).not.toBe(Buffer.from(key).toString("base64url"));
    writeFileSync(folder.key, "c2hvcnQ\n");
    await expect(ensureKey(folder)).rejects.toThrow(folder.key);
  });

  it("DATA-FOLDER-BINDING-1: a folder is bound to a journal once it has a store; one from before has the built-in journal", async () => {
    const folder = dataFolder(dir, {});
    await writeBinding(folder, { kind: "private" });
    expect(await readBinding(folder)).toBeUndefined();
    mkdirSync(folder.store);
    expect(await readBinding(folder)).toEqual({ kind: "private" });
    for (const binding of [
      { kind: "embedded" },
      { kind: "server", at: "nats://nats.example:4222" },
    ] as const) {
      await writeBinding(folder, binding);
      expect(await readBinding(folder)).toEqual(binding);
    }
    for (const text of ["", "server", "private 1", "other"]) {
      writeFileSync(folder.journal, text);
      await expect(readBinding(folder)).rejects.toThrow(folder.journal);
    }
    rmSync(folder.journal);
    expect(await readBinding(folder)).toEqual({ kind: "embedded" });
  });

  it("CLI: a folder that is named wins over SIGNALBOX_DATA, and that over the platform's", () => {
    expect(dataFolder("/a", { SIGNALBOX_DATA: "/b" }).dir).toBe("/a");
    expect(dataFolder(undefined, { SIGNALBOX_DATA: "/b" }).dir).toBe("/b");
    expect(dataFolder(undefined, {}).dir).toMatch(/signalbox$/);
  });

  it("ADDRESS-1, ADDRESS-2: the address that was written is read, and taken away by the start that wrote it", async () => {
    const folder = dataFolder(dir, {});
    expect(await readAddress(folder)).toBeUndefined();
    const [one, other] = [1, 2].map((n) => ({
      url: `http://127.0.0.1:${n}`,
      start: `s${n}`,
      machine: "boot box",
    }));
    if (!one || !other) throw new Error("There are two.");
    await writeAddress(folder, one);
    await writeAddress(folder, other);
    expect(await readAddress(folder)).toEqual(other);
    await removeAddress(folder, one.start);
    expect([await readAddress(folder), readdirSync(dir)]).toEqual([other, ["address"]]);
    await removeAddress(folder, other.start);
    expect([await readAddress(folder), readdirSync(dir)]).toEqual([undefined, []]);
  });
});
