// Pictures
// Writes what every view of the panel looks like: three widths, light and dark.
//
//   Owns:          which views, widths and themes there are; which of the pictures are the README's.
//   Does not own:  what is played to the engine (sessions), a day for the charts (a-day).
//
// `npm run pictures [FOLDER]`; without a folder, one below the system's folder for what is temporary.
// `npm run pictures -- --readme` draws those in docs/images, and only those.

import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { aDay } from "./a-day.ts";
import { chooseNext, seen } from "./choose.ts";
import { Line, Windows } from "./page.ts";
import { ASKING, DENIED, ODD, playOdd, playRefused, playSessions } from "./sessions.ts";

const WIDTHS = [
  [1440, 900],
  [1024, 768],
  [390, 844],
] as const;
const THEMES = ["light", "dark"] as const;

interface View {
  readonly name: string;
  readonly address: string;
  /** What of it is there once it is drawn. */
  readonly sign: string;
  /** What is done in it before the picture. */
  readonly then?: (page: Page) => Promise<unknown>;
  /** The whole page, not what the screen shows of it. */
  readonly isWhole?: boolean;
}

const press = (key: string, sign: string) => async (page: Page) => {
  await page.keyboard.press(key);
  await page.locator(sign).first().waitFor();
};

const VIEWS: readonly View[] = [
  { name: "inbox", address: "#/", sign: ".card .gist", then: chooseNext },
  { name: "inbox-chosen", address: "#/inbox/docs-9b11c0/q3", sign: ".card.open .consequence" },
  { name: "inbox-odd", address: `#/inbox/${ODD.split("/")[0]}/odd-3`, sign: ".card .whole" },
  {
    name: "inbox-denying",
    address: "#/inbox/docs-9b11c0/q3",
    sign: ".card.open .consequence",
    then: async (page) => {
      await seen(page);
      await press("d", ".reply textarea")(page);
    },
  },
  { name: "overview", address: "#/overview?range=24h", sign: ".series svg rect.completed", isWhole: true },
  { name: "session", address: `#/session/${DENIED}`, sign: ".call" },
  { name: "session-call", address: `#/session/${DENIED}/r1-call-2`, sign: ".details .changes li" },
  {
    name: "session-asking",
    address: `#/session/${ASKING}/r2-call-4`,
    sign: ".details .fields",
    isWhole: true,
  },
  { name: "machine", address: `#/machine/${DENIED}/call/r1-call-2`, sign: ".state.lit" },
  {
    name: "rules",
    address: "#/rules",
    sign: ".writing form",
    then: async (page) => {
      await page.getByLabel("The first words of a command, or a folder").fill("rm -rf");
      await page.locator(".found [role=status]:not(:empty)").waitFor();
    },
    isWhole: true,
  },
  {
    name: "answers",
    address: "#/answers?by=tool&of=tool&name=Bash&show=denied",
    sign: ".listed li",
    isWhole: true,
  },
  {
    name: "letters",
    address: "#/letters",
    sign: ".letter",
    then: (page) => page.locator(".letter summary").first().click(),
  },
  {
    name: "search",
    address: "#/overview",
    sign: ".overview",
    then: async (page) => {
      await press("Control+k", ".palette input")(page);
      await page.locator(".palette input").fill("cart");
      await page.locator(".palette [role=option]").first().waitFor();
    },
  },
  {
    name: "help",
    address: "#/inbox/docs-9b11c0/q3",
    sign: ".card.open",
    then: press("?", "dialog.help[open]"),
  },
  {
    name: "notifications",
    address: "#/rules",
    sign: "main h1",
    then: press("n", "dialog.notifications[open]"),
  },
  { name: "nowhere", address: "#/session/w/never", sign: ".empty" },
];

/** The names they have in docs/images. */
const README: Readonly<Partial<Record<string, string>>> = {
  "inbox-chosen": "inbox",
  "session-call": "session",
  machine: "machine",
  overview: "overview",
};
const isReadme = process.argv.includes("--readme");
const folder = isReadme
  ? "docs/images"
  : (process.argv.slice(2).find((each) => !each.startsWith("-")) ?? join(tmpdir(), "signalbox-pictures"));

const windows = new Windows();
const line = new Line();

async function draw(page: Page, { name, isWhole = false }: View, suffix: string): Promise<void> {
  const path = join(folder, `${(isReadme && README[name]) || `${name}${suffix}`}.png`);
  await page.evaluate("new Promise((drawn) => setTimeout(drawn, 400))");
  await page.screenshot({ path, fullPage: isWhole && !isReadme });
}

async function drawAll(width: number, height: number, colorScheme: "light" | "dark"): Promise<void> {
  const isSmall = width < 500;
  const page = await windows.open(line, {
    ...{ viewport: { width, height }, colorScheme, reducedMotion: "reduce" },
    ...(isSmall && { isMobile: true, hasTouch: true }),
  });
  // Nobody waits a day for a picture of one.
  await page.route("**/v1/stats/series?*", (asked) => asked.fulfill({ json: aDay(Date.now()) }));
  const suffix = `-${width}-${colorScheme}`;
  for (const view of VIEWS.filter(({ name }) => !isReadme || name in README)) {
    // A page of its own: nothing is left open from the view before.
    await page.goto(`/?${view.name}${view.address}`);
    await page.locator(".link.live").waitFor();
    await page.locator(view.sign).first().waitFor();
    await view.then?.(page);
    await draw(page, view, suffix);
  }
  await page.context().clearCookies();
  if (!isReadme) {
    await page.goto("/?signed-out");
    await page.getByRole("heading", { name: "Sign in to Signalbox" }).waitFor();
    await draw(page, { name: "sign-in", address: "", sign: "" }, suffix);
  }
  await page.context().close();
}

mkdirSync(folder, { recursive: true });
await windows.start();
await line.start();
try {
  line.paceMs = 200;
  await playSessions(line);
  line.paceMs = 0;
  if (!isReadme) await playOdd(line);
  await playRefused(line);
  const rule = { workspace: "shop-4f2a91", tool: "Bash", match: { kind: "prefix", text: "npm test" } };
  await line.send("/v1/rules", { ...rule, effect: "allow", note: "The tests are harmless." });
  for (const [width, height] of isReadme ? ([[1440, 900]] as const) : WIDTHS)
    for (const colorScheme of isReadme ? (["light"] as const) : THEMES)
      await drawAll(width, height, colorScheme);
  if (windows.troubles.length > 0) throw new Error(windows.troubles.join("\n"));
  process.stdout.write(`${folder}\n`);
} finally {
  await line.stop();
  await windows.close();
}
