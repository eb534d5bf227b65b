// Plugin file
// The one file that an agent loads: whose it is, what it was made of, and that nothing else is touched.

import { test, fc } from "@fast-check/vitest";
import { describe, expect, it } from "vitest";
import { openCode } from "../../../adapters/agent-hooks/opencode.ts";
import { checkPluginFile, pluginFileText, pluginHeadIn } from "../../../adapters/install/index.ts";
import type { GateChoice } from "../../../runtime/install-form.ts";

const form = openCode.plugin;
const head = fc.record(
  {
    data: fc.oneof(
      fc.string({ minLength: 1 }),
      fc.constantFrom("/home/dev/it's \u2028here\n", '/d"; x()', "/d */ x() /*"),
    ),
    choice: fc.constantFrom<GateChoice>("all", "none"),
    closed: fc.constantFrom<"ask" | "deny">("ask", "deny"),
    timeoutS: fc.integer({ min: 10, max: 86_400 }),
    workspace: fc.stringMatching(/^[\w-]{1,128}$/),
    clientName: fc.constant("opencode-cli"),
  },
  { requiredKeys: ["data", "choice", "closed", "timeoutS"] },
);
const HEAD = { data: "/d", choice: "all", closed: "deny", timeoutS: 600 } as const;

describe("PLUGIN-FILE-1: a plugin's file", () => {
  test.prop([head])(
    "PLUGIN-FILE-2: its first line says what it was made of, and the same is made of it",
    (each) => {
      const text = pluginFileText(form, each);
      const found = pluginHeadIn(text);
      expect(found).toEqual(each);
      expect(found && pluginFileText(form, found)).toBe(text);
      // Nothing of the folder's name stands outside of a comment or a text.
      expect(text.split(/\r\n|[\n\r\u2028\u2029]/)[1]).toMatch(/^\/\/ Signalbox put this file in/);
    },
  );

  test.prop([
    fc.oneof(
      fc.string(),
      fc.string().map((text) => `// signalbox ${text}\nx`),
      fc.json(),
    ),
  ])("PLUGIN-FILE-1: any other text is nobody's but its owner's", (text) => {
    expect(pluginHeadIn(text)).toBeUndefined();
    expect(() => checkPluginFile("/p.js", text, "/d", "opencode")).toThrow("is not Signalbox's plugin");
  });

  it("PLUGIN-FILE-1: another data folder's is not taken, and how to take it out is said", () => {
    const text = pluginFileText(form, HEAD);
    expect(() => checkPluginFile("/p.js", text, "/d", "opencode")).not.toThrow();
    expect(() => checkPluginFile("/p.js", undefined, "/d", "opencode")).not.toThrow();
    expect(() => checkPluginFile("/p.js", text, "/other", "opencode")).toThrow(
      expect.objectContaining({
        code: "NOT_OUR_PLUGIN",
        next: expect.stringContaining("uninstall --agent opencode --data '/d'") as string,
      }) as Error,
    );
  });

  it.each([
    ["a first line of a later version", { ...HEAD, choice: "some" }],
    ["one without a folder", { ...HEAD, data: 7 }],
    ["one with a workspace that is no text", { ...HEAD, workspace: {} }],
    ["a list", [HEAD]],
    ["null", null],
  ])("PLUGIN-FILE-1: %s is none of ours", (_, said) => {
    expect(pluginHeadIn(`// signalbox ${JSON.stringify(said)}\n`)).toBeUndefined();
  });
});
