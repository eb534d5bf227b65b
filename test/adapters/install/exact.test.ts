// Exact
// What was put into settings and is taken out again leaves the very bytes that were there, however they were written.
//
//   Owns:          settings as text: odd spacing, any order, names that stand twice, nothing at all.
//   Does not own:  what the hooks say (settings.test), the file (settings-file.test).

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { GateChoice, InstallForm } from "../../../runtime/install-form.ts";
import { codexCli } from "../../../adapters/agent-hooks/codex.ts";
import { copilotCli } from "../../../adapters/agent-hooks/copilot.ts";
import { installForm } from "../../../adapters/claude-code/install.ts";
import {
  edited,
  entryOf,
  hookKinds,
  hooksIn,
  withHooks,
  withoutHooks,
  withoutTelemetry,
  withTelemetry,
} from "../../../adapters/install/index.ts";
import { telemetryToken } from "../../../runtime/access-token.ts";
import { RefusedError } from "../../../runtime/errors/errors.ts";
import { holds } from "../../support/properties/property.ts";

const FILE = "test/adapters/install/exact.test.ts";
const DATA = "/data";
const TOKEN = telemetryToken("the machine's own");

interface How {
  readonly choice: GateChoice;
  readonly hasTelemetry: boolean;
  /** Of the agent whose hooks they are; Claude Code's where nobody says. */
  readonly form?: InstallForm;
}

/** As the command does it. */
function install(text: string, { choice, hasTelemetry, form = installForm }: How, data = DATA): string {
  const clientName = form === installForm ? {} : { clientName: form.agent };
  const wanted = hookKinds(form, choice).map(([event, kind]) => ({
    event,
    entry: entryOf(form, data, kind, 5, { choice, closed: "ask", ...clientName }),
  }));
  const collector = { url: "http://127.0.0.1:4280/v1/logs", token: TOKEN };
  return edited(text, (before) => {
    const hooked = withoutTelemetry(installForm, withHooks(before, data, wanted), TOKEN);
    return hasTelemetry && form.telemetry ? withTelemetry(installForm, hooked, collector) : hooked;
  });
}
const uninstall = (text: string, data = DATA): string =>
  edited(text, (before) => withoutTelemetry(installForm, withoutHooks(before, data), TOKEN));

const blanks = fc.constantFrom(
  "",
  "",
  "",
  " ",
  "  ",
  "\t",
  "\n",
  "\n  ",
  " \n",
  "\r\n",
  "\r\n\t",
  "\t\t",
  "\n\n",
  "\r",
);
/** With blanks wherever JSON allows them. */
const spaced = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(blanks, text, blanks).map((parts) => parts.join(""));
const enclosed = (open: string, close: string, items: fc.Arbitrary<string>, maxLength: number) =>
  fc
    .oneof(
      blanks,
      fc.array(spaced(items), { minLength: 1, maxLength }).map((all) => all.join(",")),
    )
    .map((inside) => open + inside + close);
