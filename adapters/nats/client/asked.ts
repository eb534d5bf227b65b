// Asked
// What a service asked about, as a query says it, and whether an answer is about that.
//
//   Owns:          the parameters made of what was published; reading the answer against them.
//   Does not own:  comparing requests (runtime/reading/asker), who may answer (the NATS server).
//
// CLIENT-ASKED-1. The client sends every fact of a request that the engine compares, in the form in which the engine
//     read it.
// CLIENT-ASKED-2. An answer about another approval, or that allows another input, is none.

import { defined } from "../../../machines/defined.ts";
import { toolInput } from "../../../runtime/canonical.ts";
import { RefusedError } from "../../../runtime/errors/errors.ts";
import type { GateAnswer } from "../../../runtime/reading/gate-answer.ts";
import type { Said } from "../../../runtime/reading/asker.ts";
import type { DataOf } from "./messages.ts";

/** An `approval.requested` as it was published, and the session it was published in. */
export type Asked = { readonly session: string } & DataOf<"approval.requested">;

/** @throws RefusedError for an input that is no JSON. */
export function saidOf({ session, tool, input, ...more }: Asked): Said {
  const run = more.promptId ?? more.requestId;
  const agent = more.agentId ?? more.parentToolUseId;
  const call = more.toolUseId ?? more.toolInvocationId;
  return {
    session,
    tool,
    inputHash: toolInput(input).hash,
    ...defined({ run, agent, call }),
  };
}

/** CLIENT-ASKED-2. @returns the answer. @throws RefusedError OTHER_ANSWER */
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
