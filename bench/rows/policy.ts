// Policy row
// What a policy of twelve says of a call, by Cedar itself, in processor time: reading the call, and asking.
//
//   Baseline: reading the call alone, as for a policy of none.

import { openCedar } from "../../adapters/cedar/cedar.ts";
import { MAIN_AGENT } from "../../machines/index.ts";
import { toolInput } from "../../runtime/canonical.ts";
import { policyCall } from "../../runtime/turn/policy/policy-call.ts";
import type { PastApproval } from "../../runtime/rows/past-approvals.ts";
import type { Effort } from "../effort.ts";
import { cpuUs } from "../measure.ts";
import type { Row } from "../report.ts";
import { sessionId } from "../workload.ts";

const COUNTS = { quick: 1_000, whole: 10_000 } as const;
const POLICIES = 12;
/** Nothing is measured before these: Cedar is compiled while it runs. */
const WARM = 1_000;

const text = Array.from(
  { length: POLICIES },
  (_, n) =>
    `${n % 4 === 0 ? '@effect("ask") forbid' : "permit"} (principal, action == Action::"Bash", resource)
     when { context.isPlain && context.words.contains("word${n}") && context.risks.isEmpty() };`,
).join("\n");

export async function policyRows(effort: Effort): Promise<readonly Row[]> {
  const count = COUNTS[effort];
  const policy = await openCedar(text);
  const asked = (n: number): PastApproval => ({
    at: 0,
    approvalId: "a",
    state: "pending",
    sessionId: sessionId(0),
    agentId: MAIN_AGENT,
    isAmbiguous: false,
    tool: "Bash",
    input: toolInput({ command: `npm run build-${n} -- word${n % POLICIES}`, description: "Build it" }),
    cwd: "/repo",
  });
  const all = Array.from({ length: count + WARM }, (_, n) => asked(n));
  const read = (each: PastApproval) => policyCall("w", each, []);
  const run = (calls: readonly PastApproval[], isAsked: boolean) =>
    cpuUs(() => {
      for (const each of calls) {
        const call = read(each);
        if (call && isAsked) policy.decide(call);
      }
    });
  await run(all.slice(count), true);
  const [whole, reading] = [await run(all.slice(0, count), true), await run(all.slice(0, count), false)];
  return [
    {
      what: `a decision by ${POLICIES} policies of Cedar`,
      unit: "ms",
      figure: whole / count / 1000,
      baseline: { name: "reading the call", figure: reading / count / 1000 },
      budget: { of: "figure", sense: "at most", limit: 0.3 },
    },
  ];
}
