// Origins
// Where each setting comes from, against a model of the four origins, and what the engine gets of it.

import { join, resolve } from "node:path";
import { Command } from "commander";
import { describe, expect, test } from "vitest";
import { settingsOf } from "../../../../adapters/cli/settings/file.ts";
import { engineOptions, environmentFor, flagsFor } from "../../../../adapters/cli/settings/hand-over.ts";
import { withSettings } from "../../../../adapters/cli/settings/origins.ts";
import {
  fromEnvironment,
  fromFlags,
  knownVariables,
  serverIn,
  settled,
} from "../../../../adapters/cli/settings/origins.ts";
import { shownSettings } from "../../../../adapters/cli/settings/shown.ts";
import {
  flagOf,
  settingNames,
  type SettingName,
  settingOf,
  variableOf,
} from "../../../../adapters/cli/settings/table.ts";
import { shownAddress } from "../../../../adapters/nats/address.ts";
import { DEFAULT_CONFIGURATION } from "../../../../runtime/config.ts";
import { DEFAULT_QUOTA } from "../../../../runtime/quota.ts";
import { listedVariables } from "../../../support/docs/variables.ts";
import { holds, holdsLater } from "../../../support/properties/property.ts";
import {
  DIR,
  everywhere,
  FILE,
  listed,
  SAMPLES,
  SECRET,
  startOf,
} from "../../../support/settings/samples.ts";

describe("the origins of settings", () => {
  test("SETTINGS-ORIGINS-1, SETTINGS-SHOWN-1: whatever is said where, the first of flag, variable, file and default counts, `config` says so, and no secret is shown", async () => {
    await holdsLater("settings/origins.test.ts", 300, everywhere, async (all) => {
      const { flags, surroundings, lines } = startOf(all);
      const told = await settingsOf(flags, { settings: FILE }, surroundings);
      const expected = settingNames.map((setting) => {
        const { flag, environment, file } = all[setting];
        const line = `${FILE}:${lines.indexOf(setting) + 1}`;
        if (flag) return { setting, value: flag.shown(process.cwd()), origin: "flag", at: flagOf(setting) };
        if (environment)
          return {
            setting,
            value: environment.shown(process.cwd()),
            origin: "environment",
            at: variableOf(setting),
          };
        return file
          ? { setting, value: file.shown(DIR), origin: "file", at: line }
          : { setting, value: settingOf(setting).unset, origin: "default" };
      });
      const shown = shownSettings(told, shownAddress);
      expect(shown).toEqual(expected);
      expect(JSON.stringify(shown)).not.toContain(SECRET);
    });
  });

  test("HAND-OVER-1: the engine's process reads from its flags and the server's address what was settled, and nothing else", async () => {
    await holdsLater("settings/origins.test.ts", 200, everywhere, async (all) => {
      const { flags, surroundings } = startOf(all);
      const { settings } = await settingsOf(flags, { settings: FILE }, surroundings);
      const address = settings.natsUrl === undefined ? {} : { SIGNALBOX_NATS_URL: settings.natsUrl };
      const env = { ...surroundings.env, SIGNALBOX_NATS_URL: undefined, ...address };
      const child = withSettings(new Command());
      child.parse([...flagsFor(settings, false)], { from: "user" });
      const layers = [fromFlags(child.opts()), fromEnvironment(environmentFor(env))];
      const there = settled(layers, shownAddress).settings;
      expect(engineOptions(there, "server")).toEqual(engineOptions(settings, "server"));
    });
  });

  test("HAND-OVER-1: no setting is there in vain: each changes what an engine is started with, or which journal it gets", () => {
    const bare = settled([], shownAddress).settings;
    for (const name of settingNames) {
      if (name === "nats") continue; // Its two words and its address are chosen by (CHOOSE-1).
      holds("settings/origins.test.ts", 5, SAMPLES[name], ({ written }) => {
        if (written === 4280 || written === "warn") return;
        const { settings } = settled(
          [fromEnvironment({ [variableOf(name)]: listed(written) })],
          shownAddress,
        );
        expect(engineOptions(settings, "server")).not.toEqual(engineOptions(bare, "server"));
      });
    }
  });

  test.each([
    [{}, undefined],
    [{ nats: "off" }, undefined],
    [{ nats: "nats://a:1" }, "nats://a:1"],
    [{ natsUrl: "nats://b:1" }, "nats://b:1"],
    [{ nats: "auto", natsUrl: "nats://b:1" }, "nats://b:1"],
    [{ nats: "nats://a:1", natsUrl: "nats://b:1" }, "nats://a:1"],
  ] as const)(
    "CHOOSE-1: with %j, `verify` and `doctor` ask the server that `up` would: %s",
    (settings, url) => {
      expect(serverIn(settings)).toBe(url);
    },
  );

  test("HAND-OVER-2: a policy is asked for at the first start only", () => {
    const { settings } = settled([fromFlags({ cedar: "a.cedar", port: "1" })], shownAddress);
    expect(flagsFor(settings, false)).toEqual(["--port=1", `--cedar=${resolve("a.cedar")}`]);
    expect(flagsFor(settings, true)).toEqual(["--port=1"]);
  });

  test("SETTINGS-ORIGINS-1: the defaults that are shown are those of the engine", () => {
    const unset = (name: SettingName): string => settingOf(name).unset;
    const bare = engineOptions({}, "embedded");
    expect([unset("port"), unset("log")]).toEqual([String(bare.port), bare.logLevel]);
    expect(Number(unset("pastApprovals")) * 24 * 60 * 60 * 1000).toBe(DEFAULT_CONFIGURATION.approvalsKeptMs);
    expect(fromFlags({ quota: unset("quota") }).quota?.value).toEqual(DEFAULT_QUOTA);
  });
});

