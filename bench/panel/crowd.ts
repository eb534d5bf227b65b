// Crowd
// What the panel is looked at with: many sessions with many calls, one of them long, and many that wait for a person.
//
//   Owns:          what is said; saying it, with how far it is on stderr.
//   Does not own:  measuring.

import type { SignalboxEngine } from "../../adapters/index.ts";

export interface Size {
  readonly sessions: number;
  /** Of each session: three changes a call. */
  readonly calls: number;
  /** Of the long session: five changes a call. */
  readonly longCalls: number;
  /** Approvals that nobody has answered, in sessions of their own. */
  readonly waiting: number;
}

export const LONG = "long";
const PER_BATCH = 10;
const PER_SESSION = 20;
/** Events of one call of `send`; several sessions are sent side by side. */
const AT_ONCE = 900;
const SIDE_BY_SIDE = 8;
const TELL_MS = 2_000;

type Said = readonly [type: string, data: object];

/** A folder that is used again has heard the ids of an earlier run. */
const RUN = `${Date.now().toString(36)}-${process.pid}`;
let sent = 0;

/** An envelope with an id of its own. */
export function event(session: string, [type, data]: Said): object {
  sent += 1;
  return {
    specversion: "1.0",
    id: `${RUN}-${sent}`,
    source: "bench",
    type,
    subject: `bench/${session}`,
    data,
  };
}

const opening = (title: string, requestId: string): readonly Said[] => [
  ["session.started", { title, cwd: "/home/you/shop", branch: "main" }],
  ["request.created", { requestId, prompt: "Do the steps." }],
  ["request.processing", { requestId }],
];

export const callOf = (requestId: string, n: number | string) => ({
  requestId,
  toolUseId: `${requestId}-${n}`,
  tool: "Bash",
  input: { command: `echo ${requestId} ${n}` },
});

export const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n);

function ordinary(n: number, calls: number): readonly Said[] {
  const requestId = `r${n}`;
  const ran = numbers(calls).flatMap((each): readonly Said[] => {
    const call = callOf(requestId, each);
    return [
      ["tool.started", call],
      ["tool.finished", { ...call, output: "ok" }],
    ];
  });
  // Every tenth goes on.
  const end: readonly Said[] = n % 10 === 0 ? [] : [["request.completed", { requestId, output: "done" }]];
  return [...opening(`Session ${n}`, requestId), ...ran, ...end];
}

function long(calls: number): readonly Said[] {
  const ran = numbers(calls).flatMap((n): readonly Said[] => {
    const call = callOf(LONG, n);
    const approvalId = `${LONG}-q${n}`;
    const place = { messageId: `m${Math.floor(n / PER_BATCH)}`, blockIndex: n % PER_BATCH };
    return [
      ["tool.announced", { ...call, ...place }],
      ["tool.started", call],
      ["approval.requested", { ...call, approvalId, channel: "gateway" }],
      ["approval.answered", { ...call, approvalId, decision: "approve", by: "ann" }],
      ["tool.finished", { ...call, output: "ok", durationMs: 20 }],
    ];
  });
  return [...opening("A long day", LONG), ...ran];
}

function waiting(n: number): readonly Said[] {
  const requestId = `w${n}`;
  const asked = numbers(PER_SESSION).flatMap((each): readonly Said[] => {
    const call = callOf(requestId, each);
    return [
      ["tool.announced", { ...call, messageId: "m", blockIndex: each }],
      ["approval.requested", { ...call, approvalId: `${requestId}-${each}` }],
    ];
  });
  return [...opening(`Waiting ${n}`, requestId), ...asked];
}

async function say(engine: SignalboxEngine, session: string, all: readonly Said[]): Promise<void> {
  for (let from = 0; from < all.length; from += AT_ONCE)
    await engine.send(all.slice(from, from + AT_ONCE).map((each) => event(session, each)));
}

type Part = () => Promise<void>;

/** Several parts side by side, each told of from time to time. */
async function sayAll(parts: readonly Part[]): Promise<void> {
  const waiting = [...parts];
  const from = performance.now();
  let done = 0;
  let toldAt = from;
  const worker = async (): Promise<void> => {
    for (let part = waiting.shift(); part; part = waiting.shift()) {
      await part();
      done += 1;
      if (performance.now() - toldAt < TELL_MS) continue;
      toldAt = performance.now();
      const seconds = ((toldAt - from) / 1000).toFixed(0);
      process.stderr.write(`panel: ${done} of ${parts.length} sessions after ${seconds} s\n`);
    }
  };
  await Promise.all(numbers(SIDE_BY_SIDE).map(worker));
}

/** The long session first: all the others' changes come after its own. */
export async function fill(engine: SignalboxEngine, { sessions, calls, longCalls }: Size): Promise<void> {
  await say(engine, LONG, long(longCalls));
  await sayAll(numbers(sessions).map((n) => () => say(engine, `s${n}`, ordinary(n, calls))));
}

/** The approvals nobody answers. */
export const ask = (engine: SignalboxEngine, size: Size): Promise<void> =>
  sayAll(numbers(Math.ceil(size.waiting / PER_SESSION)).map((n) => () => say(engine, `w${n}`, waiting(n))));
