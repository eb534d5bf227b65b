// Correlation: cost
// What an event costs, counted in records, however many calls there are.

import { expect, test } from "vitest";
import { agents, calls as callBooks } from "../../../machines/books.ts";
import { register } from "../../../machines/matching/correlation.ts";
import { EMPTY, push } from "../../../machines/queues/deque.ts";
import {
  type ApprovalId,
  type BatchId,
  type CallId,
  type CallRef,
  DEFAULT_POLICY,
  type Input,
  MAIN_AGENT,
  type Report,
  type RequestId,
  route,
  routeReport,
  scene,
  type SessionId,
} from "../../../machines/index.ts";
import { toolInput } from "../../../runtime/canonical.ts";
import { digestId } from "../../../runtime/foreign-id.ts";
import { MemoryRecords } from "../../support/machines/memory-records.ts";

const call = (command: string, toolUseId?: string): CallRef => ({
  tool: "Bash",
  input: toolInput({ command }),
  ...(toolUseId !== undefined && { toolUseId }),
});

/** A session as the routing sees it: its books, and what reading and writing them costs. */
class Books {
  readonly records = new MemoryRecords();
  #at = 0;

  /** Enters calls that are announced and wait, as entering them one by one would. */
  fill(from: number, to: number, ref: (n: number) => CallRef): void {
    let open = agents.get(this.records, MAIN_AGENT)?.open ?? EMPTY;
    for (let n = from; n < to; n++) {
      const { input, toolUseId } = ref(n);
      const id = (toolUseId ?? `c_${n}`) as CallId;
      register(this.records, digestId, id, {
        agentId: MAIN_AGENT,
        tool: "Bash",
        requestId: "p1" as RequestId,
        batchId: "b1" as BatchId,
        index: n,
        stage: "announced",
        hadPre: false,
        asked: false,
        allowed: false,
        deferred: false,
        result: "",
        ...(input && { hash: input.hash }),
        ...(toolUseId !== undefined && { toolUseId }),
      });
      open = push(this.records, `agent/${MAIN_AGENT}/open`, open, id);
    }
    const batchId = "b1" as BatchId;
    agents.set(this.records, MAIN_AGENT, { id: MAIN_AGENT, state: "running", open, asking: EMPTY, batchId });
  }

  /** @returns what it cost, and which call and which question it was about. */
  hear(input: Input): { readonly cost: number; readonly callId: CallId; readonly approvalId: ApprovalId } {
    this.records.operations = 0;
    const { steps } = route(this.#scene(), input).event;
    const first = (kind: string): string =>
      steps.flatMap((step) => ("kind" in step && step.kind === kind ? [step.id] : []))[0] ?? "none";
    return {
      cost: this.records.operations,
      callId: first("call") as CallId,
      approvalId: first("approval") as ApprovalId,
    };
  }

  report(report: Report): number {
    this.records.operations = 0;
    routeReport(this.#scene(), report);
    return this.records.operations;
  }

  #scene() {
    const at = ++this.#at;
    const sessionId = "s1" as SessionId;
    const { records } = this;
    return scene({ records, sessionId, at, channel: "test", policy: DEFAULT_POLICY, digest: digestId });
  }
}

const SIZES = [10, 1_000, 10_000, 100_000];
/** Once in sixteen removals a line fills its inline part anew, id by id. An event moves a call in four lines at most. */
const REFILL = 4 * 20;

/** Among a few calls some lines are inline altogether, and each of the questions about one input is looked at. */
const INLINE = 16;

const KINDS = [
  ["ids, different inputs", (n: number) => call(String(n), `t${n}`)],
  ["ids, one input", (n: number) => call("ls", `t${n}`)],
  ["no ids, different inputs", (n: number) => call(String(n))],
  ["no ids, one input", () => call("ls")],
] as const;

const EVENTS = ["announce", "start", "ask", "answer", "finish", "close"] as const;

/** The costs of a call's life among many, ten times over. */
function costs(books: Books, size: number, ref: (n: number) => CallRef): readonly (readonly number[])[] {
  return Array.from({ length: 10 }, (_, k) => {
    const n = (k * 7_919) % size;
    const announced = books.hear({ type: "tool.announced", call: ref(size * 2 + k) });
    const started = books.hear({ type: "tool.started", call: ref(n) });
    const asked = books.hear({ type: "approval.requested", call: ref(n), channel: "hook" });
    const { approvalId } = asked;
    const answered = books.report({ type: "approval.closed", approvalId, state: "approved", by: "ann" });
    const finished = books.hear({ type: "tool.finished", call: ref(n), output: "done" });
    const { callId } = finished;
    const closed = books.report({ type: "call.closed", callId, state: "completed" });
    expect(callBooks.get(books.records, callId)?.stage).toBe("closed");
    return [announced.cost, started.cost, asked.cost, answered, finished.cost, closed];
  });
}

test.each(KINDS)(
  "S0.4, S0.8: %s: an event costs the same records among 10 open calls and among 100,000",
  (_, ref) => {
    const books = new Books();
    let filled = 0;
    books.hear({ type: "prompt.submitted", promptId: "p1", text: "go" });
    const bySize = SIZES.map((size) => {
      books.fill(filled, size, ref);
      filled = size;
      const samples = costs(books, size, ref);
      return EVENTS.map((_event, index) => samples.map((sample) => sample[index] ?? 0));
    });
    for (const [index, event] of EVENTS.entries()) {
      const lists = bySize.map((size) => size[index] ?? []);
      const [few = 0, ...many] = lists.map((list) => list.toSorted((a, b) => a - b)[5] ?? 0);
      const told = `${event}: ${[few, ...many].join(", ")}`;
      expect(Math.max(...many) - Math.min(...many), told).toBeLessThanOrEqual(4);
      expect(few, told).toBeLessThanOrEqual(Math.min(...many) + INLINE);
      const worst = Math.max(...lists.flat());
      expect(worst, told).toBeLessThanOrEqual(Math.max(...many) + REFILL);
    }
  },
);

test("S0.10: what is over leaves nothing behind in the lines of what is open", () => {
  const sizes = [100, 1_000].map((size) => {
    const books = new Books();
    for (let n = 0; n < size; n++) {
      books.hear({ type: "tool.started", call: call("ls", `t${n}`) });
      books.report({ type: "call.closed", callId: `t${n}` as CallId, state: "completed" });
    }
    return [...books.records.all()].filter(([book]) => /^(queue|deque|place)$/.test(book)).length;
  });
  expect(sizes[1]).toBe(sizes[0]);
});
