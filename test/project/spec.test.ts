// Spec
// machines/SPEC.md and the tests say the same, and its diagrams are those of the code.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { approvalMachine, callMachine, requestMachine, sessionMachine } from "../../machines/index.ts";
import { mermaid } from "../../runtime/reading/mermaid.ts";
import { testTitles, titlesIn } from "../support/docs/titles.ts";

const FILE = join(import.meta.dirname, "..", "..", "machines", "SPEC.md");
const START = "<!-- diagrams: drawn by npm run spec -->";
const END = "<!-- /diagrams -->";
const ID = /\b(?:I-\d\d|R[1-3]|C[1-5]|B1)\b/g;
/** Rows that say themselves that no test of their own enforces them. */
const WITHOUT_TEST = /\| (?:dropped|later|replaced|kept by|kept as|complete)/;

const spec = readFileSync(FILE, "utf8");
const rows = spec.split("\n").filter((line) => /^\| (?:I-\d\d|[RC]\d|B1)\b/.test(line));

function ids(text: string): readonly string[] {
  const spans = [...text.matchAll(/\b([RC])([1-5])–\1([1-5])\b/g)].flatMap(([, letter = "", from, to]) =>
    Array.from({ length: Number(to) - Number(from) + 1 }, (_, n) => `${letter}${Number(from) + n}`),
  );
  return [...(text.match(ID) ?? []), ...spans];
}

const named = new Set(testTitles().flatMap(ids));

function diagrams(): string {
  const machines = {
    session: sessionMachine,
    request: requestMachine,
    call: callMachine,
    approval: approvalMachine,
  };
  return Object.entries(machines)
    .map(
      ([name, machine]) =>
        `### ${name}\n\n\`\`\`mermaid\n${mermaid(JSON.parse(JSON.stringify(machine.definition))).trim()}\n\`\`\``,
    )
    .join("\n\n");
}

describe("machines/SPEC.md", () => {
  test("Spec: every rule and invariant it keeps stands in a test title", () => {
    const kept = rows.filter((row) => !WITHOUT_TEST.test(row)).flatMap((row) => ids(row.split("|")[1] ?? ""));
    expect(kept.length).toBeGreaterThan(30);
    expect(kept.filter((id) => !named.has(id))).toEqual([]);
  });

  test("Spec: every rule and invariant in a test title stands in it", () => {
    const known = new Set(rows.flatMap((row) => ids(row.split("|")[1] ?? "")));
    expect([...named].filter((id) => !known.has(id)).sort()).toEqual([]);
  });

  test("Spec: every test file that a row names has a title with the row's number", () => {
    const claims = rows.flatMap((row) => {
      const files = [...row.matchAll(/`((?:[\w-]+\/)+[\w.-]+\.test\.ts)`/g)].map(([, file = ""]) => file);
      return files.flatMap((file) => ids(row.split("|")[1] ?? "").map((id) => [id, file] as const));
    });
    expect(claims.length).toBeGreaterThan(50);
    const titles = (file: string) =>
      titlesIn(readFileSync(join(import.meta.dirname, "..", file), "utf8")).flatMap(ids);
    expect(claims.filter(([id, file]) => !titles(file).includes(id))).toEqual([]);
  });

  test("Spec: its diagrams are drawn from the machines as they are", () => {
    const before = spec.slice(0, spec.indexOf(START) + START.length);
    const drawn = `${before}\n\n${diagrams()}\n\n${spec.slice(spec.indexOf(END))}`;
    if (process.env.WRITE_SPEC === "1") writeFileSync(FILE, drawn);
    else expect(spec).toBe(drawn);
  });
});
