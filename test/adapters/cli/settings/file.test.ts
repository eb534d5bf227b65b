// File
// What a file of settings may say, and how what it may not say is refused.

import { homedir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromFile } from "../../../../adapters/cli/settings/file.ts";
import { flagsFor } from "../../../../adapters/cli/settings/hand-over.ts";
import { type Layer, settled, type Told } from "../../../../adapters/cli/settings/origins.ts";
import { shownSettings } from "../../../../adapters/cli/settings/shown.ts";
import { keyOf, settingNames } from "../../../../adapters/cli/settings/table.ts";
import { shownAddress } from "../../../../adapters/nats/address.ts";
import { holdsLater } from "../../../support/properties/property.ts";
import { FILE, SECRET } from "../../../support/settings/samples.ts";

describe("a file of settings", () => {
  const read = (text: string): Promise<unknown> =>
    fromFile(FILE, { shownAddress, readOwn: (path) => Promise.resolve(path === FILE ? text : undefined) });
  const near = fc
    .tuple(fc.constantFrom(...settingNames), fc.nat(), fc.constantFrom("", "x"))
    .map(([name, at, put]) => {
      const key = keyOf(name);
      const n = 1 + (at % (key.length - 1));
      return { key, wrong: key.slice(0, n) + put + key.slice(n + (put === "" ? 1 : 0)) };
    })
    .filter(({ wrong }) => !settingNames.some((name) => keyOf(name) === wrong));

  test("CLI-SETTINGS-FILE-2: a key with one letter too many or too few is refused with its line and a near one", async () => {
    const keys = settingNames.map(keyOf);
    await holdsLater("settings/file.test.ts", 300, near, async ({ wrong }) => {
      const failure = await read(`# mine\n\n${wrong}: 1\n`).catch((error: unknown) => error);
      expect(failure).toMatchObject({
        exitCode: 2,
        message: expect.stringContaining(`${FILE}:3: `) as string,
      });
      const [, meant = ""] = /Did you mean (\w+)\?/.exec((failure as Error).message) ?? [];
      expect(keys).toContain(meant);
    });
  });

  test.each([
    ["prot: 1", 1, "There is no setting prot. Did you mean port?"],
    ["port: 1\npast-approvals: 1", 2, "Did you mean pastApprovals?"],
    ["port: 1\nport: 2", 2, "unique"],
    ["# x\nport: 70000", 2, "port is not right. The value must be a whole number from 0 to 65535."],
    ['port: "80"', 1, "a whole number"],
    ["name:\n  - a\n  - 1", 1, "one name, or a list of them"],
    ["name: a,,b", 1, "one name, or a list of them"],
    ["host: 'a'\nnotifyCmd: \"echo \\0\"", 2, "a command of a shell"],
    ["nats: maybe", 1, "nats must be the address of a NATS server"],
    ["port: 1\n\tname: a", 2, "Tabs"],
    ["port: 1\n---\nport: 2", 2, "The file holds several YAML documents"],
    ["log: loud", 1, "one of trace, debug"],
    ["quota: messages=0", 1, "messages=0 is not a whole number"],
    ["pastApprovals: -1", 1, "from 0 to 3650"],
    ["- port", 1, "key: value"],
    ["port: &a 1\nhost: *a", 1, "write it out"],
    ["data: /x", 1, "There is no setting data."],
    ["natsUrl: nats://h:4222", 1, "Did you mean natsUrlFile?"],
    ["natsUrlFile: gone.txt", 1, "is not there, or its first line is empty"],
    [`nats: nats://${SECRET}@h:4222`, 1, "The address holds a secret"],
  ])("CLI-SETTINGS-FILE-2, CLI-SETTINGS-FILE-3: %j is refused at line %i", async (text, line, words) => {
    const failure = await read(text)
      .then((layer) => settled([layer as Layer], shownAddress))
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ exitCode: 2 });
    const { message, next } = failure as Error & { readonly next: string };
    expect(message).toContain(`${FILE}:${line}: `);
    expect(message).toContain(words);
    expect(message + next).not.toContain(SECRET);
  });

  test("CLI-SETTINGS-FILE-1: a path begins at the file's folder, or at the user's own; no other `~` means anything", async () => {
    const at = async (path: string): Promise<unknown> =>
      ((await read(`stateFiles: ${JSON.stringify(path)}`)) as Layer).stateFiles?.value;
    const dir = dirname(FILE);
    expect(await at("~/a/b")).toBe(join(homedir(), "a/b"));
    expect(await at("~")).toBe(homedir());
    expect([await at("../a"), await at("~ann/a"), await at("a/~")]).toEqual(
      ["../a", "~ann/a", "a/~"].map((path) => join(dir, path)),
    );
    expect(await at("/a")).toBe("/a");
  });

  test.each(["", "# nothing\n", "{}", "---\n", "port: 1\n...\n", "\ufeffport: 1\r\n"])(
    "CLI-SETTINGS-FILE-2: an empty file, an end and a mark of the order of bytes are right: %j",
    async (text) => {
      expect(await read(text)).toBeTypeOf("object");
    },
  );

  test("CLI-SETTINGS-FILE-2: one text stands for a list, and an empty list for none", async () => {
    const named = async (text: string): Promise<Told> =>
      settled([(await read(`name: ${text}`)) as Layer], shownAddress);
    for (const text of ["box", "box, b", "[box, b]", "[]"]) {
      const told = await named(text);
      const words = text
        .replaceAll(/[[\]]/g, "")
        .split(", ")
        .filter((word) => word !== "");
      expect(told.settings.name, text).toEqual(words);
      expect(flagsFor(told.settings, false)).toEqual(words.map((word) => `--name=${word}`));
      expect(shownSettings(told, shownAddress)).toContainEqual(
        expect.objectContaining({ setting: "name", value: words.join(", ") || "none" }),
      );
    }
  });
});
