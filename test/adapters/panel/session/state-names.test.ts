// Panel: names of states
// People read words: a state's id stands in titles, addresses and "Details" alone.

import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { lineForAll, windowsForAll } from "../../../support/panel/for-tests.ts";
import { ASKING, DENIED, playRefused, playSessions } from "../../../support/panel/sessions.ts";

const windows = windowsForAll();
const line = lineForAll(playSessions, playRefused, (played) =>
  played.emit(
    "shop/lost",
    ["request.created", { requestId: "l1", prompt: "Lose it" }],
    ["request.processing", { requestId: "l1" }],
    ["tool.started", { requestId: "l1", toolUseId: "l1-call", tool: "Bash", input: { command: "true" } }],
    ["request.completed", { requestId: "l1" }],
    ["session.ended", {}],
  ),
);

const VIEWS = {
  inbox: ["#/inbox/q3", ".card.open .consequence"],
  overview: ["#/overview", ".series svg rect"],
  session: [`#/session/${DENIED}`, ".call"],
  asking: [`#/session/${ASKING}/r2-call-4`, ".details .fields"],
  "no result": ["#/session/shop/lost/l1-call", ".details .fields"],
  call: ["#/machine/shop/lost/call/l1-call", ".state.lit"],
  request: [`#/machine/${ASKING}/request/r2`, ".state.lit"],
  "session machine": [`#/machine/${ASKING}/session/links`, ".state.lit"],
  approval: [`#/machine/${DENIED}/approval/q2`, ".state.lit"],
} as const;

/** A call that names no result is in this one. */
const MISSING = "missing-post";
/** Whole texts, and states joined by hyphens or underscores anywhere; names of events and fields are no states. */
const RAW = `(() => {
  const names = /^(created|queued|processing|completed|failed|timeout|denied|pending|approved|expired|running|idle|ended|waiting|delivering|delivered)$/;
  const joined = /(?<!\\()\\b(${MISSING}|waiting_input|executedAfterDenial|unapprovedExecution)\\b/;
  const found = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let it = walk.nextNode(); it; it = walk.nextNode()) {
    const text = it.textContent.trim();
    const holder = it.parentElement;
    if (holder.closest("script, style, title, code, pre, .fields dt, .arrow, details.engine")) continue;
    if (names.test(holder.textContent.trim()) || joined.test(text) || / → [a-z]/.test(text)) found.push(holder.className + ": " + text);
  }
  for (const it of document.querySelectorAll("[aria-label], [aria-valuetext]"))
    for (const name of ["aria-label", "aria-valuetext"])
      if (joined.test(it.getAttribute(name) ?? "")) found.push(it.getAttribute(name));
  return found;
})()`;

const rawOn = (page: Page): Promise<readonly string[]> => page.evaluate(RAW);

describe("the panel: names of states", () => {
  it.each(Object.entries(VIEWS))("Panel: %s shows no state by its id", async (_, [address, sign]) => {
    const page = await windows.openAt(line, address, sign);
    expect(await rawOn(page)).toEqual([]);
  });

  it("Panel: at no moment of a call does its slider say a state by its id, and the chart has the id as a title", async () => {
    const page = await windows.openAt(line, "#/machine/shop/lost/call/l1-call", ".state.lit");
    await page.getByText("Running → No result reported").waitFor();
    expect(await page.locator(`.state.lit[data-state=${MISSING}] title`).textContent()).toBe(MISSING);
    for (const key of ["{", "]", "]"]) {
      await page.keyboard.press(key);
      expect(await rawOn(page)).toEqual([]);
    }
  });
});
