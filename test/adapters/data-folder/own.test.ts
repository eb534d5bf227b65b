// Data folder, its owner
// Whose the folder and its files are, and who else could write to them: what is refused, what is put right.
//
//   Owns:          G27 as far as one user's process can see it.
//   Does not own:  other users' processes (cli/disk.test.ts).

import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  addToken,
  checkHeld,
  type DataFolder,
  dataFolder,
  ensureKey,
  ensureSecret,
  makeFolder,
  onClosed,
  readAddress,
  readBinding,
  readTokens,
  readSecret,
  writeAddress,
  writeBinding,
  writeRecord,
} from "../../../adapters/data-folder/index.ts";

let base: string;
let dir: string;
let folder: DataFolder;
let told: string[];
beforeEach(() => {
  told = [];
  onClosed((what) => told.push(what));
  base = mkdtempSync(join(tmpdir(), "signalbox-own-"));
  dir = join(base, "data");
  folder = dataFolder(dir, {});
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const modeOf = (path: string): number => statSync(path).mode & 0o7777;
const refused = (code: string, ...parts: readonly string[]) => ({
  code,
  obligation: "give-up",
  message: expect.stringContaining(parts[0] ?? "") as string,
  next: expect.stringContaining(parts[1] ?? "") as string,
});

/** Each file of the folder, what makes it, and what reads it. */
const FILES: readonly (readonly [
  string,
  (folder: DataFolder) => Promise<unknown>,
  (folder: DataFolder) => Promise<unknown>,
])[] = [
  ["line-key", ({ lineKey }) => ensureSecret(lineKey), ({ lineKey }) => ensureSecret(lineKey)],
  ["line-key", ({ lineKey }) => ensureSecret(lineKey), ({ lineKey }) => readSecret(lineKey)],
  ["key", ensureKey, ensureKey],
  ["tokens/ada", (folder) => addToken(folder, "ada"), readTokens],
  [
    "address",
    (folder) => writeAddress(folder, { url: "http://127.0.0.1:1", start: "s", machine: "m" }),
    readAddress,
  ],
  ["journal", (folder) => writeBinding(folder, { kind: "private" }), readBinding],
  ["folder.json", (folder) => writeRecord(folder, 1), checkHeld],
];

describe("G27: a file of the folder", () => {
  it.each(FILES)(
    "G27, DATA-FOLDER-OWN-FILE-2: %s as a symbolic link is not followed, and what it leads to is left as it is",
    async (name, make, read) => {
      await makeFolder(folder);
      mkdirSync(folder.store);
      await make(folder);
      const elsewhere = join(base, "elsewhere");
      const text = readFileSync(join(dir, name), "utf8");
      writeFileSync(elsewhere, text);
      chmodSync(elsewhere, 0o644);
      rmSync(join(dir, name));
      symlinkSync(elsewhere, join(dir, name));
      await expect(read(folder)).rejects.toMatchObject(
        refused("LINKED", join(dir, name), `rm '${join(dir, name)}'`),
      );
      expect([modeOf(elsewhere), readFileSync(elsewhere, "utf8")]).toEqual([0o644, text]);
    },
  );

  it.each(FILES)(
    "G27, DATA-FOLDER-OWN-FILE-2: %s that others may write is refused with the command that closes it",
    async (name, make, read) => {
      await makeFolder(folder);
      mkdirSync(folder.store);
      await make(folder);
      const path = join(dir, name);
      for (const mode of [0o620, 0o602]) {
        chmodSync(path, mode);
        await expect(read(folder)).rejects.toMatchObject(
          refused("OPEN_TO_OTHERS", path, `chmod 600 '${path}'`),
        );
        expect(modeOf(path)).toBe(mode);
      }
      execFileSync("chmod", ["600", path]);
      await read(folder);
    },
  );

  it.each([
    ["line-key", ({ lineKey }: DataFolder) => ensureSecret(lineKey), "rm '"],
    ["key", ensureKey, "Do not delete the key"],
    ["tokens/ada", (folder: DataFolder) => addToken(folder, "ada"), "token rm ada"],
  ] as const)(
    "CLOSED-1: %s that others could read is closed, and who runs this is told what to do",
    async (name, make, next) => {
      await makeFolder(folder);
      await make(folder);
      chmodSync(join(dir, name), 0o644);
      await readSecret(join(dir, name));
      expect(modeOf(join(dir, name))).toBe(0o600);
      expect(told).toEqual([expect.stringMatching(/Others could read .*\(mode 644\).*closed now/)]);
      expect(told.join()).toContain(next);
    },
  );

  it("G27: a second name of a file is refused; a draft's, left by one that was killed, is taken away", async () => {
    await makeFolder(folder);
    const token = await ensureSecret(folder.lineKey);
    linkSync(folder.lineKey, join(base, "other"));
    await expect(readSecret(folder.lineKey)).rejects.toMatchObject(refused("LINKED", folder.lineKey));
    rmSync(join(base, "other"));
    linkSync(folder.lineKey, `${folder.lineKey}.0190`);
    expect(await readSecret(folder.lineKey)).toBe(token);
    expect(readdirSync(dir)).toEqual(["line-key"]);
  });

  it("G27: a folder or a pipe in the place of a secret is refused at once", async () => {
    await makeFolder(folder);
    mkdirSync(folder.lineKey);
    await expect(readSecret(folder.lineKey)).rejects.toMatchObject(refused("NOT_A_FILE", folder.lineKey));
    rmSync(folder.lineKey, { recursive: true });
    execFileSync("mkfifo", ["-m", "600", folder.lineKey]);
    await expect(readSecret(folder.lineKey)).rejects.toMatchObject(refused("NOT_A_FILE", folder.lineKey));
  });

  it.runIf(process.getuid?.() === 0).each(FILES)(
    "G27: %s of another user is refused, by root too",
    async (name, make, read) => {
      await makeFolder(folder);
      mkdirSync(folder.store);
      await make(folder);
      const path = join(dir, name);
      chownSync(path, 4321, 4321);
      await expect(read(folder)).rejects.toMatchObject(refused("NOT_YOURS", path, "sudo -u '#4321'"));
      expect(statSync(path).uid).toBe(4321);
    },
  );
});

describe("G27: the folder", () => {
  const OPEN = [0o777, 0o770, 0o707, 0o722];

  it.each(OPEN)(
    "G27, CLOSED-1: one with mode %o that holds nothing but our own files is closed, which is told once",
    async (mode) => {
      await makeFolder(folder);
      await ensureSecret(folder.lineKey);
      await addToken(folder, "ada");
      writeFileSync(`${folder.address}.0190`, "a draft");
      chmodSync(dir, mode);
      await makeFolder(folder);
      expect(modeOf(dir)).toBe(0o700);
      expect(told).toEqual([expect.stringContaining(`${dir} was open to others (mode ${mode.toString(8)})`)]);
      await makeFolder(folder);
      expect(told).toHaveLength(1);
    },
  );

  it.each([
    ["a file that is no part of it", () => writeFileSync(join(dir, "notes.txt"), "")],
    ["a link", () => symlinkSync(base, join(dir, "blobs"))],
  ])(
    "G27, DATA-FOLDER-OWNERSHIP-3: one that others may write is refused where it holds %s, and keeps its mode",
    async (_, put) => {
      await makeFolder(folder);
      put();
      chmodSync(dir, 0o777);
      await expect(makeFolder(folder)).rejects.toMatchObject(
        refused("OPEN_TO_OTHERS", dir, `chmod 700 '${dir}'`),
      );
      expect(modeOf(dir)).toBe(0o777);
    },
  );

  it("G27: a place meant for everybody is never closed", async () => {
    mkdirSync(dir);
    chmodSync(dir, 0o1777);
    await expect(makeFolder(folder)).rejects.toMatchObject(refused("OPEN_TO_OTHERS", dir));
    expect([modeOf(dir), readdirSync(dir)]).toEqual([0o1777, []]);
  });

  it("G27, DATA-FOLDER-OWNERSHIP-2: one in a folder that others may write is refused; not where that is sticky", async () => {
    mkdirSync(join(base, "open"));
    chmodSync(join(base, "open"), 0o777);
    const inside = dataFolder(join(base, "open", "a", "data"), {});
    await expect(makeFolder(inside)).rejects.toMatchObject(
      refused("OPEN_TO_OTHERS", join(base, "open"), `chmod go-w '${join(base, "open")}'`),
    );
    chmodSync(join(base, "open"), 0o1777);
    await makeFolder(inside);
  });

  it("G27: by a link too: the folder it leads to has to be safe", async () => {
    mkdirSync(join(base, "open", "data"), { recursive: true });
    chmodSync(join(base, "open"), 0o777);
    symlinkSync(join(base, "open", "data"), dir);
    await expect(makeFolder(folder)).rejects.toMatchObject(refused("OPEN_TO_OTHERS", join(base, "open")));
  });

  it("G27: a folder in it that others may write is closed, one that is a link is refused", async () => {
    await makeFolder(folder);
    mkdirSync(folder.blobs);
    chmodSync(folder.blobs, 0o777);
    await makeFolder(folder);
    expect(modeOf(folder.blobs)).toBe(0o700);
    expect(told).toEqual([expect.stringContaining(`${folder.blobs} was open to others (mode 777)`)]);
    symlinkSync(base, folder.store);
    await expect(makeFolder(folder)).rejects.toMatchObject(refused("LINKED", folder.store));
  });

  it("G27: a file in its place is told", async () => {
    writeFileSync(dir, "");
    await expect(makeFolder(folder)).rejects.toMatchObject(refused("NOT_A_FOLDER", dir));
    expect(() => dataFolder("", {})).toThrow(expect.objectContaining({ code: "NO_FOLDER" }));
  });

  it.runIf(process.getuid?.() === 0)(
    "G27, DATA-FOLDER-OWNERSHIP-1: another user's folder, and one with another's files in it, is refused, by root too",
    async () => {
      await makeFolder(folder);
      chownSync(dir, 4321, 4321);
      await expect(makeFolder(folder)).rejects.toMatchObject(
        refused("NOT_YOURS", dir, `chown -R 0 '${dir}'`),
      );
      chownSync(dir, 0, 0);
      writeFileSync(folder.address, "");
      chownSync(folder.address, 4321, 4321);
      await expect(makeFolder(folder)).rejects.toMatchObject(refused("NOT_YOURS", folder.address));
      chownSync(base, 4321, 4321);
      rmSync(folder.address);
      await expect(makeFolder(folder)).rejects.toMatchObject(refused("OPEN_TO_OTHERS", base));
    },
  );

  it("G23, MAKE-1: where nothing can be made, that is told at once", async () => {
    const nowhere = dataFolder("/proc/nowhere/data", {});
    await expect(makeFolder(nowhere)).rejects.toMatchObject({
      code: "FOLDER_UNUSABLE",
      message: expect.stringContaining("ENOENT") as string,
    });
  });

  it.each([
    ["x".repeat(300), "ENAMETOOLONG"],
    ["line-key/data", "ENOTDIR"],
  ])(
    "G29, DATA-FOLDER-TROUBLE-1: the system's word on %s comes with the path and what to do",
    async (name, code) => {
      await makeFolder(folder);
      await ensureSecret(folder.lineKey);
      const bad = dataFolder(join(dir, name), {});
      for (const step of [
        () => makeFolder(bad),
        () => readSecret(bad.lineKey),
        () => readAddress(bad),
        () => readBinding(bad),
      ])
        await expect(step()).rejects.toMatchObject({
          code: "FOLDER_UNUSABLE",
          message: expect.stringContaining(`(${code})`) as string,
          next: expect.stringContaining("--data") as string,
        });
    },
  );
});
