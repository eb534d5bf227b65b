// API: how the page asks the engine.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ask, send } from "../../../../adapters/panel/page/engine/api.ts";

/** What the engine answers, in order; the last answer stays. */
let answers: readonly (readonly [status: number, body: object])[] = [];
let asked = 0;
beforeEach(() => {
  asked = 0;
  vi.useFakeTimers();
  vi.stubGlobal("fetch", () => {
    const [status, body] = answers[Math.min(asked, answers.length - 1)] ?? [200, {}];
    asked += 1;
    return Promise.resolve(new Response(JSON.stringify(body), { status }));
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const refused = (code: string) => ({ error: { code, message: "No.", next: "Ask again." } });
const BEHIND = [503, refused("BEHIND")] as const;

/** @returns what came of it, and how often the engine was asked. */
async function outcome(answer: Promise<unknown>): Promise<readonly [unknown, number]> {
  const told = answer.catch((error: unknown) => (error as { code: string }).code);
  await vi.advanceTimersByTimeAsync(10_000);
  return [await told, asked];
}

test.each([
  { said: [BEHIND, BEHIND, [200, { items: [] }]] as const, comes: [{ items: [] }, 3] },
  { said: [BEHIND] as const, comes: ["BEHIND", 4] },
  { said: [[404, refused("NOT_FOUND")]] as const, comes: ["NOT_FOUND", 1] },
])("ENGINE-API-1: a read is repeated while the engine cannot answer yet: $comes", async ({ said, comes }) => {
  answers = said;
  expect(await outcome(ask("/v1/sessions"))).toEqual(comes);
});

test("ENGINE-API-1: nobody waits on for what a view no longer needs, and nothing that changes something is repeated", async () => {
  answers = [BEHIND];
  const gone = new AbortController();
  const read = ask("/v1/sessions", {}, gone.signal);
  gone.abort();
  expect(await outcome(read)).toEqual(["BEHIND", 1]);
  asked = 0;
  expect(await outcome(send("/v1/rules", {}))).toEqual(["BEHIND", 1]);
});
