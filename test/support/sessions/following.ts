// Following
// An engine as `up` runs it, in this process: it follows transcripts, and hooks come in over HTTP.
//
//   Owns:          starting it, sending hooks, waiting until nothing more comes of what was written.
//   Does not own:  what is written (live), what is expected.

import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { composeEngine, type ComposeOptions } from "../../../adapters/composition/compose.ts";
import { at, listAt } from "../engine/json.ts";
import { append, type Step } from "./live.ts";

const TOKEN = "a-token-for-following-transcripts";

export async function following(options: ComposeOptions) {
  const composed = await composeEngine({
    http: { port: 0, token: TOKEN },
    onFatal: (error) => {
      throw error;
    },
    ...options,
  });
  await composed.connect();
  await composed.start();
  const url = composed.url ?? "";
  const headers = { Authorization: `Bearer ${TOKEN}`, "Content-Type": "application/json" };
  const get = async (path: string): Promise<unknown> => (await fetch(url + path, { headers })).json();

  const counts = async (): Promise<ReadonlyMap<string, number>> => {
    const text = await (await fetch(`${url}/metrics`, { headers })).text();
    return new Map(
      text.split("\n").map((line) => {
        const [name = "", value] = line.split(/ (?=\S+$)/);
        return [name.replace("signalbox_transcript_", ""), Number(value)] as const;
      }),
    );
  };
  /** How many lines were read, by what became of them. */
  const lines = async (): Promise<number> =>
    [...(await counts())].reduce((sum, [name, n]) => (name.startsWith("lines_total") ? sum + n : sum), 0);
  const hook = async (payload: object): Promise<number> =>
    (await fetch(`${url}/v1/hooks/claude-code`, { method: "POST", headers, body: JSON.stringify(payload) }))
      .status;

  return {
    ...composed,
    url,
    get,
    counts,
    lines,
    hook,
    letters: async () => listAt(await get("/v1/dead-letters"), "items").map((letter) => at(letter, "code")),
    async take(step: Step): Promise<void> {
      if (step.do === "append") append(step);
      else expect(await hook(step.payload)).toBe(200);
    },
    /** Waits until so many lines were read in all. */
    async untilRead(count: number): Promise<void> {
      await until(async () => (await lines()) >= count);
      expect(await lines()).toBe(count);
    },
    /** Waits until the engine has applied what its journal has. */
    applied: () => until(() => Promise.resolve(composed.engine.lag().journal === 0)),
  };
}

export type Following = Awaited<ReturnType<typeof following>>;

const WAIT_MAX_MS = 50_000;

/** @throws Error when it does not come true in a long while. */
export async function until(isTrue: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + WAIT_MAX_MS;
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error("It did not come true in 50 s.");
    await sleep(10);
  }
}
