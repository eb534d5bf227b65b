// Early list
// Warns the sender of a `tool.batch`, the message that lists the calls of a batch after their end, if the list closed calls
// whose end no other message had reported.
//
//   Owns:          which calls only a list has closed, the text of the warning.
//   Does not own:  applying a list (machines/routing/listing), showing the warning (adapters).
//
// EARLY-LIST-1. The reply to a `tool.batch` contains a warning if the message's turn closed calls only because the list names
//     them without a result. The warning depends only on the changes of the turn, and changes nothing.
// EARLY-LIST-2. A list that a client sends as a raw payload never causes a warning, because the client may use such a list to
//     report refusals.
import type { StateChange } from "../rows/changes.ts";
import type { Message } from "../message.ts";

export interface Warning {
  readonly code: "CALLS_ENDED_BY_LIST";
  readonly message: string;
}

const NAMED_MAX = 5;

export function earlyList(message: Message, changes: readonly StateChange[]): Warning | undefined {
  if (message.door !== "in" || message.type !== "tool.batch") return undefined;
  const ids = [...new Set(changes.filter(isEndedByList).map(({ id }) => id))];
  if (ids.length === 0) return undefined;
  const named = ids.slice(0, NAMED_MAX).join(", ");
  const calls = `${ids.length} ${ids.length === 1 ? "call" : "calls"}`;
  const others = ids.length > NAMED_MAX ? ` and ${ids.length - NAMED_MAX} others` : "";
  const text =
    `This tool.batch ended ${calls} without a result: ${named}${others}; ` +
    "send it last, after the tool.finished or tool.failed of each call, and say that a call is coming with tool.announced; a result that you send now still counts.";
  return { code: "CALLS_ENDED_BY_LIST", message: text };
}

function isEndedByList({ entity, to, cause }: StateChange): boolean {
  if (entity !== "toolcall" || typeof cause !== "object" || cause === null) return false;
  const { evidence, inferredFrom } = cause as {
    readonly evidence?: unknown;
    readonly inferredFrom?: unknown;
  };
  return (to === "missing-post" && evidence === "batch") || (to === "denied" && inferredFrom === "batch");
}