describe("variables that are refused", () => {
  test.each([
    ["SIGNALBOX_PROT", "Did you mean SIGNALBOX_PORT?"],
    ["SIGNALBOX_NATS_UR", "Did you mean SIGNALBOX_NATS_URL?"],
    ["SIGNALBOX_SERVICE_PORT_HTTP", "No program of Signalbox reads"],
  ])("SETTINGS-ORIGINS-3: %s is refused, with a near one where there is one", (name, words) => {
    expect(() => fromEnvironment({ [name]: "1" })).toThrow(
      expect.objectContaining({ exitCode: 2, message: expect.stringContaining(words) as string }) as Error,
    );
  });

  test("SETTINGS-ORIGINS-3: the variables that are known are those of docs/reference/configuration.md, and nobody else's are looked at", () => {
    const root = join(import.meta.dirname, "..", "..", "..", "..");
    const ours = listedVariables(root).filter((name) => name.startsWith("SIGNALBOX_"));
    expect(knownVariables().toSorted()).toEqual(ours.toSorted());
    expect(fromEnvironment({ PORT: "x", XSIGNALBOX_PORT: "x", SIGNALBOX: "x" })).toEqual({});
  });

  test.each(["CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT"])(
    "SETTINGS-ORIGINS-4: with %s, in an agent's client, no setting is taken from a variable",
    (mark) => {
      for (const name of settingNames) {
        const env = { [mark]: "1", [variableOf(name)]: "off" };
        expect(() => fromEnvironment(env), name).toThrow(`${variableOf(name)} is refused here`);
      }
      expect(fromEnvironment({ [mark]: "1", SIGNALBOX_DATA: "/d" })).toEqual({});
    },
  );

  test("SETTINGS-ORIGINS-2, SETTINGS-SHOWN-1: what is wrong is refused also where another origin counts; no message repeats it", () => {
    const right = { port: "1", nats: "off", natsUrl: "nats://h:1", pastApprovals: "1", log: "warn" };
    for (const name of ["port", "nats", "natsUrl", "pastApprovals", "log"] as const) {
      const wrong = { [variableOf(name)]: `ftp://${SECRET}@h:1` };
      const start = (): unknown => settled([fromFlags(right), fromEnvironment(wrong)], shownAddress);
      expect(start, name).toThrow(variableOf(name));
      expect(start, name).not.toThrow(SECRET);
    }
  });
});
