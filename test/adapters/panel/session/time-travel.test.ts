// Panel: time travel
// At every version the page shows what the engine's history says up to it, folded here by other means.

import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { lineForAll, windowsForAll } from "../../../support/panel/for-tests.ts";
import { DENIED, playSessions } from "../../../support/panel/sessions.ts";

const windows = windowsForAll();
const line = lineForAll(playSessions);

interface Change {
  readonly version: number;
  readonly entity: string;
  readonly id: string;
  readonly to: string;
  readonly view: {
    readonly execution?: string;
    readonly callId?: string;
    readonly approval?: { readonly state: string };
  };
}

/** As much of any of the four as tells its states. */
interface Queried {
  readonly state: string;
  readonly waiting?: boolean;
  readonly callbackState?: string;
  readonly execution?: string;
  readonly approval?: { readonly state: string };
}

function litIn(
  kind: string,
  { state, waiting, callbackState, execution, approval }: Queried,
): readonly string[] {
  if (kind === "call") return [String(execution), approval?.state ?? "none"].toSorted();
  if (kind !== "request") return [state];
  const lifecycle = state === "processing" ? (waiting ? "waiting" : "running") : state;
  return [lifecycle, String(callbackState)].toSorted();
}

async function history(): Promise<readonly Change[]> {
  const { items } = await line.read<{ items: readonly Change[] }>(
    "/v1/sessions/rounding/history?workspace=shop-4f2a91&limit=1000",
  );
  return items.toSorted((a, b) => a.version - b.version);
}

/** One press of the key a version, from the first to the last. @returns what `look` saw at each. */
async function atEach(page: Page, count: number, look: () => Promise<unknown>): Promise<readonly unknown[]> {
  const seen: unknown[] = [];
  await page.keyboard.press("{");
  for (let n = 0; n < count; n += 1) {
    seen.push(await look());
    await page.keyboard.press("]");
  }
  return seen;
}

const litOn = (page: Page): Promise<readonly string[]> =>
  page.evaluate(
    `[...document.querySelectorAll(".state.lit:not(.outer)")].map(({ dataset }) => dataset.state)`,
  );

