// Rule desk
// What tests of rules over HTTP do again and again: make one, ask, answer, list.
//
//   Owns:          the requests, and that they are answered.
//   Does not own:  the engine (http/served).

import { expect } from "vitest";
import type { RuleView } from "../../../runtime/reading/rules.ts";
import { textAt } from "../engine/json.ts";
import { event, type Served } from "../http/served.ts";

export const PREFIX = {
  workspace: "shop",
  effect: "allow",
  tool: "Bash",
  match: { kind: "prefix", text: "git status" },
};

/** @param served the engine of the test that runs. */
export function ruleDesk(served: () => Served) {
  const askIn = (subject: string, approvalId: string, command: string, other: object = {}) =>
    served().post(
      "/v1/events",
      event("approval.requested", { approvalId, tool: "Bash", input: { command }, ...other }, { subject }),
    );
  return {
    askIn,
    ask: (approvalId: string, command: string, other: object = {}) =>
      askIn("shop/s1", approvalId, command, other),
    made: async (rule: object): Promise<RuleView> => {
      const { status, body } = await served().post("/v1/rules", rule);
      expect([status, body]).toEqual([200, expect.anything()]);
      return (body as { rule: RuleView }).rule;
    },
    decide: async (id: string, decision: "approve" | "deny"): Promise<void> => {
      const { body } = await served().get(`/v1/approvals/${id}`);
      const inputHash = textAt(body, "inputHash");
      expect((await served().post(`/v1/approvals/${id}/decision`, { decision, inputHash })).status).toBe(200);
    },
    listed: async (query = ""): Promise<readonly RuleView[]> =>
      ((await served().get(`/v1/rules${query}`)).body as { items: readonly RuleView[] }).items,
  };
}
