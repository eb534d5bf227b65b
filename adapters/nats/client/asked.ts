// Asked
// What a service asked about, as a query says it.
//
//   Owns:          the parameters made of what was published.
//   Does not own:  comparing them (runtime/reading/asker).
//
// CLIENT-ASKED-1. Whatever of a question the engine compares is said, as the engine read it.

import { toolInput } from "../../../runtime/canonical.ts";
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
    ...(run !== undefined && { run }),
    ...(agent !== undefined && { agent }),
    ...(call !== undefined && { call }),
  };
}
