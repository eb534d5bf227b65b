// Types in the docs
// The table of docs/nats.md against the schemas that messages are read with.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { clients } from "../../adapters/composition/clients.ts";
import { RAW_TYPES } from "../../adapters/nats/client/messages.ts";
import { OPS } from "../../runtime/reading/query-table.ts";
import { SCHEMAS } from "../../runtime/door/schemas.ts";

const DOCS = readFileSync(join(import.meta.dirname, "..", "..", "docs", "nats.md"), "utf8");
const [, SECTION = ""] = /^### Types\n([^]*?)^## /m.exec(DOCS) ?? [];

const QUERIES_TOLD = [...DOCS.matchAll(/^\| (`[a-z]+(?:\.[a-z]+)?`.*?)\|/gm)].map(([, cell]) => cell).join();

const namesIn = (cell = ""): readonly string[] => [...cell.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name);

describe("types in the docs", () => {
  it("Docs: the table has every public type with its required and its optional fields, and no other", () => {
    const told = [...SECTION.matchAll(/^\| `([a-z.]+)` *\|(.*)\|(.*)\|$/gm)].map(
      ([, type = "", required, optional]) => [
        type,
        { required: namesIn(required).toSorted(), optional: namesIn(optional).toSorted() },
      ],
    );
    const read = Object.entries(SCHEMAS).map(([type, schema]) => {
      const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: "input" });
      const optional = Object.keys(properties).filter((name) => !required.includes(name));
      return [type, { required: required.toSorted(), optional: optional.toSorted() }];
    });
    expect(told).toEqual(read);
  });

  it("Docs: the table before it says of every public type when to send it, in the same order", () => {
    const [, meanings = ""] = /^### What each type says\n([^]*?)^### /m.exec(DOCS) ?? [];
    const told = [...meanings.matchAll(/^\| `([a-z.]+)` *\| (\S.*) \| (\S.*) \|$/gm)].map(([, type]) => type);
    expect(told).toEqual(Object.keys(SCHEMAS));
  });

  it("Docs: the raw payloads are named beside it", () => {
    const [line = ""] = /^- Raw payloads of .*$/m.exec(SECTION) ?? [];
    const named = [...line.matchAll(/`([a-z-]+\.\w+)`/g)].map(([, type]) => type);
    expect(named.sort()).toEqual([...clients.rawTypes].sort());
  });

  it("Docs: the table of queries has each that can be asked", () => {
    expect(OPS.filter((op) => !QUERIES_TOLD.includes(`\`${op}\``))).toEqual([]);
  });

  it("Docs: a service in TypeScript can send every raw payload", () => {
    expect(Object.keys(RAW_TYPES).sort()).toEqual([...clients.rawTypes].sort());
  });
});
