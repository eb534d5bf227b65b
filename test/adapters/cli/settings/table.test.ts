// Table
// Help, the schema and the documents against the table.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { describe, expect, test } from "vitest";
import { withSettings } from "../../../../adapters/cli/settings/origins.ts";
import {
  flagOf,
  keyOf,
  settingNames,
  settingOf,
  settingsSchema,
  variableOf,
} from "../../../../adapters/cli/settings/table.ts";

describe("the table", () => {
  test("SETTINGS-TABLE-1: help, the schema and the variables name each setting; each value of an enumeration is offered", () => {
    const help = withSettings(new Command()).helpInformation();
    const schema = settingsSchema() as {
      readonly properties: object;
      readonly additionalProperties: boolean;
    };
    expect(Object.keys(schema.properties)).toEqual(settingNames.map(keyOf));
    expect(schema.additionalProperties).toBe(false);
    for (const name of settingNames) {
      const { argument } = settingOf(name);
      if (argument === undefined) expect(help).not.toContain(`${flagOf(name)} `);
      else expect(help).toContain(`${flagOf(name)} ${argument}`);
    }
  });

  test("SETTINGS-TABLE-2: a secret has no flag, where every account could read it, and its key names a file", () => {
    const secrets = settingNames.filter((name) => settingOf(name).isSecret === true);
    expect(secrets).toEqual(["natsUrl"]);
    for (const name of secrets)
      expect([settingOf(name).argument, keyOf(name)]).toEqual([undefined, `${name}File`]);
  });

  test("SETTINGS-TABLE-1: docs/reference/configuration.md has each setting as the table has it, and no other", () => {
    const path = join(import.meta.dirname, "..", "..", "..", "..", "docs", "reference", "configuration.md");
    const rows = [...readFileSync(path, "utf8").matchAll(/^\| (`[a-z]\w*` +\|.*) \|$/gm)].map(
      ([, row = ""]) => row.split(/ \| /).map((cell) => cell.trim()),
    );
    const expected = settingNames.map((name) => {
      const { argument, unset, about } = settingOf(name);
      const flag = argument === undefined ? "none" : `\`${flagOf(name)}\``;
      return [`\`${keyOf(name)}\``, flag, `\`${variableOf(name)}\``, unset, about];
    });
    expect(rows).toEqual(expected);
  });
});
