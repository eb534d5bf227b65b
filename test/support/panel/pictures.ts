// Pictures
// Writes what every view of the panel looks like: empty and with a story told, at three widths, light and dark.
//
//   Owns:          which views, widths and themes there are; which of the pictures are the README's.
//   Does not own:  what is played to the engine (story, sessions), a day for the charts (a-day).
//
// `npm run pictures [FOLDER]`; without a folder, one below the system's folder for what is temporary.
// `npm run pictures -- --only=overview-768` draws those whose names have that text in them.
// `npm run pictures -- --readme` draws those in docs/images, and only those.

import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { aDay } from "./a-day.ts";
import { chooseNext, seen } from "./choose.ts";
import { Line, Windows } from "./page.ts";
import { ODD, playOdd, playRefused } from "./sessions.ts";
import { askOnce, CASCADE, confirm, EDIT, EDIT_ASKED, playStory } from "./story.ts";

const WIDTHS = [
  [1440, 900],
  [768, 1024],
  [390, 844],
] as const;
const THEMES = ["light", "dark"] as const;

const windows = new Windows();
const line = new Line();
const workspace = EDIT.split("/")[0] ?? "";
const EDITING = `#/inbox/${workspace}/${EDIT_ASKED}`;

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

/** Counts the approvals that are answered for a picture: each is another one. */
let answered = 0;

/** Allows one as a person does. The agent takes the answer and acts, and the receipt says so. */
async function answerOne(page: Page): Promise<void> {
  const n = (answered += 1);
  await page.goto(`/?answer-${n}#/inbox/${workspace}/${await askOnce(line, n)}`);
  await seen(page, "prettier");
  await page.keyboard.press("a");
  await page.locator(".card .steps").first().waitFor();
  await confirm(line, n);
  await page.locator(".card .steps .reached", { hasText: "Confirmed by the agent" }).first().waitFor();
  await page.locator(".card.open header", { hasText: "tax.ts" }).click();
  await seen(page, "tax.ts");
}

/** Before anything was reported. */
const EMPTY: readonly View[] = [
  { name: "inbox-empty", address: "#/", sign: ".empty" },
  { name: "overview-empty", address: "#/overview?range=24h", sign: ".glance" },
  { name: "rules-empty", address: "#/rules", sign: ".suggested" },
  { name: "answers-empty", address: "#/answers", sign: ".answers > p:not(.loading)" },
  { name: "letters-empty", address: "#/letters", sign: ".letters" },
];

const VIEWS: readonly View[] = [
  { name: "inbox", address: "#/", sign: ".card .gist", then: chooseNext },
  { name: "inbox-chosen", address: EDITING, sign: ".card.open .consequence" },
  { name: "inbox-answered", address: "#/", sign: ".card .gist", then: answerOne },
  { name: "inbox-odd", address: `#/inbox/${ODD.split("/")[0]}/odd-3`, sign: ".card .whole" },
  {
    name: "inbox-denying",
    address: EDITING,
    sign: ".card.open .consequence",
    then: async (page) => {
      await seen(page);
      await press("d", ".reply textarea")(page);
    },
  },
  { name: "overview", address: "#/overview?range=24h", sign: ".series svg rect.completed", isWhole: true },
  { name: "session", address: `#/session/${CASCADE}`, sign: ".call" },
  { name: "session-call", address: `#/session/${CASCADE}/cent-call-4`, sign: ".details .changes li" },
  {
    name: "session-asking",
    address: `#/session/${EDIT}/tax-call-3`,
    sign: ".details .fields",
    isWhole: true,
  },
  { name: "machine", address: `#/machine/${CASCADE}/call/cent-call-4`, sign: ".state.lit" },
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
    address: EDITING,
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
  "inbox-answered": "inbox",
  "session-call": "session",
  machine: "machine",
  overview: "overview",
};
const isReadme = process.argv.includes("--readme");
const only = process.argv.find((each) => each.startsWith("--only="))?.slice("--only=".length) ?? "";
const folder = isReadme
  ? "docs/images"
  : (process.argv.slice(2).find((each) => !each.startsWith("-")) ?? join(tmpdir(), "signalbox-pictures"));

