// Trial
// The progress of a long trial on a screen, and what is said of one that broke off.

import { Readable } from "node:stream";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Client } from "../../../../adapters/cli/client.ts";
import { askTrial, trialText } from "../../../../adapters/cli/rules/trial.ts";

const COUNTS = { asked: 500, allow: 3, deny: 0, ask: 0, differing: 0, limited: 0, more: false, items: [] };
const NOW = Date.UTC(2026, 0, 2);

const eventOf = (event: string, data: object): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
const PROGRESS = [0, 250].map((looked) => eventOf("progress", { looked, of: 500 })).join("");

const engineThatSays = (text: string): Client =>
  new Client(
    () => Promise.resolve({ status: 200, body: Readable.from([Buffer.from(text)]) }),
    "engine",
    "nowhere",
  );

/** What is written on standard error while it is a screen. */
async function shownWhile(work: () => Promise<unknown>): Promise<string> {
  const written: string[] = [];
  const { isTTY } = process.stderr;
  process.stderr.isTTY = true;
  vi.spyOn(process.stderr, "write").mockImplementation((text) => written.push(String(text)) > 0);
  try {
    await work();
  } finally {
    process.stderr.isTTY = isTTY;
  }
  return written.join("");
}

afterEach(() => vi.restoreAllMocks());

describe("a trial on the command line", () => {
  it("RULES-TRIAL-1: a screen shows how far it is; a program that reads JSON gets only the trial", async () => {
    const client = engineThatSays(PROGRESS + eventOf("trial", COUNTS));
    const bar = await shownWhile(async () =>
      expect(await askTrial(client, {}, true)).toEqual({ ...COUNTS, days: [] }),
    );
    expect(bar).toContain("250/500 approvals and calls");
    expect(await shownWhile(() => askTrial(client, {}, false))).toBe("");
  });

  it("HTTP-RULING-2: a trial that broke off is a failure, with the engine's words where it has any", async () => {
    await expect(askTrial(engineThatSays(PROGRESS), {}, false)).rejects.toThrow(
      "stopped the trial before its end",
    );
    const error = eventOf("error", {
      error: { code: "X", message: "The disk is full.", next: "Make room." },
    });
    await expect(askTrial(engineThatSays(PROGRESS + error), {}, false)).rejects.toThrow("The disk is full.");
  });

  it("CLI: tells what limits kept a rule from, and the calls that nobody was asked about", () => {
    const items = [{ callId: "c1", tool: "Bash", at: NOW - 60_000, input: "rm\u001b[2J x", would: "deny" }];
    const unasked = { calls: 812, deny: 1, ask: 0, more: false, items };
    const told = trialText({ ...COUNTS, days: [], limited: 7, unasked }, NOW);
    expect(told).toContain("Without its uses, its hourly limit and its end it would have answered 7 more.");
    expect(told).toContain(
      "Of 812 calls that nobody was asked about it would deny 1 and ask a person about 0, if the client asked.",
    );
    expect(told).toMatch(/c1 +deny +60s/);
  });
});
