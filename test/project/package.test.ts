// The package
// What `npm pack` puts into the package leads nowhere that is not in it.
//
//   Owns:          the links of packed documents, and what its program needs.
//   Does not own:  whether a link leads to a file of the tree (docs.links.test).

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..");

/** As npm itself says; without the scripts that would build. */
const [{ files }] = JSON.parse(
  execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: ROOT,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }),
) as [{ readonly files: readonly { readonly path: string }[] }];
const PACKED: ReadonlySet<string> = new Set(files.map(({ path }) => path));
const PAGES = [...PACKED].filter((path) => path.endsWith(".md") && !path.startsWith("dist/"));

const isPacked = (path: string): boolean =>
  PACKED.has(path) || [...PACKED].some((file) => file.startsWith(`${path.replace(/\/$/, "")}/`));

/** Of links and pictures, in Markdown and in HTML; what stands in code is none. */
function linksOf(page: string): readonly string[] {
  const text = readFileSync(join(ROOT, page), "utf8")
    .replaceAll(/^(```+).*?^\1/gms, "")
    .replaceAll(/`[^`\n]*`/g, "code");
  return [
    ...text.matchAll(/\]\(\s*<?([^)\s>#]*)[^)]*\)/g),
    ...text.matchAll(/^\s*\[[^\]]+\]:\s*<?([^\s>#]+)/gm),
    ...text.matchAll(/\b(?:src|srcset|href)="([^"#]*)/g),
  ].flatMap(([, link = ""]) => (link === "" ? [] : [link]));
}

describe("the package", () => {
  it("Docs: it has the documents, their pictures, and what its doors and programs are", () => {
    for (const path of ["README.md", "docs/reference/rules.md", "docs/images/inbox.webp", "LICENSE"])
      expect(PACKED).toContain(path);
    expect(PAGES.length).toBeGreaterThan(50);
    const { exports, bin } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
      readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
      readonly bin: Readonly<Record<string, string>>;
    };
    const doors = Object.values(exports).flatMap((door) =>
      typeof door === "string" ? [door] : Object.values(door),
    );
    for (const path of [...doors, ...Object.values(bin)]) expect(PACKED).toContain(normalize(path));
  });

  it.each(PAGES)("Docs: every link of %s leads to a file of the package, or to an https address", (page) => {
    const lost = linksOf(page).filter((link) =>
      link.includes(":") ? !link.startsWith("https://") : !isPacked(normalize(join(dirname(page), link))),
    );
    expect(lost).toEqual([]);
  });
});
