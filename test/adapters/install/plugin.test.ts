// Plugin
// The hooks as a folder that the client loads: its files, twice, and beside other things.

import { installForm } from "../../../adapters/claude-code/install.ts";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeDeep } from "../../../adapters/data-folder/index.ts";
import {
  changedPluginFiles,
  entryOf,
  pluginFiles,
  writePluginFiles,
} from "../../../adapters/install/index.ts";
import { hooksIn } from "../../../adapters/install/settings.ts";

let dir: string;
beforeEach(() => (dir = mkdtempSync(join(tmpdir(), "signalbox-plugin-"))));
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const DATA = "/home/ada/it's here";
const terms = { choice: "permission", closed: "ask" } as const;
const wanted = [
  { event: "PreToolUse", entry: entryOf(installForm, DATA, "observe", 5, terms) },
  { event: "PermissionRequest", entry: entryOf(installForm, DATA, "gate", 60, terms) },
];
const files = (version = "1.2.3") => pluginFiles(join(dir, "plugin"), DATA, wanted, version);
async function write(version?: string): Promise<readonly string[]> {
  const changed = await changedPluginFiles(join(dir, "plugin"), files(version));
  await writePluginFiles(changed, makeDeep);
  return changed.map(({ path }) => path.slice(dir.length + 8));
}

describe("I-39: the plugin's folder", () => {
  it("PLUGIN-2: has a manifest and the hooks, with the absolute paths of their programs; twice it is the same", async () => {
    expect(await write()).toEqual([".claude-plugin/plugin.json", "hooks/hooks.json"]);
    const hooks = hooksIn(readFileSync(join(dir, "plugin/hooks/hooks.json"), "utf8"));
    expect(hooks.map(({ event, kind, data }) => [event, kind, data])).toEqual([
      ["PreToolUse", "observe", DATA],
      ["PermissionRequest", "gate", DATA],
    ]);
    expect(await write()).toEqual([]);
    expect(await write("2.0.0")).toEqual([".claude-plugin/plugin.json"]);
    expect(readdirSync(join(dir, "plugin"), { recursive: true }).toSorted()).toEqual([
      ".claude-plugin",
      ".claude-plugin/plugin.json",
      "hooks",
      "hooks/hooks.json",
    ]);
  });

  it("PLUGIN-1: another plugin's folder, and one with anything else in it, stays as it is", async () => {
    mkdirSync(join(dir, "plugin/.claude-plugin"), { recursive: true });
    writeFileSync(join(dir, "plugin/.claude-plugin/plugin.json"), '{"name":"other"}');
    await expect(write()).rejects.toMatchObject({ code: "NOT_OUR_PLUGIN" });
    rmSync(join(dir, "plugin"), { recursive: true });
    await write();
    writeFileSync(join(dir, "plugin/notes.txt"), "mine");
    await expect(write("2.0.0")).rejects.toMatchObject({ code: "NOT_OUR_PLUGIN" });
    expect(existsSync(join(dir, "plugin/notes.txt"))).toBe(true);
    expect(readFileSync(join(dir, "plugin/.claude-plugin/plugin.json"), "utf8")).toContain("1.2.3");
  });
});
