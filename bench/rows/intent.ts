// Intent rows
// Why a call was made, near the end of a transcript of 1 GB: how long it takes, and what it keeps in memory meanwhile.
//
//   Baseline: every line of the same file parsed, from the first to the last.

import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { extractIntent } from "../../adapters/intent/lookup.ts";
import { inTurns } from "../measure.ts";
import type { Row } from "../report.ts";
import type { Effort } from "../effort.ts";
import { scratchFolder } from "../scratch.ts";

const MB = 1024 * 1024;
/** As long as the longest lines of a real client. */
const RESULT = "x".repeat(100 * 1024);
const START = Date.parse("2026-11-21T20:00:00Z");

setFlagsFromString("--expose-gc");
const gc = runInNewContext("gc") as () => void;

const line = (n: number, parent: number | null, fields: object): string =>
  JSON.stringify({
    parentUuid: parent === null ? null : `u${parent}`,
    uuid: `u${n}`,
    isSidechain: false,
    sessionId: "s1",
    timestamp: new Date(START + n).toISOString(),
    ...fields,
  });

/** A sentence, a call, and its result: three lines, chained to those before. */
function turn(n: number): string {
  const message = (block: object) => ({ type: "assistant", message: { id: `m${n}`, content: [block] } });
  const call = { type: "tool_use", id: `t${n}`, name: "Bash", input: { command: `step ${n}` } };
  const result = { type: "tool_result", tool_use_id: `t${n}`, content: RESULT };
  return [
    line(n, n === 0 ? null : n - 1, message({ type: "text", text: `I take step ${n}.` })),
    line(n + 1, n, message(call)),
    line(n + 2, n + 1, { type: "user", message: { content: [result] } }),
    "",
  ].join("\n");
}

/** @returns the number of the last turn. */
async function written(path: string, bytes: number): Promise<number> {
  const file = await open(path, "w");
  let size = 0;
  let n = 0;
  for (; size < bytes; n += 3) size += (await file.write(turn(n))).bytesWritten;
  await file.close();
  return n - 3;
}

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

const held = (): number => {
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / MB;
};

/** What the heap and buffers have grown by at most, MB; nothing is collected by hand meanwhile. */
async function growth(work: (look: () => void) => Promise<unknown>): Promise<number> {
  gc();
  const before = held();
  let most = before;
  const look = (): void => {
    most = Math.max(most, held());
  };
  await work(look);
  look();
  return most - before;
}

async function parseAll(path: string, look: () => void): Promise<void> {
  let lines = 0;
  for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    JSON.parse(text);
    lines += 1;
    if (lines % 100 === 0) look();
  }
}

export async function intentRows(effort: Effort): Promise<readonly Row[]> {
  const path = join(scratchFolder(), "transcript.jsonl");
  const size = effort === "quick" ? 64 * MB : 1024 * MB;
  const last = await written(path, size);
  // Twenty turns before the end: sixty lines, two megabytes.
  const n = last - 60;
  const query = { tool: "Bash", input: { command: `step ${n}` }, at: START + n + 1 };
  const ask = async (): Promise<void> => {
    const { text } = await extractIntent(path, query);
    if (text !== `I take step ${n}.`) throw new Error(`The lookup found "${text}".`);
  };
  const { near } = await inTurns(effort === "quick" ? 5 : 25, { near: () => msOf(ask) });
  const memory = await growth(ask);
  let baseline = 0;
  const parsing = await growth(async (look) => {
    baseline = await msOf(() => parseAll(path, look));
  });
  const file = `${size / MB} MB`;
  return [
    {
      what: `intent: sixty lines before the end of ${file}`,
      unit: "ms",
      figure: near,
      baseline: { name: "parse every line", figure: baseline },
      budget: { of: "figure", sense: "at most", limit: 20 },
    },
    {
      what: `intent: memory of that lookup`,
      unit: "MB",
      figure: memory,
      baseline: { name: "parse every line", figure: parsing },
      budget: { of: "figure", sense: "at most", limit: 50 },
    },
  ];
}
