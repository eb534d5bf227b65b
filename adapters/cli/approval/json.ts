// Approval as JSON
// The engine's view of an approval as JSON, with the context that the text form shows beside it.
//
//   Owns:          the names of the added fields.
//   Does not own:  the approval's own fields (runtime/rows/views).

import type { ShownApproval } from "./read.ts";
import { risksIn } from "./risk-text.ts";
import { agentPathOf } from "./text.ts";

export function jsonOf(shown: ShownApproval): object {
  const { approval, session, call, batchSize, ends } = shown;
  const { title, cwd, branch, client } = session ?? {};
  return {
    ...approval,
    session: { title, cwd, branch, client },
    risks: risksIn(shown).map(({ id, level, label, found }) => ({ id, level, label, found })),
    agentPath: agentPathOf(shown),
    ...(call && {
      intent: call.intent,
      place: { batchId: call.batchId, index: call.index, ordered: call.ordered, size: batchSize },
    }),
    endsOnDeny: ends.map(({ id }) => id),
  };
}
