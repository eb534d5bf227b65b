// Question as JSON
// The approval as the engine has it, with what its question is put together from.
//
//   Owns:          the names of what is added.
//   Does not own:  the approval's own fields (runtime/views).

import type { Question } from "./read.ts";
import { agentPathOf } from "./text.ts";

/** @returns an object of JSON values. */
export function jsonOf(question: Question): object {
  const { approval, session, call, batchSize, ends } = question;
  const { title, cwd, branch } = session ?? {};
  return {
    ...approval,
    session: { title, cwd, branch },
    agentPath: agentPathOf(question),
    ...(call && {
      intent: call.intent,
      place: { batchId: call.batchId, index: call.index, ordered: call.ordered, size: batchSize },
    }),
    endsOnDeny: ends.map(({ id }) => id),
  };
}
