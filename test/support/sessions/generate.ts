// Generate
// Whole sessions, as anybody might send them: parallel calls, identical inputs, late, repeated and missing results,
// several askers, subagents, gateways, kills and resumes, in any order.
//
//   Owns:          which sessions are tried.
//   Does not own:  the wishes (wishes), turning a wish into an input (script), the right result (model, invariants).

import fc from "fast-check";
import { Script, type Session } from "./script.ts";
import { type Op, op } from "./wishes.ts";

type Weights = Readonly<Record<keyof typeof op, number>>;

const USUAL: Weights = {
  prompt: 4,
  announce: 14,
  burst: 4,
  start: 10,
  begin: 5,
  result: 16,
  unmatched: 1,
  batch: 3,
  ask: 10,
  wonder: 2,
  answer: 3,
  withdraw: 1,
  early: 1,
  decide: 8,
  expire: 1,
  stop: 3,
  session: 2,
  agent: 2,
  gateway: 2,
  hang: 1,
  quiet: 1,
  forgo: 1,
  orphans: 1,
  repeat: 2,
};

/** Mostly approvals before their calls and results before their calls. */
export const UNSEEN: Weights = {
  ...USUAL,
  announce: 6,
  begin: 4,
  start: 16,
  result: 6,
  unmatched: 6,
  wonder: 18,
  decide: 20,
  expire: 3,
  orphans: 4,
};

const anyOp = (weights: Weights) =>
  fc.oneof(
    ...Object.entries(op).map(([name, arbitrary]) => ({
      weight: weights[name as keyof typeof op],
      arbitrary,
    })),
  ) as fc.Arbitrary<Op>;

/** Sessions of up to `length` steps. */
export function sessions(length: number, weights: Weights = USUAL): fc.Arbitrary<Session> {
  return fc
    .record({
      policy: fc.constantFrom("strict", "interrupt", "none"),
      named: fc.boolean(),
      ops: fc.array(anyOp(weights), { minLength: 1, maxLength: length, size: "max" }),
    })
    .map(({ policy, named, ops }) => ({ policy, named, steps: new Script(named).write(ops) }));
}
