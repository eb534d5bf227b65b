// Links in the docs
// Every link of a document leads to a file that is there, and the door to the docs leads to each of them.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..");
const DOCS = readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" });
const PAGES = [
  "README.md",
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  ...DOCS.filter((name) => name.endsWith(".md")).map((name) => join("docs", name)),
];

/** What a page links to in the tree, from the root. */
const linksOf = (page: string): readonly string[] =>
  [...readFileSync(join(ROOT, page), "utf8").matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
    .map(([, link = ""]) => link)
    .filter((link) => !link.includes("://"))
    .map((link) => relative(ROOT, join(ROOT, dirname(page), link)));

describe("links in the docs", () => {
  it.each(PAGES)("Docs: every link of %s leads to a file", (page) => {
    expect(linksOf(page).filter((link) => !existsSync(join(ROOT, link)))).toEqual([]);
  });

  it("Docs: docs/README.md leads to every document", () => {
    const led = linksOf(join("docs", "README.md"));
    const documents = DOCS.filter((name) => /\.(md|yaml)$/.test(name) && !/^README|^decisions.\d/.test(name));
    expect(documents.map((name) => join("docs", name)).filter((name) => !led.includes(name))).toEqual([]);
  });

  it("Docs: docs/README.md lists each page under the heading of its folder", () => {
    const headings = {
      start: "Tutorials",
      "how-to": "How-to guides",
      reference: "Reference",
      why: "Explanation",
    };
    const sections = readFileSync(join(ROOT, "docs", "README.md"), "utf8")
      .split("\n## ")
      .slice(1);
    for (const [folder, heading] of Object.entries(headings))
      for (const section of sections)
        expect([heading, section.includes(`](${folder}/`)]).toEqual([heading, section.startsWith(heading)]);
  });
});
