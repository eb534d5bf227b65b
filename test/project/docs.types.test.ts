// Types in the docs
// The table of docs/reference/nats.md against the schemas that messages are read with.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { clients } from "../../adapters/composition/clients.ts";
import { RAW_TYPES } from "../../adapters/nats/client/messages.ts";
import { OPS, QUERIES } from "../../runtime/reading/query-table.ts";
import { SCHEMAS } from "../../runtime/door/schemas.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const DOCS = readFileSync(join(ROOT, "docs", "reference", "nats.md"), "utf8");
const [, SECTION = ""] = /^### Types\n([^]*?)^## /m.exec(DOCS) ?? [];

const [, ASKING = ""] = /^## Queries and decisions\n([^]*?)^## /m.exec(DOCS) ?? [];
const CLIENT = ["queries.ts", "feed.ts"]
  .map((name) => readFileSync(join(ROOT, "adapters", "nats", "client", name), "utf8"))
  .join();
/** For who watches over the engine: the client has no function for them. */
const NOT_IN_CLIENT = [
  "answers",
  "deadletter.get",
  "entry.get",
  "rule.get",
  "rule.list",
  "rule.suggestions",
  "search",
  "session.rejections",
];
/** Every list has them; the text says so. */
const OF_LISTS: readonly string[] = ["limit", "cursor"];

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

  it("Docs: the table of queries has each that can be asked, with its parameters, and no other", () => {
    const told = [...ASKING.matchAll(/^\| (`[^|]+`) *\|(.*)\|$/gm)].flatMap(([, ops = "", cell = ""]) => {
      const given = [...cell.matchAll(/`\{(.*?)\}`/g)].map(([, names = ""]) => names.match(/\w+/g) ?? []);
      return [...ops.matchAll(/`([a-z.]+)`/g)].map(([, op = ""], n) => [op, given[n]?.toSorted()]);
    });
    const asked = OPS.map((op) => {
      const names: readonly string[] = QUERIES[op].parameters;
      const isList = names.includes("cursor");
      return [op, names.filter((name) => !isList || !OF_LISTS.includes(name)).toSorted()];
    });
    expect(Object.fromEntries(told)).toEqual(Object.fromEntries(asked));
  });

  it("Docs: a service in TypeScript can ask every query, but those for who watches over the engine", () => {
    expect(OPS.filter((op) => !CLIENT.includes(`"${op}"`)).toSorted()).toEqual(NOT_IN_CLIENT);
  });

  it("Docs: a service in TypeScript can send every raw payload", () => {
    expect(Object.keys(RAW_TYPES).sort()).toEqual([...clients.rawTypes].sort());
  });
});
