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
/** Calls of a turn of the long session; a subagent's are a part of them, and every third part is one's. */
const PER_TURN = 150;
const PER_SUBAGENT = 25;
const SUBAGENT_EVERY = 3;
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
    const usual = callOf(requestId, each);
    const call = each % 4 === 3 ? { ...usual, tool: "Edit", input: editOf(requestId, each) } : usual;
    return [
      ["tool.started", call],
      ["tool.finished", { ...call, output: "ok" }],
    ];
  });
  // Every tenth goes on.
  const end: readonly Said[] = n % 10 === 0 ? [] : [["request.completed", { requestId, output: "done" }]];
  return [...opening(`Session ${n}`, requestId), ...ran, ...end];
}

/** A file, with a change of usual length. */
const editOf = (name: string, n: number) => ({
  file_path: `/home/you/shop/src/${name}/part${n % 40}.ts`,
  old_string: `export const total = ${n};\n${"// as it was before the change\n".repeat(6)}`,
  new_string: `export const total = ${n + 1};\n${"// as it is after the change\n".repeat(6)}`,
});

/** A call of the long session: a subagent's calls name the call that started it. */
function longCall(n: number, requestId: string) {
  const group = Math.floor(n / PER_SUBAGENT);
  const first = group * PER_SUBAGENT;
  const parent = { agentId: `agent${group}`, parentToolUseId: `${LONG}-${first}` };
  const who: Partial<typeof parent> = group % SUBAGENT_EVERY === 1 && n > first ? parent : {};
  const usual = { ...callOf(requestId, n), ...who, toolUseId: `${LONG}-${n}` };
  if (group % SUBAGENT_EVERY === 1 && n === first)
    return {
      ...usual,
      tool: "Task",
      input: { description: `Review part ${group}`, prompt: "Read all of it." },
    };
  return n % 3 === 2 ? { ...usual, tool: "Edit", input: editOf(LONG, n) } : usual;
}

/** The request of a turn of the long session: the last one goes on, and has the session's name. */
const requestOf = (turn: number, turns: number): string => (turn === turns - 1 ? LONG : `${LONG}-${turn}`);

function longTurn(turn: number, calls: number): readonly Said[] {
  const from = turn * PER_TURN;
  const turns = Math.ceil(calls / PER_TURN);
  const requestId = requestOf(turn, turns);
  const ran = numbers(Math.min(PER_TURN, calls - from)).flatMap((each): readonly Said[] => {
    const n = from + each;
    const call = longCall(n, requestId);
    const approvalId = `${LONG}-q${n}`;
    const place = { messageId: `m${Math.floor(n / PER_BATCH)}`, blockIndex: n % PER_BATCH };
    const batch = call.agentId === undefined ? place.messageId : `${call.agentId}-${place.messageId}`;
    return [
      ["tool.announced", { ...call, ...place, messageId: batch }],
      ["tool.started", call],
      ["approval.requested", { ...call, approvalId, channel: "gateway" }],
      ["approval.answered", { ...call, approvalId, decision: "approve", by: "ann" }],
      ["tool.finished", { ...call, output: "ok", durationMs: 20 }],
    ];
  });
  const begin: readonly Said[] =
    turn === 0
      ? opening("A long day", requestId)
      : [
          ["request.created", { requestId, prompt: `Do the steps of part ${turn}.` }],
          ["request.processing", { requestId }],
        ];
  const end: readonly Said[] =
    turn === turns - 1 ? [] : [["request.completed", { requestId, output: "done" }]];
  return [...begin, ...ran, ...end];
}

const long = (calls: number): readonly Said[] =>
  numbers(Math.ceil(calls / PER_TURN)).flatMap((turn) => longTurn(turn, calls));

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
  for (let from = 0; from < all.length; from += AT_ONCE) {
    const events = all.slice(from, from + AT_ONCE).map((each) => event(session, each));
    for (const each of (await engine.send(events)).taken) if ("refused" in each) throw each.refused;
  }
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

/**
 * The long session first: all the others' changes come after its own.
 * @param engine without a quota. @throws where it refuses an event: what was filled would be less than the figures say.
 */
export async function fill(engine: SignalboxEngine, { sessions, calls, longCalls }: Size): Promise<void> {
  await say(engine, LONG, long(longCalls));
  await sayAll(numbers(sessions).map((n) => () => say(engine, `s${n}`, ordinary(n, calls))));
}

/** The approvals nobody answers. */
export const ask = (engine: SignalboxEngine, size: Size): Promise<void> =>
  sayAll(numbers(Math.ceil(size.waiting / PER_SESSION)).map((n) => () => say(engine, `w${n}`, waiting(n))));
