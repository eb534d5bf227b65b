// Policy rows
// The policy in force, and the approvals that wait for its verdict.
//
//   Owns:          the rows of the policy and of these approvals.
//   Does not own:  what a verdict leads to (turn/policy/policy-answering), requesting a verdict (policy/policy-side).
//   Decided in:    docs/decisions/0084-a-policys-verdict-is-an-entry.md.
//
// POLICY-ROWS-1. An approval that is asked for while a policy is in force waits for one verdict, by that policy and reader or
//     by the next ones. If the policy is removed, no approval waits any more.

import type { Address } from "../../machines/index.ts";
import type { PolicyRuled, PolicySet } from "../policy.ts";
import { keys } from "./keys.ts";
import type { Layer, Readable } from "./overlay.ts";

/** The policy in force, from its journal entry. */
export interface KeptPolicy {
  /** The SHA-256 of its text, in hex. */
  readonly hash: string;
  /** The program that reads it, with version: `cedar 4.13.0`. */
  readonly engine: string;
  readonly text: string;
  readonly at: number;
}

export interface Unruled {
  /** True if a rule requires a person to answer. */
  readonly isAsked: boolean;
}

/** Only setPolicy writes this row. */
export const policyIn = (rows: Pick<Readable, "get">): KeptPolicy | undefined =>
  rows.get(keys.policy) as KeptPolicy | undefined;

export function setPolicy(layer: Layer, at: number, { text, hash, engine }: PolicySet): void {
  layer.set(keys.policy, { hash, engine, text, at } satisfies KeptPolicy);
}

export function dropPolicy(layer: Layer): void {
  for (const key of [...layer.keys(keys.allUnruled)]) layer.delete(key);
  layer.delete(keys.policy);
}

/** POLICY-ROWS-1. @param id an approval that is asked for while a policy is in force. */
export function leaveUnruled(layer: Layer, home: Address, id: string, isAsked: boolean): void {
  layer.set(keys.unruled(home, id), { isAsked } satisfies Unruled);
}

/** POLICY-ROWS-1. @returns the approval that waited for this verdict; undefined if none did. */
export function takeUnruled(layer: Layer, home: Address, said: PolicyRuled): Unruled | undefined {
  const key = keys.unruled(home, said.approvalId);
  const policy = policyIn(layer);
  if (policy?.hash !== said.policy || policy.engine !== said.engine) return undefined;
  // Only leaveUnruled writes this row.
  const unruled = layer.get(key) as Unruled | undefined;
  if (unruled) layer.delete(key);
  return unruled;
}
