// API
// What others can import, as docs/reference/api has it: a change of it is seen, and made on purpose.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { apiReport } from "../support/docs/api-report.ts";
import { Declarations } from "../support/docs/declarations.ts";
import { at } from "../support/engine/json.ts";
import { programOf } from "../support/docs/type-schemas.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const HOW = "WRITE_API=1 npx vitest run /api.test.ts";
const manifest: unknown = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));

/** The doors of the package, and where each is told of. */
const DOORS = [
  { entry: ".", name: "signalbox", file: "docs/reference/api/signalbox.md" },
  { entry: "./agent-sdk", name: "signalbox/agent-sdk", file: "docs/reference/api/agent-sdk.md" },
  { entry: "./client", name: "signalbox/client", file: "docs/reference/api/client.md" },
  { entry: "./contracts", name: "signalbox/contracts", file: "docs/reference/api/contracts.md" },
  {
    entry: "./request-tracker",
    name: "signalbox/request-tracker",
    file: "docs/reference/api/request-tracker.md",
  },
] as const;

describe("API", () => {
  test("Docs: every door of the package has its report", () => {
    const entries = Object.keys(at(manifest, "exports") ?? {}).filter((entry) => !entry.endsWith(".json"));
    expect(entries).toEqual(DOORS.map(({ entry }) => entry));
  });

  test("Docs: each report is what its door exports", { timeout: 300_000 }, () => {
    const doors = DOORS.map((door) => ({ ...door, source: join(ROOT, sourceOf(door.entry)) }));
    const declarations = new Declarations(programOf(...doors.map(({ source }) => source)));
    for (const { name, file, source } of doors) {
      const report = apiReport(declarations, name, source, HOW);
      if (process.env["WRITE_API"] === "1") writeFileSync(join(ROOT, file), report);
      expect(report).toMatch(/^## RefusedError$/m);
      expect(existsSync(join(ROOT, file)) && readFileSync(join(ROOT, file), "utf8")).toBe(report);
    }
  });
});

const sourceOf = (entry: string): string =>
  String(at(manifest, "exports", entry, "types"))
    .replace("./dist/", "")
    .replace(/\.d\.ts$/, ".ts");
