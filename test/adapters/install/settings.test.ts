// Settings
// The client's settings with our hooks in them and without: nothing else changes.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test as property, fc } from "@fast-check/vitest";
import { describe, expect, it } from "vitest";
import type { GateChoice } from "../../../runtime/install-form.ts";
import { installForm } from "../../../adapters/claude-code/install.ts";
import {
  areHooksOff,
  edited,
  entryOf,
  hookKinds,
  hooksIn,
  lineChanges,
  type Wanted,
  withHooks,
  withoutHooks,
} from "../../../adapters/install/index.ts";
import { placesIn } from "../../../adapters/install/json-text.ts";

/** Each run reads the settings dozens of times. */
const RUNS = { numRuns: 25 };
const DATA = "/home/dev/it's here/signalbox";
const wanted = (choice: GateChoice = "permission", data = DATA, more = {}): readonly Wanted[] =>
  hookKinds(installForm, choice).map(([event, kind]) => ({
    event,
    entry: entryOf(installForm, data, kind, kind === "gate" ? 600 : 5, { choice, closed: "ask", ...more }),
  }));
const install = (text: string, choice: GateChoice = "permission", data = DATA): string =>
  edited(text, (before) => withHooks(before, data, wanted(choice, data)));

const FOREIGN = `{
    "model": "opus",   "permissions": {"allow": ["Bash(ls:*)"]},
    "hooks": {
        "Stop": [ {"hooks": [{"type": "command", "command": "say done # signalbox"}]} ],
        "PreToolUse": [
            {
                "matcher": "Bash",
                "hooks": [ { "type": "command", "command": "./check.sh", "timeout": 1e1 } ]
            }
        ]
    },
    "env": { "A": "\\u00e4" }
}
`;

/** Settings as people write them: any JSON, in several styles, with hooks of others. */
const foreignHook = fc.record({ type: fc.constant("command"), command: fc.string() });
const group = fc.record({
  matcher: fc.string(),
  hooks: fc.array(foreignHook, { minLength: 1, maxLength: 3 }),
});
const hooks = fc.dictionary(
  fc.constantFrom("PreToolUse", "Stop", "PermissionRequest", "Other"),
  fc.array(group, { minLength: 1, maxLength: 3 }),
  { minKeys: 1 },
);
const settings = fc
  .tuple(
    fc.dictionary(
      fc.string().filter((key) => key !== "hooks" && key !== "__proto__"),
      fc.jsonValue(),
    ),
    fc.option(hooks),
    fc.constantFrom(undefined, 2, 4, "\t"),
    fc.constantFrom("\n", "\r\n"),
  )
  .map(([others, own, indent, line]) =>
    `${JSON.stringify(own ? { ...others, hooks: own } : others, undefined, indent)}\n`.replaceAll("\n", line),
  );

