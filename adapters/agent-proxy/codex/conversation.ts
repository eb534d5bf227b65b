// Conversation
// Finds out from the messages of client and app-server what happens in Codex's threads.
//
//   Owns:          which messages begin and end a thread (Codex's word for a session) and a turn (its work on one prompt); the
//                  warning that a model answers approvals.
//   Does not own:  requests without a response yet (talk), what is known of calls (calls, items), the meaning of a note (notes).
//
// CODEX-CONVERSATION-2. The proxy warns once about each thread in which Codex asks for no approvals, or lets a model answer them.
// CODEX-CONVERSATION-3. If Codex lets a model review a call, the proxy reports the answer as a model's once the review is over.

import type { Fields } from "../../../machines/json.ts";
import type { Calls } from "../calls.ts";
import type { Protocol } from "../protocol.ts";
import type { Reviewed } from "../sessions.ts";
import type { TalkWords } from "../talk.ts";
import { fieldsIn, shortened, textIn, textsOf } from "../told.ts";
import { updateIn } from "./items.ts";

/** Codex reviews an action of these kinds as a whole item. Any other review is about a part of an item, or about no item. */
const OF_ITEMS: ReadonlySet<unknown> = new Set(["command", "applyPatch", "mcpToolCall"]);
const threadIn = (params: Fields): string | undefined => textIn(fieldsIn(params, "thread"), "id");

export const conversation: Protocol["talk"] = ({ name, calls, sessions, say }): TalkWords => {
  function began(told: Fields, isResumed = false): void {
    const id = threadIn(told);
    if (id === undefined) return;
    const { approvalPolicy, approvalsReviewer: by } = told;
    if (approvalPolicy === "never")
      say(`${name} asks for no approvals in thread ${shortened(id)}: Signalbox cannot hold its calls there.`);
    else if (typeof by === "string" && by !== "user")
      say(
        `${name} lets a model answer approvals in thread ${shortened(id)}: Signalbox may not be asked there.`,
      );
    if (sessions.of(id) && !isResumed) return;
    sessions.began(id, textIn(told, "cwd") ?? textIn(fieldsIn(told, "thread"), "cwd"), isResumed);
  }

  function told(thread: string, params: Fields, hasEnded: boolean): void {
    const item = fieldsIn(params, "item");
    if (hasEnded && item["type"] === "agentMessage") sessions.said(thread, textIn(item, "text"));
    const update = updateIn(item, hasEnded);
    if (update) sessions.called(thread, calls.updated(thread, update));
  }

  return {
    sessionIn: (params) => textIn(params, "threadId") ?? threadIn(params),
    answered: {
      // `userAgent` is `client/0.1.0 (system) …`: the client's name, then the version of the app-server.
      initialize: ({ result }) =>
        sessions.greeted("Codex", /^[^/]*\/(\S+)/.exec(textIn(result, "userAgent") ?? "")?.[1]),
      "thread/start": ({ result }) => began(result),
      "thread/fork": ({ result }) => began(result),
      "thread/resume": ({ result }) => began(result, true),
      "turn/start"({ session: thread, params, result }) {
        const id = textIn(fieldsIn(result, "turn"), "id");
        if (thread !== undefined && id !== undefined) sessions.prompted(thread, id, textsOf(params["input"]));
      },
    },
    notified: {
      // Only `thread/started` reports the threads that the app-server starts by itself, such as a subagent's.
      "thread/started": (_, { thread }) => began({ thread }),
      "thread/closed": (thread) => sessions.left(thread),
      "thread/name/updated": (thread, params) => sessions.titled(thread, textIn(params, "threadName")),
      "item/started": (thread, params) => told(thread, params, false),
      "item/completed": (thread, params) => told(thread, params, true),
      "turn/completed"(thread, params) {
        const turn = fieldsIn(params, "turn");
        const [id, status] = [textIn(turn, "id"), turn["status"]];
        if (id === undefined || !sessions.isPrompted(thread, id)) return;
        const outcome = status === "completed" || status === "interrupted" ? status : "failed";
        sessions.stopped(thread, id, outcome, textIn(fieldsIn(turn, "error"), "message"));
      },
      "item/fileChange/patchUpdated"(thread, { itemId, changes }) {
        if (calls.of(thread, String(itemId))) calls.asked(thread, String(itemId), { changes });
      },
      "item/autoApprovalReview/completed": (thread, params) =>
        sessions.reviewed(thread, reviewIn(thread, params, calls)),
    },
  };
};

function reviewIn(thread: string, params: Fields, calls: Calls): Reviewed | undefined {
  const { status, rationale } = fieldsIn(params, "review");
  const isLate = status === "timedOut";
  const decision = status === "approved" ? "approve" : status === "denied" || isLate ? "deny" : undefined;
  const { type, source: _, ...input } = fieldsIn(params, "action");
  const [review, item] = [textIn(params, "reviewId"), textIn(params, "targetItemId") ?? ""];
  if (decision === undefined || review === undefined || typeof type !== "string") return undefined;
  const known = OF_ITEMS.has(type) ? calls.of(thread, item) : undefined;
  const message = isLate ? "The review took too long." : rationale;
  return {
    review,
    call: known?.id ?? calls.freshId(),
    tool: textIn(known?.told ?? {}, "tool") ?? type,
    tool_input: (known && calls.inputOf(thread, item)) ?? input,
    decision,
    ...(typeof message === "string" && { message }),
  };
}
