// Panel row
// The panel in a real Chromium, on a store with 1,000 sessions and 100,000 calls: how soon each view stands, how soon it
// shows what was committed, how it answers to hands, and what all of it costs the engine.
//
//   Baseline: of a view, the same browser showing the same engine's liveness probe; of an update, the commit itself; of
//   standing still, the same burst seen by a page with nothing on it; of the engine's cost, the same with nobody looking.

import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, Page } from "playwright-core";
import type { Effort } from "../effort.ts";
import { randomUUID } from "node:crypto";
import { createEngine, type SignalboxEngine } from "../../adapters/index.ts";
import type { SearchAnswer } from "../../runtime/reading/search/search.ts";
import { cpuUs, median, quantile } from "../measure.ts";
import { launch, longestStillMs, openWindow, openingMs, scrolledMs } from "../panel/browser.ts";
import { burst } from "../panel/burst.ts";
import { ask, event, fill, type Size } from "../panel/crowd.ts";
import {
  HEARD,
  heardMs,
  momentMs,
  nextCallMs,
  nextCardMs,
  type View,
  viewMs,
  VIEWS,
} from "../panel/looks.ts";
import type { Row } from "../report.ts";
import { scratchFolder } from "../scratch.ts";

interface Plan extends Size {
  readonly rounds: number;
  readonly burstMs: number;
}

const PLANS: Readonly<Record<Effort, Plan>> = {
  quick: { sessions: 100, calls: 10, longCalls: 100, waiting: 200, rounds: 3, burstMs: 2_000 },
  whole: { sessions: 1_000, calls: 99, longCalls: 1_500, waiting: 2_000, rounds: 15, burstMs: 10_000 },
};

const SETTLE_MS = 500;
const NOWHERE = "nowhere at all";
const SEARCHES_A_ROUND = 10;

/** An engine with everything in it, and a browser. */
interface Stage {
  readonly plan: Plan;
  readonly engine: SignalboxEngine;
  readonly browser: Browser;
  readonly url: string;
  readonly token: string;
}

type Figures = Record<string, number[]>;

const note = (figures: Figures, name: string, figure: number): void =>
  void (figures[name] ??= []).push(figure);

/** Each view in turn, and the probe. */
async function views(stage: Stage, names: readonly View[], figures: Figures): Promise<void> {
  const { url, plan } = stage;
  const page = await openWindow(stage.browser, url, stage.token);
  for (let round = 0; round < plan.rounds; round += 1) {
    for (const name of names) note(figures, `${name} shown`, await viewMs(page, name));
    note(figures, "probe", await openingMs(page, `${url}/livez`, "body"));
  }
  await page.context().close();
}

/** An update of one view, and a commit beside it. */
async function updates(stage: Stage, name: keyof typeof HEARD, page: Page, figures: Figures): Promise<void> {
  const { engine, plan } = stage;
  const look = { ...HEARD[name], page };
  for (let round = 0; round < plan.rounds; round += 1) {
    note(figures, `${name} update`, await heardMs(engine, look, round));
    const sentAt = performance.now();
    await engine.send(event("s1", ["request.created", { requestId: `later-${name}-${round}` }]));
    note(figures, "commit", performance.now() - sentAt);
    // A person's pace: what an update starts is over before the next.
    await sleep(SETTLE_MS / 2);
  }
}

const open = (stage: Stage, view: View): Promise<Page> =>
  openWindow(stage.browser, stage.url, stage.token, VIEWS[view][0]);

