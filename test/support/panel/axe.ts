// Axe
// What axe finds wrong with a page, as text.
//
//   Owns:          putting axe into a page. Findings of every level count.
//   Does not own:  what is looked at.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** From its next address on the page has axe. */
export const withAxe = (page: Page): Promise<unknown> => page.context().addInitScript(AXE);

/** Rules that axe leaves out unless asked: contrast of level AAA, and the least size of what is pressed. */
const BESIDE = { "color-contrast-enhanced": { enabled: true }, "target-size": { enabled: true } };

/** What a box at the edge covers in part is uncovered by scrolling: that says nothing of its size. */
const isCovered = (failure: string): boolean => failure.includes("partially obscured");

/** Findings of every level, from minor to critical. */
export async function findingsOn(page: Page): Promise<readonly string[]> {
  const { violations } = await page.evaluate<{ violations: readonly Finding[] }>(
    `axe.run({ resultTypes: ["violations"], rules: ${JSON.stringify(BESIDE)} })`,
  );
  return violations
    .map(({ id, nodes }) => ({ id, nodes: nodes.filter(({ failureSummary }) => !isCovered(failureSummary)) }))
    .filter(({ nodes }) => nodes.length > 0)
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join("\n")}`,
    );
}