const list = (items: fc.Arbitrary<string>): fc.Arbitrary<string> => enclosed("[", "]", items, 2);
const named = (name: fc.Arbitrary<string>, value: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(name, spaced(fc.constant(":")), value).map(([key, colon, text]) => `"${key}"${colon}${text}`);
const object = (members: fc.Arbitrary<string>): fc.Arbitrary<string> => enclosed("{", "}", members, 3);

const scalar = fc.constantFrom("1", "1e1", "null", "true", '"a"', '"\\u00e4 \\ud800"', '"{,}[:]"');
const other = fc.oneof(scalar, list(scalar), object(named(fc.constantFrom("a", "b"), scalar)));
const foreignHook = fc.constantFrom(
  '{"type":"command","command":"say done # signalbox"}',
  '{ "command" : "x" }',
);
const group = object(
  fc.oneof(named(fc.constant("hooks"), list(foreignHook)), named(fc.constant("matcher"), scalar)),
);
const hooks = object(named(fc.constantFrom("Stop", "PreToolUse", "Other"), list(group)));
const env = object(named(fc.constantFrom("A", "PATH"), scalar));
/** Any of them may stand there twice. */
const settings = fc.oneof(
  { weight: 1, arbitrary: fc.array(blanks).map((all) => all.join("")) },
  {
    weight: 12,
    arbitrary: spaced(
      object(
        fc.oneof(
          named(fc.constant("hooks"), hooks),
          named(fc.constant("env"), env),
          named(fc.constantFrom("model", "b", "__proto__"), other),
        ),
      ),
    ),
  },
);
const how = fc.record({
  form: fc.constantFrom<InstallForm>(installForm, codexCli.install, copilotCli.install),
  choice: fc.constantFrom<GateChoice>("permission", "all", "none"),
  hasTelemetry: fc.boolean(),
});

describe("settings that come back", () => {
  it("SETTINGS-2, JSON-TEXT-1, JSON-TEXT-3: put in, put in another way, and taken out: every byte is as before", () => {
    holds(FILE, 60, fc.tuple(settings, how, how), ([text, one, another]) => {
      const once = install(text, one);
      expect(install(once, one)).toBe(once);
      expect(hooksIn(once)).toHaveLength(hookKinds(one.form, one.choice).length);
      expect(uninstall(once)).toBe(text);
      expect(uninstall(install(once, another))).toBe(text);
    });
  });

  it("SETTINGS-2: of two data folders each takes out its own, in either order, and what was there is there", () => {
    holds(FILE, 25, fc.tuple(settings, how, fc.boolean()), ([text, { choice, form }, isFirst]) => {
      const plain = { choice, form, hasTelemetry: false };
      const both = install(install(text, plain), plain, "/other");
      const [one, another] = isFirst ? [DATA, "/other"] : ["/other", DATA];
      expect(hooksIn(uninstall(both, one)).map(({ data }) => data)).not.toContain(one);
      expect(uninstall(uninstall(both, one), another)).toBe(text);
    });
  });

  it("SETTINGS-2: where nothing was put in, nothing is taken out", () => {
    holds(FILE, 500, settings, (text) => {
      expect(uninstall(text)).toBe(text);
    });
  });

  it.each([
    ["an empty file", ""],
    ["a blank one", " \r\n\n"],
    ["one that looks like ours", "{\t}"],
    ["an empty list, oddly spaced", '{\n  "hooks": {"Stop": [  \n ]}\n}\n'],
    ["empty hooks", '{"hooks":{}}'],
    ["hooks that stand twice, the last empty", '{"hooks":{"Stop":[{"hooks":[]}]},"hooks":{ }}\n'],
    ["an empty env", '{\n  "env": {\n  }\n}\n'],
  ])("SETTINGS-2: %s comes back to the byte", (_, text) => {
    for (const hasTelemetry of [false, true]) {
      const there = install(text, { choice: "permission", hasTelemetry });
      expect(there).not.toBe(text);
      expect(uninstall(there)).toBe(text);
    }
  });

  it("SETTINGS-2: what a client writes in between stays, and ours alone goes", () => {
    const there = install('{"hooks": {"Stop": [ ]}}', { choice: "all", hasTelemetry: true });
    const rewritten = JSON.stringify({ ...(JSON.parse(there) as object), model: "opus" }, undefined, 2);
    expect(JSON.parse(uninstall(rewritten))).toEqual({ model: "opus" });
  });

  it.each([
    ["a comment behind a value", '{"a": 1 // "mine"\n}', /have comments/],
    ["a comment between", '{"a": "//", /* mine */ "b": 1}', /have comments/],
    ["no JSON, but many quotes", '\\"'.repeat(200_000), /no JSON/],
    ["a byte-order mark", "\uFEFF{}", /byte-order mark/],
    ["a byte-order mark alone", "\uFEFF", /byte-order mark/],
  ])("SETTINGS-2: %s is refused in words, put in or taken out", (_, text, words) => {
    for (const run of [() => install(text, { choice: "all", hasTelemetry: false }), () => uninstall(text)])
      expect(run).toThrow(
        expect.objectContaining({
          code: "NOT_JSON",
          message: expect.stringMatching(words) as string,
        }) as Error,
      );
    expect(() => uninstall('{"a": "//",}')).toThrow(RefusedError);
    expect(() => uninstall('{"a": "//",}')).not.toThrow(/comments/);
  });
});
