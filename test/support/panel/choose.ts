// Choose
// Choosing an approval as a person does, and having looked at it.
//
//   Owns:          the key, waiting until the chosen one takes an answer.
//   Does not own:  what is done with it.

import type { Page } from "playwright-core";

export const CHOSEN = ".card[aria-current=true]";
/** The chosen one, once an answer to it counts. */
export const SEEN = `${CHOSEN}.open:not(.settling)`;

/** Chooses the next that waits; of an inbox just opened, the first. */
export async function chooseNext(page: Page): Promise<void> {
  await page.locator(".card.open").first().waitFor();
  await page.keyboard.press("j");
  await seen(page);
}

/** @param text of the chosen card. */
export async function seen(page: Page, text = ""): Promise<void> {
  await page.locator(SEEN, { hasText: text }).waitFor();
}
