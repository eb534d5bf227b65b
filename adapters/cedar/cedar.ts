// Cedar
// Evaluates a policy in the Cedar language for a call.
//
//   Owns:          what Cedar gets to know about a call, what Cedar's answer means.
//   Does not own:  the names of policies (policy-set), the data of a call, what follows from a verdict (runtime/policy).
//   Decided in:    docs/decisions/0084-a-policys-verdict-is-an-entry.md.
//
// CEDAR-1. A `forbid` policy forbids, a `permit` policy permits, and any policy with `@effect("ask")` asks a person instead.
//     Forbid beats ask, and ask beats permit. If no policy matches a call, there is no verdict.
// CEDAR-2. The verdict is to ask if evaluating a policy fails, unless another policy forbids. It is also to ask if a text of the
//     call is not Unicode, and after any other failure.
// CEDAR-3. Cedar is loaded only when a policy is opened, so an engine without a policy needs no Cedar.

import type * as Cedar from "@cedar-policy/cedar-wasm/nodejs";
import { RefusedError } from "../../runtime/errors/errors.ts";
import type { PolicyCall, PolicyReader, PolicyVerdict } from "../../runtime/policy.ts";
import { type NamedPolicy, policySet } from "./policy-set.ts";

/** How many policies a verdict names at most. */
const NAMES_MAX = 4;

/** @param load loads Cedar; by default the installed package. @throws RefusedError POLICY_READER_ABSENT, POLICY_INVALID */
export async function openCedar(
  text: string,
  load: () => Promise<typeof Cedar> = () => import("@cedar-policy/cedar-wasm/nodejs"),
): Promise<PolicyReader> {
  const cedar = await load().catch(() => {
    throw absent();
  });
  const policies = policySet(cedar, text);
  const preparsedPolicySetId = `policies ${(opened += 1)}`;
  const texts = Object.fromEntries([...policies].map(([name, policy]) => [name, policy.text]));
  cedar.preparsePolicySet(preparsedPolicySetId, { staticPolicies: texts });
  const fields = CONTEXT.filter((field) =>
    [...policies.values()].some((each) => each.fields?.has(field) !== false),
  );
  const reader: PolicyReader = {
    engine: `cedar ${cedar.getCedarVersion()}`,
    decide(call) {
      if (!isUnicode(call)) return asked([], "its text is no Unicode");
      try {
        const answer = cedar.statefulIsAuthorized({ ...callOf(call, fields), preparsedPolicySetId });
        return verdictOf(answer, policies);
      } catch {
        return asked([], "Cedar failed");
      }
    },
  };
  reader.decide(FIRST);
  return reader;
}

/**
 * The first decision blocks for some hundred milliseconds, so Cedar decides about this made-up call when the policies are
 * opened.
 */
const FIRST: PolicyCall = {
  ...{ workspace: "", session: "", agent: "", agentType: "", cwd: "", tool: "", inputHash: "", line: "" },
  ...{ words: ["x"], reaches: [], commands: [], paths: [], risks: [], askedBefore: [], isPlain: false },
};

type ContextField = Exclude<keyof PolicyCall, "agent" | "tool" | "inputHash">;
const CONTEXT = Object.keys(FIRST).filter(
  (name): name is ContextField => !["agent", "tool", "inputHash"].includes(name),
);

/** How many policy sets were opened. Cedar stores each parsed set under a name, which has this number. */
let opened = 0;

/**
 * @param fields the fields of the context that some policy reads. Only these are passed to Cedar, because each further field
 * would take as long as one more policy (POLICY-SET-3).
 */
function callOf(
  call: PolicyCall,
  fields: readonly ContextField[],
): Omit<Cedar.StatefulAuthorizationCall, "preparsedPolicySetId"> {
  const { agent, tool, inputHash } = call;
  return {
    principal: { type: "Agent", id: agent },
    action: { type: "Action", id: tool },
    resource: { type: "Call", id: inputHash },
    context: Object.fromEntries(
      fields.map((field) => [field, typeof call[field] === "object" ? [...call[field]] : call[field]]),
    ),
    // The call is passed without a hierarchy of entities, which would take a third more time. Session and workspace are in the
    // context instead.
    entities: [],
  };
}

/** The verdict that Cedar's answer stands for (CEDAR-1, CEDAR-2). */
function verdictOf(
  answer: Cedar.AuthorizationAnswer,
  policies: ReadonlyMap<string, NamedPolicy>,
): PolicyVerdict {
  if (answer.type === "failure") return asked([], "Cedar cannot read the call");
  const { decision, diagnostics } = answer.response;
  const isAsking = (name: string): boolean => policies.get(name)?.isAsking !== false;
  const forbidding = decision === "deny" ? diagnostics.reason.filter((name) => !isAsking(name)) : [];
  if (forbidding.length > 0) return { effect: "forbid", policies: told(forbidding) };
  const failed = diagnostics.errors.map(({ policyId }) => policyId);
  if (failed.length > 0) return asked(failed, "the policy meets an error");
  const asking = diagnostics.reason.filter(isAsking);
  if (asking.length > 0) return asked(asking, "the policy asks");
  return { effect: decision === "allow" ? "permit" : "none", policies: told(diagnostics.reason) };
}

const asked = (names: readonly string[], reason: string): PolicyVerdict => ({
  effect: "ask",
  policies: told(names),
  reason,
});

const told = (names: readonly string[]): readonly string[] => names.toSorted().slice(0, NAMES_MAX);

const isUnicode = (call: PolicyCall): boolean =>
  Object.values(call)
    .flat()
    .every((value) => typeof value !== "string" || !/\p{Surrogate}/u.test(value));

const absent = (): RefusedError =>
  new RefusedError(
    "POLICY_READER_ABSENT",
    "The policy needs Cedar, which is not installed here or cannot be loaded.",
    "Install Cedar beside Signalbox (npm install @cedar-policy/cedar-wasm), or start with --cedar none.",
  );
