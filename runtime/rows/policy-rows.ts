// Policy rows
// Stores the policy in force, and which approvals wait for the policy's verdict.
//
//   Owns:          the rows of the policy and of the waiting approvals.
//   Does not own:  what a verdict does (turn/policy/policy-answering), requesting a verdict (policy/policy-side).
//   Decided in:    docs/decisions/0084-a-policys-verdict-is-an-entry.md.
//
// POLICY-ROWS-1. An approval that is requested while a policy is in force waits for one verdict: of this policy and the
//     program that evaluates it, or, if these are replaced meanwhile, of the new policy and program. If the policy is removed,
//     no approval waits for a verdict any more.

import type { Address } from "../../machines/index.ts";
import type { PolicyRuled, PolicySet } from "../policy.ts";
import { keys } from "./keys.ts";
import type { Layer, Readable } from "./overlay.ts";

export interface KeptPolicy {
  /** The SHA-256 of the policy's text, in hex. */
  readonly hash: string;
  /** The program that evaluates the policy, with its version: `cedar 4.13.0`. */
  readonly engine: string;
  readonly text: string;
  readonly at: number;
}

export interface Unruled {
  readonly isAsked: boolean;
}

/** The cast is safe: only setPolicy writes this row. */
export const policyIn = (rows: Pick<Readable, "get">): KeptPolicy | undefined =>
  rows.get(keys.policy) as KeptPolicy | undefined;

export function setPolicy(layer: Layer, at: number, { text, hash, engine }: PolicySet): void {
  layer.set(keys.policy, { hash, engine, text, at } satisfies KeptPolicy);
}

export function dropPolicy(layer: Layer): void {
  for (const key of [...layer.keys(keys.allUnruled)]) layer.delete(key);
  layer.delete(keys.policy);
}

export function leaveUnruled(layer: Layer, home: Address, id: string, isAsked: boolean): void {
  layer.set(keys.unruled(home, id), { isAsked } satisfies Unruled);
}

/** Ends an approval's wait for this verdict (POLICY-ROWS-1). @returns undefined if the approval did not wait for it. */
export function takeUnruled(layer: Layer, home: Address, said: PolicyRuled): Unruled | undefined {
  const key = keys.unruled(home, said.approvalId);
  const policy = policyIn(layer);
  if (policy?.hash !== said.policy || policy.engine !== said.engine) return undefined;
  // The cast is safe: only leaveUnruled writes a row `unruled`.
  const unruled = layer.get(key) as Unruled | undefined;
  if (unruled) layer.delete(key);
  return unruled;
}