describe("SETTINGS-1: the client's settings", () => {
  it("SETTINGS-1: what is foreign stays to the character, and in its order; ours come behind", () => {
    const text = install(FOREIGN);
    const { hooks } = JSON.parse(text) as { hooks: Record<string, { hooks: { command: string }[] }[]> };
    expect(hooks["PreToolUse"]?.map(({ hooks: [first] }) => first?.command)).toEqual([
      "./check.sh",
      expect.stringMatching(/observe/),
    ]);
    expect(hooksIn(text)).toHaveLength(hookKinds(installForm, "permission").length);
    expect(withoutHooks(text, DATA)).toBe(FOREIGN);
  });

  property.prop([settings, fc.constantFrom<GateChoice>("permission", "all", "none")], RUNS)(
    "SETTINGS-2: put in twice is put in once; taken out, the text is the one from before",
    (text, choice) => {
      const once = install(text, choice);
      const others = (of: string): object => ({ ...(JSON.parse(of) as object), hooks: undefined });
      expect(others(once)).toEqual(others(text));
      expect(install(once, choice)).toBe(once);
      expect(withoutHooks(once, DATA)).toBe(text);
    },
  );

  property.prop([settings, fc.constantFrom<GateChoice>("permission", "all", "none")], RUNS)(
    "SETTINGS-2: put in another way, only the new way is in; another folder's hooks stay",
    (text, choice) => {
      const both = install(install(text, "none", "/other"), "all");
      const again = install(both, choice);
      const own = hooksIn(again).filter(({ data }) => data === DATA);
      expect(own.map(({ event, kind }) => [event, kind]).toSorted()).toEqual(
        hookKinds(installForm, choice).toSorted(),
      );
      expect(hooksIn(again).filter(({ data }) => data === "/other")).toHaveLength(
        hookKinds(installForm, "none").length,
      );
      expect(withoutHooks(withoutHooks(again, DATA), "/other")).toBe(text);
    },
  );

  it("JSON-TEXT-2: what comes in looks like what is there: its line breaks, its indentation", () => {
    const tabbed = install('{\r\n\t"model": "opus"\r\n}\r\n');
    expect(tabbed).toContain('\r\n\t"hooks": {\r\n\t\t"SessionStart": [\r\n\t\t\t{\r\n');
    expect(tabbed.replaceAll("\r\n", "")).not.toContain("\n");
    expect(install('{"model":"opus"}')).not.toContain("\n");
  });

  it("SETTINGS-3: ours that somebody changed are put right; those among others' are taken out alone", () => {
    const [{ entry }] = wanted().filter(({ event }) => event === "PermissionRequest") as [Wanted];
    const changed = { ...entry, onFailure: "continue" };
    const text = JSON.stringify({
      hooks: { PermissionRequest: [{ hooks: [{ type: "command", command: "mine" }, changed] }] },
    });
    const found = hooksIn(install(text)).filter(({ event }) => event === "PermissionRequest");
    expect(found).toEqual([expect.objectContaining({ entry })]);
    expect(JSON.parse(withoutHooks(text, DATA))).toEqual({
      hooks: { PermissionRequest: [{ hooks: [{ type: "command", command: "mine" }] }] },
    });
  });

  it("SETTINGS-3: a foreign hook that only looks like ours is nobody's but its owner's", () => {
    for (const command of [
      "signalbox notify",
      "/x/hooks/gate # signalbox",
      "'/x/hooks/gate' # signalbox; rm -rf /",
      "echo '/x/hooks/gate' # signalbox",
      "'/x/hooks/gatekeeper' # signalbox",
      "'/x/hooks/gate' # signalbox for Claude Code 2.1.100; rm -rf /",
      "'/x/hooks/gate' # signalbox for Claude Code",
    ])
      expect(hooksIn(JSON.stringify({ hooks: { Stop: [{ hooks: [{ command }] }] } }))).toEqual([]);
  });

  property.prop([
    fc.constantFrom<GateChoice>("permission", "all", "none"),
    fc.constantFrom<"ask" | "deny">("ask", "deny"),
    fc.option(fc.stringMatching(/^[\w-]{1,128}$/), { nil: undefined }),
    fc.option(fc.stringMatching(/^\d{1,3}\.\d{1,3}\.\d{1,3}$/), { nil: undefined }),
  ])(
    "SETTINGS-3: what the commands say is read from them as it was meant",
    (choice, closed, workspace, namedClient) => {
      const more = {
        closed,
        ...(workspace !== undefined && { workspace }),
        ...(namedClient !== undefined && { namedClient }),
      };
      const found = hooksIn(withHooks("{}", DATA, wanted(choice, DATA, more)));
      expect(found).toHaveLength(hookKinds(installForm, choice).length);
      expect(new Set(found.map((each) => each.workspace))).toEqual(new Set([workspace]));
      expect(new Set(found.map((each) => each.namedClient))).toEqual(new Set([namedClient]));
      for (const each of found) expect(each.closed).toBe(each.kind === "gate" ? closed : undefined);
    },
  );

  it("SETTINGS-3: the hooks of an earlier version are ours, and are put right", () => {
    const command = (rest: string): object => ({ type: "command", command: `'/d/hooks/${rest} # signalbox` });
    const PermissionRequest = [{ hooks: [{ ...command("gate' --timeout 600"), timeout: 600 }] }];
    const Stop = [{ hooks: [command("observe' permission 2>/dev/null || :")] }];
    const found = hooksIn(JSON.stringify({ hooks: { PermissionRequest, Stop } }));
    expect(found.map(({ kind, closed, workspace }) => [kind, closed, workspace])).toEqual([
      ["gate", undefined, undefined],
      ["observe", undefined, undefined],
    ]);
    const again = install(JSON.stringify({ hooks: { PermissionRequest, Stop } }), "permission", "/d");
    expect(hooksIn(again)).toHaveLength(hookKinds(installForm, "permission").length);
  });

  it.each([
    ["is gone", ""],
    ["is killed", "#!/bin/sh\nkill -KILL $$\n"],
    ["breaks", "#!/bin/sh\nexit 1\n"],
  ])("SETTINGS-4: a gate's command ends with 2 where its program %s, and says what it says", (_, program) => {
    const data = mkdtempSync(join(tmpdir(), "signalbox's-"));
    try {
      const { command = null } = entryOf(installForm, data, "gate", 600, { choice: "all", closed: "ask" });
      const ending = (): number | null =>
        spawnSync("sh", ["-c", typeof command === "string" ? command : ""]).status;
      mkdirSync(join(data, "hooks"));
      if (program !== "") writeFileSync(join(data, "hooks", "gate"), program, { mode: 0o700 });
      expect(ending()).toBe(2);
      writeFileSync(join(data, "hooks", "gate"), "#!/bin/sh\nexit 0\n", { mode: 0o700 });
      expect(ending()).toBe(0);
    } finally {
      rmSync(data, { recursive: true });
    }
  });

  it("I-39: a gate denies where it cannot run or is too late; an observing hook is silent", () => {
    const gate = wanted("all").find(({ event }) => event === "PreToolUse")?.entry;
    expect(gate).toMatchObject({ onFailure: "block", timeout: 600 });
    const other = wanted("all").find(({ event }) => event === "PermissionRequest")?.entry;
    expect(other).not.toHaveProperty("onFailure");
    expect(other?.["command"]).toMatch(/ 2>\/dev\/null \|\| : # signalbox$/);
  });

  it.each([
    ["// mine\n{}", "NOT_JSON", /have comments/],
    ["{", "NOT_JSON", /no JSON/],
    ["[]", "BAD_SETTINGS", /The settings file is not an object/],
    ['{"hooks": []}', "BAD_SETTINGS", /hooks is not an object/],
    ['{"hooks": {"Stop": {}}}', "BAD_SETTINGS", /hooks\.Stop is not a list/],
  ])("SETTINGS-1: %j is refused, with what is wrong", (text, code, message) => {
    expect(() => install(text)).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) as string }) as Error,
    );
  });

  it("SETTINGS-1: an empty file and none become one with ours alone; hooks switched off are told of", () => {
    for (const text of ["", "\n", "{}"]) expect(hooksIn(install(text)).length).toBeGreaterThan(10);
    expect(areHooksOff('{"disableAllHooks": true}')).toBe(true);
    expect(areHooksOff("{}")).toBe(false);
  });

  property.prop([fc.jsonValue(), fc.constantFrom(undefined, 2, "\t")])(
    "JSON-TEXT-1: every value is found where it stands",
    (value, indent) => {
      const text = ` ${JSON.stringify(value, undefined, indent)} `;
      const place = placesIn(text);
      expect(JSON.stringify(place.value)).toBe(JSON.stringify(JSON.parse(text)));
      const check = ({ start, end, children, value: own }: typeof place): void => {
        expect(JSON.stringify(JSON.parse(text.slice(start, end)))).toBe(JSON.stringify(own));
        children.forEach(check);
      };
      check(place);
    },
  );
});

describe("line changes", () => {
  it("SETTINGS-1: two changes far apart in a long file are shown, with the lines around them", () => {
    const lines = Array.from({ length: 200_000 }, (_, n) => String(n));
    const changed = lines.with(3, "here").toSpliced(199_990, 0, "there");
    expect(lineChanges(lines.join("\n"), changed.join("\n"))).toEqual([
      ...["  1", "  2", "- 3", "+ here", "  4", "  5", "  …"],
      ...["  199988", "  199989", "+ there", "  199990", "  199991", "  …"],
    ]);
  });

  property.prop([fc.array(fc.constantFrom("a", "b", "c")), fc.array(fc.constantFrom("a", "b", "c"))])(
    "SETTINGS-1: the lines that go and come, and no others, are shown",
    (before, after) => {
      const shown = lineChanges(before.join("\n"), after.join("\n"));
      const count = (mark: string): number => shown.filter((line) => line.startsWith(mark)).length;
      expect(count("+") - count("-")).toBe(
        (after.join("\n") === "" ? 0 : after.length) - (before.join("\n") === "" ? 0 : before.length),
      );
      if (before.join() === after.join()) expect(shown).toEqual([]);
    },
  );
});
