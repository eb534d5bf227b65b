// Wishes
// What somebody may want to say next, before it is decided about which call.
//
//   Owns:          the kinds of wishes, and what each may be.
//   Does not own:  how often each comes (generate), how a wish becomes an input (script).

import fc from "fast-check";
import type { AgentId } from "../../../machines/index.ts";

const AGENTS = [undefined, undefined, undefined, "a1", "a2"] as readonly (AgentId | undefined)[];
const TOOLS = ["Bash", "Bash", "Read", "Write"];
const CHANNELS = ["hook", "hook", "sdk"];

const pick = fc.nat(7);
const agent = fc.constantFrom(...AGENTS);
/** Which of the calls mentioned last the agent runs under, if any. */
const under = fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.nat(7) });
const tool = fc.constantFrom(...TOOLS);
/** Few, so that identical inputs are common. */
const input = fc.nat(3);
const decision = fc.constantFrom("approve", "deny");
const text = fc.constantFrom("done", "done", "other");
const rarely = fc.oneof(
  { weight: 4, arbitrary: fc.constant(false) },
  { weight: 1, arbitrary: fc.constant(true) },
);

export const op = {
  prompt: fc.record({ op: fc.constant("prompt"), again: rarely }),
  announce: fc.record({
    op: fc.constant("announce"),
    agent,
    under,
    tool,
    input,
    message: fc.option(fc.nat(2), { nil: undefined }),
  }),
  burst: fc.record({
    op: fc.constant("burst"),
    agent,
    under,
    calls: fc.array(tool, { minLength: 2, maxLength: 5 }),
    input,
  }),
  start: fc.record({ op: fc.constant("start"), pick }),
  begin: fc.record({ op: fc.constant("begin"), agent, under, tool, input }),
  result: fc.record({
    op: fc.constant("result"),
    pick,
    how: fc.constantFrom(
      "finished",
      "finished",
      "finished",
      "failed",
      "user",
      "hook",
      "rule",
      "listed",
      "rejected",
      "lost",
      "deferred",
    ),
    text,
    beforeRun: fc.option(fc.boolean(), { nil: undefined }),
    mark: fc.constantFrom(undefined, undefined, "terminal", "unmarked"),
  }),
  unmatched: fc.record({ op: fc.constant("unmatched"), agent, under, tool, input, text }),
  batch: fc.record({
    op: fc.constant("batch"),
    agent,
    under,
    last: fc.nat(4),
    unseen: rarely,
    erred: rarely,
    told: fc.constantFrom(undefined, undefined, "refusal", "output", "text"),
  }),
  ask: fc.record({
    op: fc.constant("ask"),
    pick,
    channel: fc.constantFrom(...CHANNELS),
    withId: fc.boolean(),
    own: fc.option(fc.nat(3), { nil: undefined }),
    onDeadline: fc.constantFrom("deny", "ask"),
  }),
  wonder: fc.record({
    op: fc.constant("wonder"),
    agent,
    under,
    tool,
    input,
    channel: fc.constantFrom(...CHANNELS),
  }),
  answer: fc.record({
    op: fc.constant("answer"),
    pick,
    decision,
    by: fc.constantFrom("hook", "terminal"),
    interrupt: rarely,
  }),
  withdraw: fc.record({ op: fc.constant("withdraw"), pick }),
  early: fc.record({ op: fc.constant("early"), own: fc.nat(3), decision }),
  decide: fc.record({
    op: fc.constant("decide"),
    pick,
    decision,
    hash: fc.constantFrom("shown", "shown", "shown", "another", "none"),
    interrupt: rarely,
  }),
  expire: fc.record({ op: fc.constant("expire"), pick }),
  stop: fc.record({
    op: fc.constant("stop"),
    agent,
    under,
    outcome: fc.constantFrom("completed", "completed", "completed", "interrupted", "failed", "deferred"),
  }),
  session: fc.record({
    op: fc.constant("session"),
    what: fc.constantFrom("startup", "resume", "compact", "end", "gone"),
  }),
  agent: fc.record({
    op: fc.constant("agent"),
    agent: fc.constantFrom("a1", "a2"),
    pick: fc.option(pick, { nil: undefined }),
  }),
  gateway: fc.record({
    op: fc.constant("gateway"),
    id: fc.nat(2),
    what: fc.constantFrom("created", "created", "queued", "processing", "completed", "failed", "cancelled"),
  }),
  hang: fc.record({
    op: fc.constant("hang"),
    pick,
    afterMs: fc.constantFrom(7_200_000, 1_200_000, 90_000_000),
  }),
  quiet: fc.record({ op: fc.constant("quiet"), afterMs: fc.constantFrom(3_600_000, 90_000_000) }),
  forgo: fc.record({ op: fc.constant("forgo"), pick }),
  orphans: fc.record({ op: fc.constant("orphans") }),
  repeat: fc.record({ op: fc.constant("repeat"), pick }),
} as const;

type Ops = {
  readonly [K in keyof typeof op]: (typeof op)[K] extends fc.Arbitrary<infer T>
    ? Omit<T, "op"> & { readonly op: K }
    : never;
};
/** What somebody wants to say next, before it is decided about which call. */
export type Op = Ops[keyof Ops];