/** Packs a picture as WebP, which takes half the bytes of a PNG. The browser can, so no other program is needed. */
async function packed(page: Page, picture: Buffer): Promise<Buffer> {
  const text = await page.evaluate<string>(`(async () => {
    const bytes = Uint8Array.from(atob("${picture.toString("base64")}"), (each) => each.charCodeAt(0));
    const drawn = await createImageBitmap(new Blob([bytes]));
    const canvas = new OffscreenCanvas(drawn.width, drawn.height);
    canvas.getContext("2d").drawImage(drawn, 0, 0);
    const webp = new Uint8Array(await (await canvas.convertToBlob({ type: "image/webp", quality: 0.9 })).arrayBuffer());
    return btoa(Array.from(webp, (each) => String.fromCharCode(each)).join(""));
  })()`);
  return Buffer.from(text, "base64");
}

async function draw(page: Page, { name, isWhole = false }: View, suffix: string): Promise<void> {
  await page.evaluate("new Promise((drawn) => setTimeout(drawn, 400))");
  const picture = await page.screenshot({ fullPage: isWhole && !isReadme });
  const known = isReadme && README[name];
  if (known) writeFileSync(join(folder, `${known}.webp`), await packed(page, picture));
  else writeFileSync(join(folder, `${name}${suffix}.png`), picture);
}

type Shape = readonly [width: number, height: number, colorScheme: "light" | "dark"];

async function drawAll(views: readonly View[], [width, height, colorScheme]: Shape): Promise<void> {
  const suffix = `-${width}-${colorScheme}`;
  const wanted = views.filter(({ name }) => (isReadme ? name in README : `${name}${suffix}`.includes(only)));
  const isSigningIn = !isReadme && `sign-in${suffix}`.includes(only) && views === VIEWS;
  if (wanted.length === 0 && !isSigningIn) return;
  const isSmall = width < 500;
  const page = await windows.open(line, {
    ...{ viewport: { width, height }, colorScheme, reducedMotion: "reduce" },
    ...(isSmall && { isMobile: true, hasTouch: true }),
  });
  // Nobody waits a day for a picture of one.
  if (views === VIEWS)
    await page.route("**/v1/stats/series?*", (asked) => asked.fulfill({ json: aDay(Date.now()) }));
  for (const view of wanted) {
    // A page of its own: nothing is left open from the view before.
    await page.goto(`/?${view.name}${view.address}`);
    await page.locator(".link.live").waitFor();
    await page.locator(view.sign).first().waitFor();
    await view.then?.(page);
    await draw(page, view, suffix);
  }
  await page.context().clearCookies();
  if (isSigningIn) {
    await page.goto("/?signed-out");
    await page.getByRole("heading", { name: "Sign in to Signalbox" }).waitFor();
    await draw(page, { name: "sign-in", address: "", sign: "" }, suffix);
  }
  await page.context().close();
}

const SHAPES: readonly Shape[] = isReadme
  ? [[1440, 900, "light"]]
  : WIDTHS.flatMap(([width, height]) => THEMES.map((theme) => [width, height, theme] as const));

mkdirSync(folder, { recursive: true });
await windows.start();
await line.start();
try {
  if (!isReadme) for (const shape of SHAPES) await drawAll(EMPTY, shape);
  line.paceMs = 150;
  await playStory(line);
  line.paceMs = 0;
  if (!isReadme) await playOdd(line);
  await playRefused(line);
  const rule = { workspace, tool: "Bash", match: { kind: "prefix", text: "npm test" } };
  await line.send("/v1/rules", { ...rule, effect: "allow", note: "The tests are harmless." });
  for (const shape of SHAPES) await drawAll(VIEWS, shape);
  if (windows.troubles.length > 0) throw new Error(windows.troubles.join("\n"));
  process.stdout.write(`${folder}\n`);
} finally {
  await line.stop();
  await windows.close();
}