describe("the panel: time travel", () => {
  it("Panel, HISTORY-HISTORY-1: at each version the timeline shows the states of all calls up to it", async () => {
    const page = await windows.open(line);
    await page.goto(`/#/session/${DENIED}`);
    await page.locator(".call").first().waitFor();
    const changes = await history();
    const calls = new Map<string, string>();
    const asked = new Map<string, string>();
    const expected = changes.map(({ version, entity, id, to, view }) => {
      if (entity === "toolcall") calls.set(id, view.execution ?? to);
      if (entity === "approval") asked.set(id, to);
      const inState = (map: ReadonlyMap<string, string>, wanted: string): number =>
        [...map.values()].filter((state) => state === wanted).length;
      return {
        version,
        calls: calls.size,
        asking: inState(asked, "pending"),
        denied: inState(calls, "denied"),
        completed: inState(calls, "completed"),
      };
    });
    const seen = await atEach(page, changes.length, () =>
      page.evaluate(`(() => {
      const all = (selector) => document.querySelectorAll(selector).length;
      const words = document.querySelector(".moment").textContent;
      return {
        version: Number(/version (\\d+)/.exec(words)[1]),
        calls: all(".call"),
        asking: all(".call.asking"),
        denied: all(".call .chip.denied"),
        completed: all(".call .chip.completed"),
      };
    })()`),
    );
    expect(seen).toEqual(expected);
    expect(expected.length).toBeGreaterThan(25);
  });

  it("Panel, HISTORY-HISTORY-1: at each version of a call its chart lights the states it was in", async () => {
    const page = await windows.open(line);
    await page.goto(`/#/machine/${DENIED}/call/r1-call-2`);
    await page.locator(".state.lit").first().waitFor();
    let execution: string | undefined;
    let approval = "none";
    const expected: string[][] = [];
    for (const { entity, id, to, view } of await history()) {
      if (entity === "toolcall" && id === "r1-call-2") execution = view.execution;
      else if (entity === "approval" && view.callId === "r1-call-2") approval = to;
      else continue;
      if (execution !== undefined) expected.push([execution, approval]);
    }
    const seen = await atEach(page, expected.length, () => litOn(page));
    expect(seen).toEqual(expected);
    expect(await page.locator(".arrow.step").count()).toBe(1);
  });

  it("Panel, CONFIGURATION-1: while a question is pending, and at every moment after, each chart lights the states that were queried then", async () => {
    const call = { requestId: "mr", toolUseId: "mc", tool: "Bash", input: { command: "make" } };
    const events: readonly (readonly [string, object])[] = [
      ["request.created", { requestId: "mr", prompt: "Make it" }],
      ["request.processing", { requestId: "mr" }],
      ["tool.announced", { ...call, messageId: "m" }],
      ["tool.started", call],
      ["approval.requested", { ...call, approvalId: "ma", channel: "gateway" }],
      ["approval.answered", { ...call, approvalId: "ma", decision: "approve", by: "ann" }],
      ["approval.requested", { ...call, approvalId: "mb", channel: "gateway" }],
      ["approval.withdrawn", { ...call, approvalId: "mb" }],
      ["tool.finished", { ...call, output: "made" }],
      ["request.completed", { requestId: "mr" }],
    ];
    const named = [
      ["session", "moments", "/v1/sessions/moments"],
      ["request", "mr", "/v1/requests/mr"],
      ["call", "mc", "/v1/tool-calls/mc"],
      ["approval", "ma", "/v1/approvals/ma"],
    ] as const;
    const expected: (readonly [address: string, lit: readonly string[]])[] = [];
    for (const each of events) {
      await line.emit("w/moments", each);
      const all = await line.read<{ items: readonly (Change & { readonly to: string })[] }>(
        "/v1/sessions/moments/history?workspace=w&limit=1000",
      );
      const version = Math.max(...all.items.map((change) => change.version));
      for (const [kind, id, path] of named) {
        const known = all.items.some((change) => change.id === id);
        if (!known) continue;
        const view = await line.read<Queried>(`${path}?workspace=w`);
        expected.push([`#/machine/w/moments/${kind}/${id}@${version}`, litIn(kind, view)]);
      }
    }
    const page = await windows.open(line);
    const seen: typeof expected = [];
    for (const [address] of expected) {
      await page.goto(`/${address}`);
      const head = page.locator("#machine-title", {
        hasText: address.split("/").at(-1)?.split("@")[0] ?? "",
      });
      await head.waitFor();
      await page.locator(".state.lit:not(.outer)").first().waitFor();
      seen.push([address, (await litOn(page)).toSorted()]);
    }
    expect(seen).toEqual(expected);
    expect(expected.filter(([, lit]) => lit.includes("pending")).length).toBeGreaterThan(2);
    const pending = expected.find(([address, lit]) => address.includes("/call/") && lit.includes("pending"));
    await page.goto(`/${pending?.[0]}`);
    await page.getByText("then version").waitFor();
    expect(await page.locator(".moves li code").allTextContents()).not.toContain("asked");
  });

  it("Panel: a past moment stays while new things happen, and one key returns to now", async () => {
    const page = await windows.open(line);
    await page.goto(`/#/session/${DENIED}`);
    await page.locator(".call").first().waitFor();
    await page.keyboard.press("{");
    const words = () => page.locator(".moment").textContent();
    const before = await words();
    await line.emit(DENIED, ["request.created", { requestId: "later", prompt: "Something later" }]);
    const newest = (await history()).at(-1)?.version;
    await expect
      .poll(() => page.getByRole("slider").getAttribute("aria-valuemax"))
      .toBe(String(Number(newest) - 1));
    expect(await words()).toBe(before);
    expect(await page.getByText("Something later").count()).toBe(0);
    await page.keyboard.press("}");
    await page.getByRole("heading", { name: "Something later" }).waitFor();
    expect(await page.locator(".moment .now").count()).toBe(1);
  });
});
