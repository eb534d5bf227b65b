// Panel row
// The inspector in a real Chromium, on a store with 1,000 sessions and 100,000 finished calls.
//
//   Baseline: of a view, the same browser showing the same engine's liveness probe; of an update, the commit itself.

import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium, type Page } from "playwright-core";
import { dataFolder, readSecret } from "../../adapters/data-folder/index.ts";
import { createEngine, type SignalboxEngine } from "../../adapters/index.ts";
import { median } from "../measure.ts";
import type { Row } from "../report.ts";
import type { Effort } from "../run.ts";
import { scratchFolder } from "../scratch.ts";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];
const EVENTS_AT_ONCE = 900;

let sent = 0;
const event = (session: number, type: string, data: object) => ({
  specversion: "1.0",
  id: `b${(sent += 1)}`,
  source: "bench",
  type,
  subject: `bench/s${session}`,
  data,
});

async function fill(engine: SignalboxEngine, sessions: number, calls: number): Promise<void> {
  for (let session = 0; session < sessions; session += 1) {
    const requestId = `r${session}`;
    const list: object[] = [
      event(session, "session.started", {
        title: `Session ${session}`,
        cwd: "/home/you/shop",
        branch: "main",
      }),
      event(session, "request.created", { requestId, prompt: "Do the steps." }),
      event(session, "request.processing", { requestId }),
    ];
    for (let n = 0; n < calls; n += 1) {
      const call = {
        requestId,
        toolUseId: `${requestId}-${n}`,
        tool: "Bash",
        input: { command: `echo ${n}` },
      };
      list.push(
        event(session, "tool.started", call),
        event(session, "tool.finished", { ...call, output: "ok" }),
      );
    }
    for (let from = 0; from < list.length; from += EVENTS_AT_ONCE)
      await engine.send(list.slice(from, from + EVENTS_AT_ONCE));
  }
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

/** When what the view is about is on the page, ms from the beginning of the navigation. */
async function shownMs(page: Page, address: string, sign: string): Promise<number> {
  await page.goto(address, { waitUntil: "commit" });
  await page.locator(sign).first().waitFor();
  return page.evaluate<number>(
    "new Promise((resolve) => requestAnimationFrame(() => resolve(performance.now())))",
  );
}

/** Notes when a card with the text is first in the page, on the clock this process shares with the browser. */
const WATCH = `
  globalThis.shownAt = {};
  new MutationObserver(() => {
    for (const title of document.querySelectorAll(".card pre, .card .gist"))
      globalThis.shownAt[title.textContent] ??= performance.timeOrigin + performance.now();
  }).observe(document.body, { childList: true, subtree: true, characterData: true });
`;

/** From the commit of a new question, which is when the engine acknowledges it, to its card, ms. */
async function updateMs(engine: SignalboxEngine, page: Page, n: number): Promise<number> {
  const input = { command: `question ${n}` };
  const call = { requestId: "r0", toolUseId: `q${n}`, tool: "Bash", input, approvalId: `q${n}` };
  await engine.send(event(0, "approval.requested", call));
  const committedAt = performance.timeOrigin + performance.now();
  const shownAt = await page.evaluate<number>(
    `new Promise((resolve) => {
      const look = () => {
        const at = globalThis.shownAt[${JSON.stringify(input.command)}];
        if (at === undefined) requestAnimationFrame(look);
        else resolve(at);
      };
      look();
    })`,
  );
  return Math.max(0, shownAt - committedAt);
}

/** From sending an event to its acknowledgement, ms. */
async function commitMs(engine: SignalboxEngine, n: number): Promise<number> {
  const sentAt = performance.now();
  await engine.send(event(1, "request.created", { requestId: `later-${n}` }));
  return performance.now() - sentAt;
}

export async function panelRows(effort: Effort): Promise<readonly Row[]> {
  const [sessions, calls, rounds] = effort === "quick" ? [100, 10, 5] : [1_000, 100, 15];
  const dataDir = scratchFolder();
  const engine = await createEngine({ dataDir, port: 0 });
  await fill(engine, sessions, calls);
  const token = (await readSecret(dataFolder(dataDir, {}).token)) ?? "";
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const browser = await chromium.launch({ executablePath: program(), args });
  const url = engine.url ?? "";
  const page = await browser.newPage();
  await page.goto(`${url}/?token=${token}`);
  const [inboxes, bare, overviews, updates, commits]: number[][] = [[], [], [], [], []];
  for (let n = 0; n < rounds; n += 1) {
    inboxes?.push(await shownMs(page, `${url}/?${n}`, "main h1"));
    bare?.push(await shownMs(page, `${url}/livez`, "body"));
    overviews?.push(await shownMs(page, `${url}/?${n}#/overview`, "#overview-title"));
  }
  await page.goto(url);
  await page.locator(".link.live").waitFor();
  await page.evaluate(WATCH);
  for (let n = 0; n < rounds; n += 1) {
    updates?.push(await updateMs(engine, page, n));
    commits?.push(await commitMs(engine, n));
  }
  await browser.close();
  await engine.stop();
  const size = `${sessions.toLocaleString("en")} sessions, ${(sessions * calls).toLocaleString("en")} calls`;
  const row = (what: string, figure: number[] = [], baseline: Row["baseline"], limit: number): Row => ({
    ...{ what: `panel, ${size}: ${what}`, unit: "ms", figure: median(figure), baseline },
    budget: { of: "figure", sense: "at most", limit },
  });
  const probe = { name: "the probe, shown", figure: median(bare ?? []) };
  return [
    row("the inbox shown", inboxes, probe, 1_000),
    row("the overview shown", overviews, probe, 1_000),
    row(
      "a question from its commit to its card",
      updates,
      { name: "a commit itself", figure: median(commits ?? []) },
      100,
    ),
  ];
}
