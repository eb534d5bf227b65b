// Correlation row
// Seed 000's benchmark on our correlation: one Pre and one Post a call, 8 calls in flight, hashes given.
//
//   Baseline: one Map of FIFO arrays by the same keys, which knows nothing but the match; and the seed's own figure.

import type { Effort } from "../effort.ts";
import { MemoryRecords } from "../../test/support/machines/memory-records.ts";
import { type CallBook, calls } from "../../machines/books.ts";
import { advance, findById, findInLine, register } from "../../machines/matching/correlation.ts";
import type { BatchId, CallId, RequestId } from "../../machines/ids.ts";
import { MAIN_AGENT } from "../../machines/ids.ts";
import { likeness } from "../../machines/queues/queue-keys.ts";
import { digestId } from "../../runtime/foreign-id.ts";
import { toolInput } from "../../runtime/canonical.ts";
import { cpuUs, inTurns } from "../measure.ts";
import type { Row } from "../report.ts";
import { inputOf } from "../workload.ts";

const SEED_US = 4.26;
const IN_FLIGHT = 8;

interface Said {
  readonly id: CallId;
  readonly toolUseId?: string;
  readonly tool: string;
  readonly input: { readonly text: string; readonly hash: string };
}

const book = (said: Said): CallBook => ({
  agentId: MAIN_AGENT,
  tool: said.tool,
  hash: said.input.hash,
  requestId: "r" as RequestId,
  batchId: "b1" as BatchId,
  index: 0,
  stage: "announced",
  hadPre: true,
  asked: false,
  allowed: false,
  deferred: false,
  result: "",
  ...(said.toolUseId !== undefined && { toolUseId: said.toolUseId }),
});

function pre(records: MemoryRecords, said: Said): void {
  const like = likeness(digestId, MAIN_AGENT, said);
  if (findById(records, said) || findInLine(records, like, ["announced"])?.match.how === "input")
    throw new Error("known already");
  const call = book(said);
  register(records, digestId, said.id, call);
  advance(records, digestId, said.id, call, "started");
}

function post(records: MemoryRecords, said: Said): void {
  const like = likeness(digestId, MAIN_AGENT, said);
  const found = findById(records, said) ?? findInLine(records, like, ["started", "announced"]);
  const call = found && calls.get(records, found.id);
  if (!call || found.id !== said.id) throw new Error("not matched");
  advance(records, digestId, found.id, call, "closed");
}

class Fifo {
  readonly #waiting = new Map<string, Said[]>();

  pre(said: Said): void {
    const key = said.toolUseId ?? `${MAIN_AGENT}/${said.tool}/${said.input.hash}`;
    const waiting = this.#waiting.get(key);
    if (waiting) waiting.push(said);
    else this.#waiting.set(key, [said]);
  }

  post(said: Said): void {
    const key = said.toolUseId ?? `${MAIN_AGENT}/${said.tool}/${said.input.hash}`;
    const waiting = this.#waiting.get(key);
    if (waiting?.shift()?.id !== said.id) throw new Error("not matched");
    if (waiting.length === 0) this.#waiting.delete(key);
  }
}

/** Every Pre is answered by its Post when seven more calls have begun. */
function play(said: readonly Said[], one: { pre(said: Said): void; post(said: Said): void }): void {
  for (const [n, each] of said.entries()) {
    one.pre(each);
    const done = said[n - IN_FLIGHT + 1];
    if (done) one.post(done);
  }
  for (const each of said.slice(1 - IN_FLIGHT)) one.post(each);
}

function ours(said: readonly Said[]): void {
  const records = new MemoryRecords();
  play(said, { pre: (each) => pre(records, each), post: (each) => post(records, each) });
}

export async function correlationRows(effort: Effort): Promise<readonly Row[]> {
  const count = 2_000;
  const repeats = effort === "quick" ? 5 : 20;
  const said = Array.from({ length: count }, (_, n): Said => {
    const id = `c_${n}` as CallId;
    return { id, toolUseId: `toolu_${n}`, tool: "Bash", input: toolInput(inputOf(n)) };
  });
  const unnamed = said.map(({ toolUseId: _, ...rest }): Said => rest);
  const times = (work: () => void) => async (): Promise<number> =>
    (await cpuUs(() => {
      for (let n = 0; n < repeats; n += 1) work();
    })) /
    (repeats * count);
  const figures = await inTurns(7, {
    ids: times(() => ours(said)),
    idsMap: times(() => play(said, new Fifo())),
    none: times(() => ours(unnamed)),
    noneMap: times(() => play(unnamed, new Fifo())),
  });
  const row = (what: string, figure: number, name: string, baseline: number): Row => ({
    what,
    unit: "µs/call",
    figure,
    baseline: { name, figure: baseline },
  });
  const budget = { of: "figure", sense: "at most", limit: SEED_US } as const;
  return [
    { ...row("correlation, ids present", figures.ids, "bare Map of FIFOs", figures.idsMap), budget },
    row("correlation, ids present", figures.ids, "seed 000", SEED_US),
    { ...row("correlation, no ids", figures.none, "bare Map of FIFOs", figures.noneMap), budget },
    row("correlation, no ids", figures.none, "seed 000", SEED_US),
  ];
}
