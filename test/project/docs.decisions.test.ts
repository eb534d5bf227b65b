// Decisions
// The pages of docs/decisions: complete, listed, and linked with the code they explain.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..");
const FOLDER = join(ROOT, "docs", "decisions");
const PAGES = readdirSync(FOLDER).filter((name) => name !== "README.md");
const page = (name: string): string => readFileSync(join(FOLDER, name), "utf8");
const sources = ["machines", "runtime", "adapters"].flatMap((layer) =>
  readdirSync(join(ROOT, layer), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => readFileSync(join(ROOT, layer, path), "utf8")),
);

describe("decisions", () => {
  test("Docs: each decision says its context, the decision, its consequences and the alternatives", () => {
    const headings = ["Context", "Decision", "Consequences", "Alternatives"];
    expect(PAGES.length).toBeGreaterThan(20);
    for (const name of PAGES) {
      const found = [...page(name).matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
      expect([name, found]).toEqual([name, headings]);
    }
  });

  test("Docs: the decisions are numbered without a gap, and the index names each once, by topic, with its number and title", () => {
    const listed = [...page("README.md").matchAll(/^- \[(\d+\. .+)\]\((.+)\)$/gm)].map(([, title, name]) => [
      name,
      `# ${title}`,
    ]);
    const there = PAGES.toSorted().map((name) => [name, page(name).split("\n")[0]]);
    expect(listed.toSorted()).toEqual(there);
    // By topic; within one, by number.
    for (const topic of page("README.md").split(/^## /m).slice(1)) {
      const numbers = [...topic.matchAll(/^- \[(\d+)\./gm)].map(([, number]) => Number(number));
      expect(numbers.length).toBeGreaterThan(1);
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    }
    expect(PAGES.toSorted().map((name) => Number(name.slice(0, 4)))).toEqual(PAGES.map((_, n) => n + 1));
  });

  test("Docs: a file that names a decision names one that is there, and each decision is named by a file", () => {
    const named = sources.flatMap((text) =>
      [...text.matchAll(/docs\/decisions\/(\d{4}-[a-z-]+\.md)/g)].map(([, name]) => name),
    );
    expect([...new Set(named)].toSorted()).toEqual(PAGES.toSorted());
  });
});
