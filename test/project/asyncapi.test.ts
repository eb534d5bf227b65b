// AsyncAPI
// docs/reference/asyncapi.yaml says what the engine does: made of its own schemas, with the subjects of docs/reference/nats.md.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { createEngine, type StateChange } from "../../adapters/index.ts";
import { asyncapi, CHANGE } from "../support/docs/asyncapi.ts";
import { at, stringsIn, textAt } from "../support/engine/json.ts";
import { messages } from "../support/sessions/play.ts";
import { recording } from "../support/sessions/recording.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const FILE = join(ROOT, "docs", "reference", "asyncapi.yaml");
const manifest: unknown = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const made = asyncapi(textAt(manifest, "version") ?? "");
const text = `# Written by: WRITE_ASYNCAPI=1 npx vitest run test/project/asyncapi.test.ts\n${stringify(made, { aliasDuplicateObjects: false })}`;
if (process.env["WRITE_ASYNCAPI"] === "1") writeFileSync(FILE, text);

const document: unknown = parse(readFileSync(FILE, "utf8"));
const channels = at(document, "channels") as Readonly<Record<string, { readonly address: string }>>;

describe("AsyncAPI", () => {
  test("Docs: docs/reference/asyncapi.yaml is what the engine's schemas, subjects and questions make", () => {
    expect(readFileSync(FILE, "utf8")).toBe(text);
  });

  test("Docs: its subjects are those of the table in docs/reference/nats.md, and no others", () => {
    const [, section = ""] =
      /^## Subjects\n([^]*?)^## /m.exec(readFileSync(join(ROOT, "docs", "reference", "nats.md"), "utf8")) ??
      [];
    const told = [...section.matchAll(/^\| `(signalbox[^`]+)`/gm)].map(([, subject = ""]) => subject);
    const addresses = Object.values(channels).map(({ address }) => address.replace(/\{(\w+)\}/g, "<$1>"));
    expect(addresses.toSorted()).toEqual(told.toSorted());
  });

  test("Docs: every reference leads somewhere, and every token in braces is a parameter", () => {
    for (const [path, value] of stringsIn(document)) {
      if (!value.startsWith("#/")) continue;
      expect([path, at(document, ...value.slice(2).split("/"))]).not.toEqual([path, undefined]);
    }
    for (const [name, { address }] of Object.entries(channels)) {
      const tokens = [...address.matchAll(/\{(\w+)\}/g)].map(([, token]) => token);
      expect([name, Object.keys(at(channels[name], "parameters") ?? {}).toSorted()]).toEqual([
        name,
        tokens.toSorted(),
      ]);
    }
  });

  test("Docs: every change of a recording has the fields that stand there, and no others", async () => {
    const { engine, stop } = await createEngine();
    const changes: StateChange[] = [];
    engine.onChanges((more) => changes.push(...more));
    for (const said of messages(recording("s3-permreq-deny-interrupt"), ["hooks"]))
      await (
        await engine.submit(said)
      ).settled;
    await stop();
    expect(changes.length).toBeGreaterThan(10);
    for (const change of changes) {
      const fields = Object.entries(change).filter(([, value]) => value !== undefined);
      const names = fields.map(([name]) => name);
      expect(names.filter((name) => !(name in CHANGE.properties))).toEqual([]);
      expect(CHANGE.required.filter((name) => !names.includes(name))).toEqual([]);
      expect(CHANGE.properties.entity.enum).toContain(change.entity);
    }
  });
});
