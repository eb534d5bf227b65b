// Browser
// A real Chromium and what is looked at in it.
//
//   Owns:          finding and starting it; when something is on the screen, how long the page stood still.
//   Does not own:  what is measured (rows/panel).
//
// Times are taken in the page, by its own clock, at the frame after the one in which a thing was found: the way from
// there to this process is in no figure.

import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { linkAt } from "../../test/support/http/signed-in.ts";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];

/** @throws Error where there is none. */
export function launch(): Promise<Browser> {
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return chromium.launch({ executablePath: program(), args });
}

function program(): string {
  const named = process.env["CHROMIUM_BIN"];
  if (named !== undefined && named !== "") return named;
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const found = NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
  if (found === undefined) throw new Error("There is no Chromium on the PATH. Set CHROMIUM_BIN to one.");
  return found;
}

/** What stands in every page: `benchShown` tells when an element with the text is there and drawn, ms of the epoch. */
const INSTRUMENTS = `
  globalThis.benchShown = (sign, text) => new Promise((resolve, reject) => {
    const giveUpAt = performance.now() + 60_000;
    const isThere = () =>
      [...document.querySelectorAll(sign)].some((each) => text === undefined || each.textContent.includes(text));
    const drawn = () => requestAnimationFrame(() => resolve(performance.timeOrigin + performance.now()));
    const look = () => {
      if (isThere()) drawn();
      else if (performance.now() < giveUpAt) requestAnimationFrame(look);
      else reject(new Error("Not shown within a minute: " + sign + " " + text));
    };
    look();
  });
  globalThis.benchStill = async (ms) => {
    const gaps = [];
    const until = performance.now() + ms;
    for (let last = performance.now(); last < until; ) {
      const at = await new Promise(requestAnimationFrame);
      gaps.push(at - last);
      last = at;
    }
    return Math.max(...gaps);
  };
`;

/** A window of its own, signed in. */
export async function openWindow(browser: Browser, url: string, token: string, address = ""): Promise<Page> {
  const link = await linkAt(url, token);
  const baseURL = new URL(link).origin;
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, baseURL });
  await context.addInitScript(INSTRUMENTS);
  const page = await context.newPage();
  await page.goto(link);
  await page.goto(`/${address}`);
  await page.locator(".link.live").waitFor();
  return page;
}

const expression = (name: string, ...given: readonly unknown[]): string =>
  `globalThis.${name}(${given.map((each) => JSON.stringify(each)).join(", ")})`;

/** From the beginning of the navigation to the frame that shows `sign`, ms. */
export async function openingMs(page: Page, address: string, sign: string): Promise<number> {
  await page.goto(address, { waitUntil: "commit" });
  const shownAt = await page.evaluate<number>(expression("benchShown", sign));
  return shownAt - (await page.evaluate<number>("performance.timeOrigin"));
}

/** The times between frames while the page is scrolled down by 60 px a frame, over and over, for `ms`. */
export const scrolledMs = (page: Page, ms: number): Promise<readonly number[]> =>
  page.evaluate<readonly number[]>(`(async () => {
    const gaps = [];
    let last = await new Promise(requestAnimationFrame);
    for (const until = last + ${ms}; last < until; ) {
      const isEnd = scrollY + innerHeight + 1 >= document.documentElement.scrollHeight;
      scrollTo(0, isEnd ? 0 : scrollY + 60);
      const at = await new Promise(requestAnimationFrame);
      gaps.push(at - last);
      last = at;
    }
    return gaps;
  })()`);

/** When an element with the text is drawn, ms of the epoch; ask before it can be. */
export const shownAt = (page: Page, sign: string, text: string): Promise<number> =>
  page.evaluate<number>(expression("benchShown", sign, text));

/** The longest time without a frame while `ms` go by. */
export const longestStillMs = (page: Page, ms: number): Promise<number> =>
  page.evaluate<number>(expression("benchStill", ms));

/**
 * From what is done in the page to the frame that shows it, ms.
 * @param act what is done, as a script; @param done whether it shows, as an expression.
 */
export const answeredMs = (page: Page, act: string, done: string): Promise<number> =>
  page.evaluate<number>(`new Promise((resolve) => {
    const from = performance.now();
    const look = () =>
      ${done} ? requestAnimationFrame(() => resolve(performance.now() - from)) : requestAnimationFrame(look);
    ${act};
    look();
  })`);
