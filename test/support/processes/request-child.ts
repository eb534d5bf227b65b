// Request child
// A process that uses the request tracker, to be killed and crowded from outside.
//
//   Owns:          the scenarios that the tests of request files name.
//   Does not own:  judging them: it prints what it was told, and the parent looks at the folder.
//
// Every line is printed synchronously, so it was printed before anything that came after it.

import { writeSync } from "node:fs";
import { open } from "node:fs/promises";
import { RequestTracker } from "../../../adapters/request-files/tracker.ts";

const [scenario = "", dir = ""] = process.argv.slice(2);
const tracker = new RequestTracker({ stateBaseDir: dir, sweepMs: 0, env: {} });

function say(...words: readonly (string | number)[]): void {
  writeSync(1, `${words.join(" ")}\n`);
}

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : String(error);

/**
 * Calls are counted per thread, and the main thread has opened files at its start: the thread for files catches up
 * first, so that its next call is the first of all with that number.
 */
async function getAhead(): Promise<void> {
  for (let n = 0; n < 300; n += 1) await (await open("/dev/null")).close();
}

/** One update, between two printed lines. */
async function update(): Promise<void> {
  await getAhead();
  say("begin");
  try {
    const after = await tracker.updateState("r1", ({ tokens = 0 }) => ({ tokens: tokens + 1 }));
    say("told", after?.tokens ?? -1);
  } catch (error) {
    say("refused", codeOf(error));
  }
}

async function create(): Promise<void> {
  await getAhead();
  say("begin");
  await tracker.createRequest({ requestId: "r2", chatId: 1, workspace: "shop" });
  say("told", 0);
}

/** Adds 1 to the tokens of a few requests, many times, with the given number at once. */
async function count(): Promise<void> {
  const [times = 0, atOnce = 0] = (process.env["COUNT"] ?? "").split("x").map(Number);
  await tracker.start();
  say("ready");
  for (let done = 0; done < times; done += atOnce) {
    const all = Array.from({ length: atOnce }, (_, n) =>
      tracker.updateState(`c${n}`, ({ tokens = 0 }) => ({ tokens: tokens + 1 })),
    );
    await Promise.all(all);
  }
  say("done");
}

/** Fills the disk with a request's output, then frees it. */
async function fill(): Promise<void> {
  await tracker.start();
  await tracker.createRequest({ requestId: "r1", chatId: 1, workspace: "shop" });
  await tracker.updateState("r1", { state: "processing", output: "small" });
  const big = "x".repeat(3_000_000);
  await tracker.updateState("r1", { output: big }).catch((error: unknown) => say("refused", codeOf(error)));
  tracker.cache.clear();
  say("stands", (await tracker.getRequest("r1"))?.output ?? "nothing");
  say("then", (await tracker.updateState("r1", { state: "completed", output: "less" }))?.state ?? "nothing");
}

const SCENARIOS: Readonly<Record<string, () => Promise<void>>> = { update, create, count, fill };
await SCENARIOS[scenario]?.();