/** Searches over HTTP: while the index is filled from nothing, and then for what is common, rare and nowhere. */
async function searches({ url, token, plan }: Stage, figures: Figures): Promise<void> {
  const find = async (text: string): Promise<boolean> => {
    const from = performance.now();
    const wish = new URLSearchParams({ text, limit: "8" });
    const answer = await fetch(`${url}/v1/search?${wish.toString()}`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    const { isWhole, since } = (await answer.json()) as SearchAnswer;
    const name = !isWhole && since === undefined ? "search filling" : text === NOWHERE ? "miss" : "hit";
    note(figures, name, performance.now() - from);
    return isWhole || since !== undefined;
  };
  while (!(await find(NOWHERE)));
  for (let round = 0; round < plan.rounds * SEARCHES_A_ROUND; round += 1)
    for (const text of [NOWHERE, "echo", `echo r${round} 5`, "part39"]) await find(text);
}

/** The whole long session on the page: scrolled from end to end, and walked through by keys. */
async function scrolling(stage: Stage, figures: Figures): Promise<void> {
  const page = await open(stage, "session");
  await page.getByRole("button", { name: "Read all" }).click();
  await page.locator(".loaded").waitFor({ state: "detached" });
  await sleep(SETTLE_MS);
  for (const gap of await scrolledMs(page, stage.plan.burstMs / 2)) note(figures, "frame", gap);
  for (let round = 0; round < stage.plan.rounds; round += 1) note(figures, "step", await nextCallMs(page));
  await page.context().close();
}

async function hands(stage: Stage, figures: Figures): Promise<void> {
  const session = await open(stage, "session");
  await session.locator(".whole-session [role=slider]").waitFor();
  for (let round = 0; round < stage.plan.rounds; round += 1) note(figures, "moment", await momentMs(session));
  await session.context().close();
  const inbox = await open(stage, "inbox");
  await inbox.locator(".card.open").first().waitFor();
  await sleep(SETTLE_MS);
  for (let round = 0; round < stage.plan.rounds; round += 1) note(figures, "key", await nextCardMs(inbox));
  await inbox.context().close();
}

/** What the engine's process spends in `ms` of doing nothing, µs a second. */
const idleUs = async (ms: number): Promise<number> => ((await cpuUs(() => sleep(ms))) / ms) * 1_000;

async function underLoad(stage: Stage, figures: Figures): Promise<void> {
  const { engine, browser, url, token, plan } = stage;
  const { sessions, burstMs } = plan;
  const load = async (looking: readonly Page[]): Promise<void> => {
    let changes = 0;
    const still = Promise.all(looking.map((page) => longestStillMs(page, burstMs)));
    const us = await cpuUs(async () => {
      const ended = await burst(engine, sessions, burstMs);
      changes = ended.changes;
      note(figures, "rate", ended.changes / (ended.tookMs / 1000));
    });
    const name = looking.length > 1 ? "watched" : "alone";
    note(figures, `${name} still`, Math.max(...(await still)));
    note(figures, `${name} cost`, us / changes);
  };
  const empty = await openWindow(browser, url, token);
  await empty.goto("/livez");
  note(figures, "alone idle", await idleUs(burstMs / 4));
  await load([empty]);
  const pages = [await open(stage, "inbox"), await open(stage, "overview"), await open(stage, "session")];
  await sleep(4 * SETTLE_MS);
  note(figures, "watched idle", await idleUs(burstMs / 4));
  await load(pages);
  for (const page of [empty, ...pages]) await page.context().close();
}

/** A folder that is full of it; `SIGNALBOX_BENCH_CROWD` names one to fill once and to copy from then on. */
async function crowd(plan: Plan): Promise<string> {
  const kept = process.env["SIGNALBOX_BENCH_CROWD"];
  const dataDir = scratchFolder();
  const source = kept ?? dataDir;
  if (kept === undefined || !existsSync(join(kept, "line-key"))) {
    const engine = await createEngine({ dataDir: source, port: 0, quota: "off" });
    await fill(engine, plan);
    await engine.stop();
  }
  if (kept !== undefined) cpSync(kept, dataDir, { recursive: true });
  return dataDir;
}

async function measure(plan: Plan): Promise<Figures> {
  const dataDir = await crowd(plan);
  const token = randomUUID();
  const engine = await createEngine({ dataDir, port: 0, token, quota: "off" });
  const browser = await launch();
  const stage: Stage = { plan, engine, browser, url: engine.url ?? "", token };
  const figures: Figures = {};
  try {
    await searches(stage, figures);
    await views(stage, ["inbox", "overview", "session", "machine"], figures);
    await scrolling(stage, figures);
    for (const name of ["inbox", "overview", "session"] as const) {
      const page = await open(stage, name);
      await sleep(SETTLE_MS);
      await updates(stage, name, page, figures);
      await page.context().close();
    }
    await ask(engine, plan);
    const full: Figures = {};
    await views(stage, ["inbox"], full);
    figures["full shown"] = full["inbox shown"] ?? [];
    const page = await open(stage, "inbox");
    await sleep(SETTLE_MS);
    await updates(stage, "full", page, figures);
    await page.context().close();
    await hands(stage, figures);
    await underLoad(stage, figures);
  } finally {
    await browser.close();
    await engine.stop();
  }
  return figures;
}

export async function panelRows(effort: Effort): Promise<readonly Row[]> {
  const plan = PLANS[effort];
  const figures = await measure(plan);
  const of = (name: string): number => median(figures[name] ?? []);
  const size = `${plan.sessions.toLocaleString("en")} sessions, ${(plan.sessions * plan.calls + plan.longCalls).toLocaleString("en")} calls`;
  const row = (what: string, name: string, baseline: Row["baseline"], limit?: number, unit = "ms"): Row => ({
    ...{ what: `panel, ${what}`, unit, figure: of(name), baseline },
    ...(limit !== undefined && { budget: { of: "figure", sense: "at most", limit } }),
  });
  const late = (name: string): number => quantile(figures[name] ?? [], 0.99);
  const p99 = (what: string, name: string, baseline: Row["baseline"], limit: number): Row => ({
    ...{ what: `panel, ${what}, p99`, unit: "ms", figure: late(name), baseline },
    budget: { of: "figure", sense: "at most", limit },
    note: `median ${of(name).toFixed(1)} ms`,
  });
  const frame = { name: "a frame", figure: 1_000 / 60 };
  const probe = { name: "the probe, shown", figure: of("probe") };
  const commit = { name: "a commit itself", figure: of("commit") };
  const waiting = plan.waiting.toLocaleString("en");
  const long = `a session of ${plan.longCalls.toLocaleString("en")} calls`;
  const rate = `${Math.round(of("rate"))} changes/s`;
  return [
    row(`${size}: the inbox shown`, "inbox shown", probe, 1_000),
    row("the overview shown", "overview shown", probe, 300),
    row(`${long} shown`, "session shown", probe, 300),
    p99("the overview shown", "overview shown", { name: "the probe's", figure: late("probe") }, 300),
    p99(`${long} shown`, "session shown", { name: "the probe's", figure: late("probe") }, 300),
    p99("a search while its index is filled", "search filling", probe, 200),
    p99("a search that finds", "hit", probe, 200),
    p99("a search that finds nothing", "miss", probe, 200),
    row(`${long} scrolled, a frame`, "frame", frame, 17),
    p99(`${long} scrolled, a frame`, "frame", frame, 34),
    row("a key in it to the next call chosen", "step", frame, 100),
    row("a machine of it shown", "machine shown", probe, 1_000),
    row("a question from its commit to its card", "inbox update", commit, 100),
    row("a session from its commit to the overview", "overview update", commit, 100),
    row("a call from its commit to its session", "session update", commit, 100),
    row(`the inbox with ${waiting} questions shown`, "full shown", probe, 1_000),
    row("a withdrawal from its commit to its card", "full update", commit, 100),
    row("a key in it to the next card chosen", "key", { name: "a frame", figure: 1_000 / 60 }, 100),
    row("the slider moved to that moment shown", "moment", { name: "a frame", figure: 1_000 / 60 }, 100),
    row(`longest without a frame, ${rate}, three pages`, "watched still", {
      name: "an empty page",
      figure: of("alone still"),
    }),
    row(
      `the engine, a change, ${rate}, three pages`,
      "watched cost",
      { name: "nobody looking", figure: of("alone cost") },
      undefined,
      "µs",
    ),
    row(
      "the engine, a second of nothing, three pages",
      "watched idle",
      { name: "nobody looking", figure: of("alone idle") },
      undefined,
      "µs",
    ),
  ];
}
