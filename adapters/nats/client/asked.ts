// Asked
// Turns the approval request that a service published into a query, and checks that the answer belongs to the request.
//
//   Owns:          making the query's parameters; checking the answer against the request.
//   Does not own:  comparing requests (runtime/reading/asker), who may answer (the NATS server).
//
// CLIENT-ASKED-1. The client sends every field of the request that the engine compares with the first request for the approval
//     (ASKER-2), in the form in which the engine reads it.
// CLIENT-ASKED-2. An answer that is about another approval, or that allows another input, is refused.

import { defined } from "../../../machines/defined.ts";
import { toolInput } from "../../../runtime/canonical.ts";
import { RefusedError } from "../../../runtime/errors/errors.ts";
import type { GateAnswer } from "../../../runtime/reading/gate-answer.ts";
import type { Said } from "../../../runtime/reading/asker.ts";
import type { DataOf } from "./messages.ts";

/** The data of an `approval.requested` as it was published, and the session of this message. */
export type Asked = { readonly session: string } & DataOf<"approval.requested">;

/** @throws RefusedError if the input is not JSON. */
export function saidOf({ session, tool, input, ...more }: Asked): Said {
  const run = more.promptId ?? more.requestId;
  const agent = more.agentId ?? more.parentToolUseId;
  const call = more.toolUseId ?? more.toolInvocationId;
  return { session, tool, inputHash: toolInput(input).hash, ...defined({ run, agent, call }) };
}

/** Checks that an answer is for this approval and input (CLIENT-ASKED-2). @throws RefusedError OTHER_ANSWER */
export function answerTo(id: string, { inputHash }: Said, answer: GateAnswer): GateAnswer {
  const isMeant = answer.approvalId === id && (answer.decision !== "allow" || answer.inputHash === inputHash);
  if (isMeant) return answer;
  throw new RefusedError(
    "OTHER_ANSWER",
    `The answer to ${id} is about another approval or input.`,
    "Do not run the call. See who else answers on the engine's subjects: docs/reference/nats.md.",
    "approvalId",
  );
}
