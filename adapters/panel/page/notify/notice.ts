// Notice
// The content of a notification about an approval, and the answers that it offers.
//
//   Owns:          the wording of a notification, its buttons, the data for the worker.
//   Does not own:  when a notification is shown (watch.ts), sending an answer (worker.ts).
//
// NOTICE-1. Unless the person asked for more, a notification says only that an approval is pending: no tool, no title,
//     no input.
// NOTICE-2. A notification offers Approve only if it shows the tool and the input whole, and carries the hash of that
//     input.

import { isWatched } from "../../../../runtime/channels.ts";
import type { ApprovalView } from "../../../../runtime/rows/views.ts";
import { oneLine, safeJson } from "../../../../runtime/text/visible.ts";
import { missingIn } from "../parts/missing.tsx";
import { titleLine } from "../../../../runtime/text/title-line.ts";

/** The data with which the worker answers the approval or shows it. */
export interface Told {
  readonly workspace: string;
  readonly id: string;
  /** The hash of the input shown; absent if the input was not shown whole. */
  readonly inputHash?: string;
}

/** TypeScript's library types lack `actions`. */
export interface Notice extends NotificationOptions {
  readonly title: string;
  readonly tag: string;
  readonly data: Told;
  readonly actions: readonly { readonly action: string; readonly title: string }[];
}

/** Lengths of texts that every operating system shows without cutting them. */
const TOOL_MAX = 40;
const TITLE_MAX = 60;
const INPUT_MAX = 120;

const APPROVE = { action: "approve", title: "Approve" };
const DENY = { action: "deny", title: "Deny" };
const OPEN = { action: "open", title: "Open" };

export const tagOf = ({ workspace, id }: { readonly workspace: string; readonly id: string }): string =>
  `${workspace}/${id}`;

/**
 * The notification of an approval.
 * @param session the session's title; undefined if the notification must have no content.
 */
export function noticeOf(approval: ApprovalView, session: string | undefined): Notice {
  const { workspace, id, tool } = approval;
  const common = { tag: tagOf(approval), icon: "/app/icon.svg", data: { workspace, id } };
  const actions = isWatched(approval) ? [OPEN] : [DENY, OPEN];
  if (session === undefined) return { ...common, title: "An approval waits in Signalbox", actions };
  const title = `${oneLine(tool, TOOL_MAX)} waits in ${oneLine(titleLine(session), TITLE_MAX)}`;
  const shown = wholeInput(approval);
  if (shown === undefined)
    return { ...common, title, body: "Open the approval to see the whole input.", actions };
  const { text, inputHash } = shown;
  if (isWatched(approval) || approval.ambiguous || oneLine(tool) !== oneLine(tool, TOOL_MAX))
    return { ...common, title, body: text, actions };
  return { ...common, title, body: text, data: { workspace, id, inputHash }, actions: [APPROVE, DENY] };
}

/** The notification for whoever it is assigned to. The browser rings again, though it shows the approval already. */
export const assignedNotice = (notice: Notice): Notice => ({
  ...notice,
  title: `Assigned to you: ${notice.title}`,
  ...{ renotify: true },
});

/** The input as one line; undefined if it does not fit whole. */
function wholeInput(
  approval: ApprovalView,
): { readonly text: string; readonly inputHash: string } | undefined {
  const { input, inputHash } = approval as { readonly input?: unknown; readonly inputHash?: string };
  if (input === undefined || inputHash === undefined || missingIn(approval) !== undefined) return undefined;
  const text = safeJson(input);
  return text.length > INPUT_MAX ? undefined : { text, inputHash };
}
