// Quoted
// Whatever a text is, it adds no command to the line that it is in.

import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { expect, it } from "vitest";
import { changeText } from "../../../adapters/cli/hooks-text.ts";
import { checkPluginFile, pluginFileText } from "../../../adapters/install/index.ts";
import { installForm } from "../../../adapters/claude-code/install.ts";
import { openCode } from "../../../adapters/agent-hooks/opencode.ts";
import { pasted, quoted } from "../../../runtime/text/quoted.ts";
import { oneLine } from "../../../runtime/text/visible.ts";
import { samples } from "../../support/properties/property.ts";

const text = fc.string({
  unit: fc.constantFrom("'", "\\", '"', "$", "`", ";", " ", "\n", "\u001b", "a", "ü"),
});

it("QUOTED-1: sh reads each word as one, with exactly the text, or with its hidden characters shown", () => {
  const texts = samples(500, text);
  const words = [...texts.map(quoted), ...texts.map(pasted)];
  const { stdout } = spawnSync("/bin/sh", ["-c", `printf '%s\\0' ${words.join(" ")}`], { encoding: "utf8" });
  expect(stdout.split("\0").slice(0, -1)).toEqual([...texts, ...texts.map((each) => oneLine(each))]);
});

it("QUOTED-1: no backslash stands between the quotes of a word that somebody pastes", () => {
  for (const each of samples(500, text)) expect(pasted(each)).toMatch(/^'[^'\\\n]*'(\\['\\]'[^'\\\n]*')*$/);
});

it("QUOTED-1, HOOKS-TEXT-1, PLUGIN-FILE-1: another data folder, which a repository names, is one word of the advice", () => {
  const data = "/x'; touch ran; '\n$(touch ran)";
  const change = {
    path: "/s.json",
    changes: [],
    others: [data],
    areHooksOff: false,
    putIn: [],
    takenOut: [],
  };
  const advice = changeText(installForm, change, true, true).at(-1) ?? "";
  const command = "npx signalbox uninstall --data '/x'\\''; touch ran; '\\''␊$(touch ran)'";
  expect([advice.endsWith(command), advice.includes("\n")]).toEqual([true, false]);
  const head = { data, choice: "all", closed: "deny", timeoutS: 600 } as const;
  const plugin = pluginFileText(openCode.plugin, head);
  expect(() => checkPluginFile("/p.js", plugin, "/d", "opencode")).toThrow(
    expect.objectContaining({
      next: expect.stringContaining("--data '/x'\\''; touch ran; '\\''␊$(touch ran)'") as string,
    }) as Error,
  );
});
