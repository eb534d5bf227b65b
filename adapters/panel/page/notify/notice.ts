// Notice
// What a notification about an approval says, and which answers it offers.
//
//   Owns:          the wording of a notification, the buttons on it, the data that it carries for the service worker.
//   Does not own:  when a notification is shown (watch.ts), sending the answer (worker.ts).
//
// NOTICE-1. Unless the person chose otherwise, a notification says only that an approval is pending, not what the approval is
//     about.
// NOTICE-2. A notification that offers Approve shows the tool's name and the input whole, and carries the hash of that input.

import { isWatched } from "../../../../runtime/channels.ts";
import type { ApprovalView } from "../../../../runtime/rows/views.ts";
import { oneLine, safeJson } from "../../../../runtime/text/visible.ts";
import { titleLine } from "../../../../runtime/text/title-line.ts";
import { keyOf } from "../inbox/name.ts";

/** The data in a notification, with which the service worker (worker.ts) answers the approval or shows it. */
export interface Told {
  readonly workspace: string;
  readonly id: string;
  /** The hash of the input shown; absent if the input was not shown whole. */
  readonly inputHash?: string;
}

/** A notification with buttons: TypeScript's own types of notifications lack `actions`. */
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

/** @param session the session's title; undefined if the notification must have no content. */
export function noticeOf(approval: ApprovalView, session: string | undefined): Notice {
  const { workspace, id, tool } = approval;
  const common = { tag: keyOf(approval), icon: "/app/icon.svg", data: { workspace, id } };
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

/** The notification of an assignment. It rings even if the browser already shows a notification of the approval (WATCH-4). */
export const assignedNotice = (notice: Notice): Notice => ({
  ...notice,
  title: `Assigned to you: ${notice.title}`,
  ...{ renotify: true },
});

/** The input as one line; undefined if it does not fit whole into a notification, or is not known. */
function wholeInput({
  input,
  inputHash,
  inputMissing,
}: ApprovalView): { readonly text: string; readonly inputHash: string } | undefined {
  if (input === undefined || inputHash === undefined || inputMissing !== undefined) return undefined;
  const text = safeJson(input);
  return text.length > INPUT_MAX ? undefined : { text, inputHash };
}
