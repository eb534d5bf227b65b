// Policies
// A policy that says what a test wants, beside an engine.
//
//   Owns:          its reader, starting its side.
//   Does not own:  what must hold.

import type { OpenPolicy, PolicyCall, PolicyVerdict } from "../../../runtime/policy.ts";
import { PolicySide, type PolicySideOptions } from "../../../runtime/policy/policy-side.ts";
import type { Rig } from "../engine/rig.ts";

export const TEXT = "permit (principal, action, resource);";
export const READER = "test 1";

export const opening =
  (decide: (question: PolicyCall) => PolicyVerdict, engine = READER): OpenPolicy =>
  () =>
    Promise.resolve({ engine, decide });

export const says = (
  effect: PolicyVerdict["effect"],
  policies: readonly string[] = ["p"],
): PolicyVerdict => ({
  effect,
  policies,
});

/** What went wrong is among the rig's defects. */
export const sideOf = (
  rig: Rig,
  decide: (question: PolicyCall) => PolicyVerdict,
  other: Partial<PolicySideOptions> = {},
): PolicySide =>
  new PolicySide({
    engine: rig.engine,
    open: opening(decide),
    wanted: { text: TEXT },
    onError: (error) => rig.defects.push(error),
    ...other,
  });

/** @returns the side, started. */
export async function policyOn(...given: Parameters<typeof sideOf>): Promise<PolicySide> {
  const side = sideOf(...given);
  await side.prepare();
  await side.start();
  return side;
}
