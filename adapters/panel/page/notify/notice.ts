// Notice
// What a notification of an approval says, and which answers it offers.
//
//   Owns:          its words, its actions, what the worker is told with it.
//   Does not own:  when it is shown (watch.ts), sending an answer (worker.ts).
//
// NOTICE-1. Without the person's wish it says only that an approval waits: no tool, no title, no input.
// NOTICE-2. It offers Approve only where it shows tool and input whole, under the hash of that input.

import { isWatched } from "../../../../runtime/channels.ts";
import type { ApprovalView } from "../../../../runtime/rows/views.ts";
import { oneLine, safeJson } from "../../../../runtime/text/visible.ts";
import { missingIn } from "../parts/missing.tsx";
import { titleLine } from "../../../../runtime/text/title-line.ts";

/** What the worker needs to answer, or to show the approval. */
export interface Told {
  readonly workspace: string;
  readonly id: string;
  /** The hash of the input shown; none where it was not shown whole. */
  readonly inputHash?: string;
}

/** The library's types of the browser do not know `actions`. */
export interface Notice extends NotificationOptions {
  readonly title: string;
  readonly tag: string;
  readonly data: Told;
  readonly actions: readonly { readonly action: string; readonly title: string }[];
}

/** What every system shows of a notification without cutting it. */
const TOOL_MAX = 40;
const TITLE_MAX = 60;
const INPUT_MAX = 120;

const APPROVE = { action: "approve", title: "Approve" };
const DENY = { action: "deny", title: "Deny" };
const OPEN = { action: "open", title: "Open" };

export const tagOf = ({ workspace, id }: { readonly workspace: string; readonly id: string }): string =>
  `${workspace}/${id}`;

/** @param session the session's title; undefined where a notification is to have no content. */
export function noticeOf(approval: ApprovalView, session: string | undefined): Notice {
  const { workspace, id, tool } = approval;
  const common = { tag: tagOf(approval), icon: "/app/icon.svg", data: { workspace, id } };
  const actions = isWatched(approval) ? [OPEN] : [DENY, OPEN];
  if (session === undefined) return { ...common, title: "An approval waits in Signalbox", actions };
  const title = `${oneLine(tool, TOOL_MAX)} waits in ${oneLine(titleLine(session), TITLE_MAX)}`;
  const shown = wholeInput(approval);
  if (shown === undefined) return { ...common, title, body: "Open it to see the whole input.", actions };
  const { text, inputHash } = shown;
  if (isWatched(approval) || approval.ambiguous || oneLine(tool) !== oneLine(tool, TOOL_MAX))
    return { ...common, title, body: text, actions };
  return { ...common, title, body: text, data: { workspace, id, inputHash }, actions: [APPROVE, DENY] };
}

/** The input as one line, where all of it fits. */
function wholeInput(
  approval: ApprovalView,
): { readonly text: string; readonly inputHash: string } | undefined {
  const { input, inputHash } = approval as { readonly input?: unknown; readonly inputHash?: string };
  if (input === undefined || inputHash === undefined || missingIn(approval) !== undefined) return undefined;
  const text = safeJson(input);
  return text.length > INPUT_MAX ? undefined : { text, inputHash };
}
