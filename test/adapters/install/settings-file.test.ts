// Settings file
// Which files of the client's settings are changed, and which are not.

import { installForm } from "../../../adapters/claude-code/install.ts";
import {
  chmodSync,
  existsSync,
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
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readSettingsFile, writeSettingsFile } from "../../../adapters/install/index.ts";
import { codeOf } from "../../support/engine/refusal.ts";

let dir: string;
let path: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "signalbox-settings-"));
  path = join(dir, "claude", "settings.json");
});
afterEach(() => {
  chmodSync(dir, 0o700);
  rmSync(dir, { recursive: true, force: true });
});

const copy = (): string => join(dir, "copy");

describe("SETTINGS-FILE-1: a file of settings", () => {
  it("SETTINGS-FILE-1: it is written whole, keeps its mode, and is kept as it was; one that is not there is made", async () => {
    await writeSettingsFile(await readSettingsFile(path), "one\n", copy());
    expect([readFileSync(path, "utf8"), existsSync(copy())]).toEqual(["one\n", false]);
    chmodSync(path, 0o640);
    await writeSettingsFile(await readSettingsFile(path), "two\n", copy());
    expect([readFileSync(path, "utf8"), readFileSync(copy(), "utf8")]).toEqual(["two\n", "one\n"]);
    expect(statSync(path).mode & 0o777).toBe(0o640);
    expect(readdirSync(join(dir, "claude"))).toEqual(["settings.json"]);
  });

  it("SETTINGS-FILE-3: it keeps a mode that the user's umask would take from a new file", async () => {
    await writeSettingsFile(await readSettingsFile(path), "one\n", copy());
    chmodSync(path, 0o664);
    const before = process.umask(0o022);
    try {
      await writeSettingsFile(await readSettingsFile(path), "two\n", copy());
    } finally {
      process.umask(before);
    }
    expect([statSync(path).mode & 0o777, statSync(copy()).mode & 0o777]).toEqual([0o664, 0o600]);
  });

  it("SETTINGS-FILE-1: in a home where nothing is yet, the folders above it are made", async () => {
    const deep = join(dir, "home/.config/agent/plugins/hooks.js");
    await writeSettingsFile(await readSettingsFile(deep), "one\n", copy());
    expect(readFileSync(deep, "utf8")).toBe("one\n");
    writeFileSync(join(dir, "file"), "");
    const below = await readSettingsFile(join(dir, "file/agent/hooks.js")).catch((error: unknown) => error);
    expect(below).toBeInstanceOf(Error);
  });

  it("SETTINGS-FILE-1: a link, and what is no file, are refused; nothing is written through them", async () => {
    mkdirSync(join(dir, "claude"));
    writeFileSync(join(dir, "shared.json"), "{}");
    symlinkSync(join(dir, "shared.json"), path);
    expect(await codeOf(readSettingsFile(path))).toBe("SETTINGS_LINKED");
    rmSync(path);
    mkdirSync(path);
    expect(await codeOf(readSettingsFile(path))).toBe("SETTINGS_NO_FILE");
  });

  it("SETTINGS-FILE-1: one that is no UTF-8 is refused with the line, and one that is comes back to the byte", async () => {
    mkdirSync(join(dir, "claude"));
    for (const [bytes, line] of [
      [Buffer.from('{\n"a": "\xe4"}', "latin1"), 2],
      [Buffer.from([0x7b, 0x7d, 0x0a, 0xef]), 2],
      [Buffer.from("\ufeff{}", "utf16le"), 1],
    ] as const) {
      writeFileSync(path, bytes);
      await expect(readSettingsFile(path)).rejects.toMatchObject({
        code: "SETTINGS_NOT_UTF8",
        message: expect.stringContaining(`line ${line} `) as string,
      });
      expect(readFileSync(path)).toEqual(bytes);
    }
    const odd = Buffer.from("\ufeff{\r\n} \u0000\ufffd\u{1f600}");
    writeFileSync(path, odd);
    expect(Buffer.from((await readSettingsFile(path)).text ?? "")).toEqual(odd);
  });

  it("SETTINGS-FILE-2: what somebody else wrote in between is not written over", async () => {
    await writeSettingsFile(await readSettingsFile(path), "{}\n", copy());
    const read = await readSettingsFile(path);
    writeFileSync(path, '{"theirs": 1}\n');
    expect(await codeOf(writeSettingsFile(read, "ours", copy()))).toBe("SETTINGS_CHANGED");
    expect(readFileSync(path, "utf8")).toBe('{"theirs": 1}\n');
    expect(readdirSync(join(dir, "claude"))).toEqual(["settings.json"]);
  });

  it("SETTINGS-FILE-1: where nothing may be written, that is said, with what to do", async () => {
    const file = await readSettingsFile("/proc/settings.json");
    expect(await codeOf(writeSettingsFile(file, "{}", copy()))).toBe("SETTINGS_READ_ONLY");
  });

  it("SETTINGS-FILE-1: somebody else's file is refused, with whose it is; it stays as it was", async () => {
    mkdirSync(join(dir, "claude"));
    writeFileSync(path, "{}\n");
    const other = vi.spyOn(process, "getuid").mockReturnValue(statSync(path).uid + 1);
    try {
      expect(await codeOf(readSettingsFile(path))).toBe("SETTINGS_NOT_YOURS");
    } finally {
      other.mockRestore();
    }
    expect(readFileSync(path, "utf8")).toBe("{}\n");
  });

  it("SETTINGS-FILE-1: each scope has its file, and the client's own variable counts", () => {
    const env = { HOME: "/home/dev" };
    expect(installForm.settingsPath("user", "/shop", env, "/home/dev")).toBe(
      "/home/dev/.claude/settings.json",
    );
    expect(
      installForm.settingsPath("user", "/shop", { ...env, CLAUDE_CONFIG_DIR: "/config" }, "/home/dev"),
    ).toBe("/config/settings.json");
    expect(installForm.settingsPath("project", "/shop", env, "/home/dev")).toBe(
      "/shop/.claude/settings.json",
    );
    expect(installForm.settingsPath("local", "/shop", env, "/home/dev")).toBe(
      "/shop/.claude/settings.local.json",
    );
  });
});
