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

/** Findings of every level, from minor to critical. */
export async function findingsOn(page: Page): Promise<readonly string[]> {
  const { violations } = await page.evaluate<{ violations: readonly Finding[] }>(
    'axe.run({ resultTypes: ["violations"] })',
  );
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join("\n")}`,
  );
}
