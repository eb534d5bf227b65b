// Panel: around
// The lines of the file around an edit that waits: shown beside the list, numbered, and never in the way.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findingsOn, withAxe } from "../../../support/panel/axe.ts";
import { SEEN } from "../../../support/panel/choose.ts";
import { windowsForAll } from "../../../support/panel/for-tests.ts";
import { Line, shoot } from "../../../support/panel/page.ts";

const windows = windowsForAll();
const line = new Line();
const project = realpathSync(mkdtempSync(join(tmpdir(), "panel-around-")));
const CART = join(project, "src", "cart.ts");
const TEXT = `import { money } from "./money.ts";

export interface Item {
  readonly price: number;
  readonly count: number;
}

/** What all items cost together. */
export function total(items: readonly Item[]): number {
  let sum = 0;
  for (const item of items) sum += item.price;
  return sum;
}

// <img src=x onerror="pwned('around')">\u202e
export const shown = (items: readonly Item[]): string => money(total(items));
`;
const WIDE = { viewport: { width: 1440, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

let isOver = false;
async function ask(id: string, tool: string, input: object): Promise<void> {
  const call = { hook_event_name: "PermissionRequest", tool_name: tool, tool_input: input };
  const payload = { session_id: "s", cwd: project, ...call };
  await line.send(`/v1/gate?approval=${id}&wait=600000&closed=ask`, payload);
  void hold(id);
}

/** Waits as a hook does: an approval for which nobody waits is withdrawn. */
async function hold(id: string): Promise<void> {
  while (!isOver) await line.read(`/v1/approvals/${id}/answer?wait=20000`).catch(() => undefined);
}

beforeAll(async () => {
  mkdirSync(join(project, "src"));
  writeFileSync(CART, TEXT);
  await line.start({ fileLines: "own" });
  const edit = {
    file_path: CART,
    old_string: "  let sum = 0;\n  for (const item of items) sum += item.price;\n",
    new_string: "  let sum = 0;\n  for (const item of items) sum += item.price * item.count;\n",
  };
  await ask("e1", "Edit", edit);
  await ask("e2", "Edit", { ...edit, file_path: join(project, "src", "gone.ts") });
  await ask("e3", "Edit", { file_path: CART, old_string: "total", new_string: "sumOf", replace_all: true });
  await ask("e4", "MultiEdit", {
    file_path: CART,
    edits: [
      { old_string: "not there", new_string: "x" },
      { old_string: "export interface Item {\n", new_string: "export interface Line {\n" },
    ],
  });
}, 180_000);
afterAll(async () => {
  isOver = true;
  await line.stop();
  rmSync(project, { recursive: true });
});

const rowsOf = (page: Page, nth = 0): Promise<readonly string[]> =>
  page.getByRole("group", { name: "Changes" }).nth(nth).locator(".change-row").allTextContents();

/** Made of the project's folder. */
const workspaceOf = async (id: string): Promise<string> =>
  (await line.read<{ workspace: string }>(`/v1/approvals/${id}`)).workspace;

async function openAt(id: string, options: object = WIDE): Promise<Page> {
  return windows.openAt(line, `#/inbox/${await workspaceOf(id)}/${id}`, `${SEEN} .change-row`, options);
}
const NOTE = "from the file as it is now";

describe("the panel: the lines around an edit", () => {
  it("Panel, INPUT-CHANGES-1, PARTS-TEXT-1: beside the list they stand around the change, with the numbers of the file, and as text", async () => {
    const page = await openAt("e1");
    await page.getByText(NOTE).waitFor();
    expect(await rowsOf(page)).toEqual([
      "5  readonly count: number;",
      "6}",
      "7",
      "8/** What all items cost together. */",
      "9export function total(items: readonly Item[]): number {",
      "1010   let sum = 0;",
      "11−  for (const item of items) sum += item.price;",
      "11+  for (const item of items) sum += item.price * item.count;",
      "12  return sum;",
      "13}",
      "14",
      `15// <img src=x onerror="pwned('around')"><U+202E>`,
      "16export const shown = (items: readonly Item[]): string => money(total(items));",
    ]);
    expect(await page.locator(".changes-of img").count()).toBe(0);
  });

  it("Panel, INPUT-CHANGES-2: an edit whose file is not there is shown as before", async () => {
    const page = await openAt("e2");
    await page.getByText("Before this call").waitFor();
    await page.waitForLoadState("networkidle");
    expect(await page.getByText(NOTE).count()).toBe(0);
    expect((await rowsOf(page))[0]).toBe("11   let sum = 0;");
  });

  it("Panel: of an edit everywhere, how often and the first place; of several edits, each that is found", async () => {
    const page = await openAt("e3");
    await page.getByText("Everywhere in the file, and not only once: in 2 places.").waitFor();
    const rows = await rowsOf(page);
    expect(rows.slice(5, 9)).toEqual([
      "9…export function ",
      "9−total",
      "9+sumOf",
      "9…(items: readonly Item[]): number {",
    ]);
    const both = await openAt("e4");
    await both.getByText(NOTE).waitFor();
    expect(await rowsOf(both, 0)).toEqual(["1−not there", "1+x"]);
    expect((await rowsOf(both, 1)).slice(0, 4)).toEqual([
      '1import { money } from "./money.ts";',
      "2",
      "3−export interface Item {",
      "3+export interface Line {",
    ]);
  });

  it("Panel, INPUT-CHANGES-1: in a list of cards the edit is shown alone until a person asks for the lines", async () => {
    const page = await openAt("e2", PHONE);
    const asked: string[] = [];
    page.on("request", (request) => void asked.push(request.url()));
    await page.goto(`/#/inbox/${await workspaceOf("e1")}/e1`);
    await page.locator(`${SEEN} .change-row`).first().waitFor();
    await page.waitForLoadState("networkidle");
    expect(asked.filter((url) => url.endsWith("/lines") || url.includes("/lines?"))).toEqual([]);
    expect(await rowsOf(page)).toHaveLength(3);
    await page.locator(SEEN).getByRole("button", { name: "Show the lines around" }).tap();
    await page.getByText(NOTE).waitFor();
    expect(await rowsOf(page)).toHaveLength(13);
    await shoot(page, "around-390");
  });

  it("Panel, INPUT-CHANGES-2: whoever asks for lines that cannot be shown is told so", async () => {
    const page = await openAt("e2", PHONE);
    await page.locator(SEEN).getByRole("button", { name: "Show the lines around" }).tap();
    await page.getByText("The engine cannot show this file's lines.").waitFor();
    expect((await rowsOf(page))[0]).toBe("11   let sum = 0;");
  });

  it("Panel: axe finds nothing, in either theme", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await openAt("e2", { ...WIDE, colorScheme });
      await withAxe(page);
      await page.goto(`/?again#/inbox/${await workspaceOf("e1")}/e1`);
      await page.getByText(NOTE).waitFor();
      await shoot(page, `around-${colorScheme}`);
      expect(await findingsOn(page)).toEqual([]);
    }
  });
});
