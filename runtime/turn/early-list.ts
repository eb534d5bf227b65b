// Early list
// Warns the sender of a `tool.batch` that ended calls of which nobody has told an end.
//
//   Owns:          which calls a list has ended by itself, the words of the warning.
//   Does not own:  what a list does (machines/routing/listing), where the warning is shown (adapters).
//
// EARLY-LIST-1. The reply to a `tool.batch` warns where its turn ended calls because the list names them, and for no
//     other reason. It depends on the turn's changes alone, and changes nothing.
// EARLY-LIST-2. A client's own list, which comes raw, never warns: the client tells by it that a call was refused.

import type { StateChange } from "../rows/changes.ts";
import type { Message } from "../message.ts";

/** What a sender should know of a message that was applied. */
export interface Warning {
  readonly code: "CALLS_ENDED_BY_LIST";
  readonly message: string;
}

/** So many calls are named. */
const NAMED_MAX = 5;

/** @returns undefined unless the message is a list that came too early. */
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
