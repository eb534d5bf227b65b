// Conversation
// Follows what client and app-server say to one another, and tells the engine what is worth it.
//
//   Owns:          the requests that wait for their answer, which threads and turns begin and end.
//   Does not own:  what passes (proxy), what is asked about (gates), the calls (calls, items), what a note means (notes).
//
// CODEX-CONVERSATION-1. It only watches: nothing here changes, holds up or lets pass a message.
// CODEX-CONVERSATION-2. A thread that Codex asks nothing about, or whose questions it has a model answer, is told to the person
//     who started the proxy, once each time that it begins.
// CODEX-CONVERSATION-3. What a model of Codex's own answered is told as a model's answer, about the call that it names; a review
//     that came to no end is not told.

import { toId } from "../../../runtime/foreign-id.ts";
import { Bounded } from "../bounded.ts";
import { inputOf, shortened, wellFormed } from "../calls.ts";
import { type Fields, type Id, isFields, type Message } from "../message.ts";
import type { Around } from "../notes.ts";
import type { Talk, TalkParts } from "../protocol.ts";
import { textIn } from "../told.ts";
import { Sessions } from "../sessions.ts";
import { textsOf } from "../texts.ts";
import { itemWords, updateIn } from "./items.ts";

interface Waiting {
  readonly method: string;
  readonly params: Fields;
}

const WAITING_MAX = 1_000;
const AWAITED: ReadonlySet<string> = new Set([
  ...["initialize", "thread/start", "thread/resume", "thread/fork", "turn/start"],
]);

const OF_ITEMS: ReadonlySet<unknown> = new Set(["command", "applyPatch", "mcpToolCall"]);

export class Conversation implements Talk {
  readonly #parts: TalkParts;
  readonly sessions: Sessions;
  readonly #waiting = new Bounded<Id, Waiting>(WAITING_MAX);

  constructor(parts: TalkParts) {
    this.#parts = parts;
    this.sessions = new Sessions(parts);
  }

  clientSaid(message: Message): void {
    if (message.type !== "request" || !AWAITED.has(message.method)) return;
    const { id, method, params } = message;
    this.#waiting.set(id, { method, params });
  }

  agentSaid(message: Message): void {
    if (message.type === "answer") return this.#answered(message);
    if (message.type === "notification") this.#notified(message.method, message.params);
  }

  ended(): void {
    this.sessions.ended();
  }

  #answered({ id, result, isError }: Extract<Message, { readonly type: "answer" }>): void {
    const asked = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (asked === undefined || isError || !isFields(result)) return;
    const { method, params } = asked;
    const [thread, turn] = [result["thread"], result["turn"]];
    if (method === "initialize") this.sessions.agent = agentIn(result);
    else if (method === "turn/start") this.#prompted(textIn(params, "threadId"), turn, params["input"]);
    else if (isFields(thread)) this.#began(thread, result, method === "thread/resume");
  }

  #notified(method: string, params: Fields): void {
    const { thread, turn, item } = params;
    // What a server started for itself, such as a subagent's, has no answer.
    if (method === "thread/started" && isFields(thread)) return this.#began(thread, {}, false);
    const id = textIn(params, "threadId");
    if (id === undefined) return;
    const { calls } = this.#parts;
    if (method === "item/autoApprovalReview/completed") return this.#reviewed(id, params);
    if (method === "turn/completed" && isFields(turn)) return this.#stopped(id, turn);
    if (method === "thread/closed") return this.sessions.left(id);
    if (method === "thread/name/updated") return this.sessions.titled(id, textIn(params, "threadName") ?? "");
    if (method === "item/fileChange/patchUpdated") {
      const [call, rawInput] = [textIn(params, "itemId") ?? "", { changes: params["changes"] }];
      if (calls.of(id, call))
        calls.updated(id, { call, isBegun: false, told: { rawInput }, status: undefined });
      return;
    }
    if ((method !== "item/started" && method !== "item/completed") || !isFields(item)) return;
    if (method === "item/completed" && item["type"] === "agentMessage")
      return this.sessions.said(id, shortened(textIn(item, "text") ?? ""));
    const update = updateIn(item, method === "item/completed");
    if (update) this.sessions.called(id, calls.updated(id, update));
  }

  /** CODEX-CONVERSATION-3 */
  #reviewed(thread: string, { reviewId, targetItemId, review, action }: Fields): void {
    const { calls, run } = this.#parts;
    const { status, rationale } = isFields(review) ? review : {};
    const decision =
      status === "approved" ? "approve" : status === "denied" || status === "timedOut" ? "deny" : undefined;
    if (decision === undefined || typeof reviewId !== "string" || !isFields(action)) return;
    const { type, source: _, ...input } = action;
    // The others are about a part of their item, or of none.
    const isItems = typeof targetItemId === "string" && OF_ITEMS.has(type);
    const known = isItems ? calls.of(thread, targetItemId) : undefined;
    const message = status === "timedOut" ? "The review took too long." : rationale;
    this.sessions.reviewed(thread, {
      review: toId(wellFormed(`review-${reviewId}-${run}`)),
      call: known?.id ?? calls.freshId(),
      tool: known === undefined ? String(type) : itemWords.toolOf(known.told),
      tool_input: (known && inputOf(known.told)) ?? input,
      decision,
      ...(typeof message === "string" && { message: shortened(message) }),
    });
  }

  #began(thread: Fields, { cwd, approvalPolicy, approvalsReviewer }: Fields, resumed: boolean): void {
    const id = textIn(thread, "id");
    if (id === undefined) return;
    const { say, name } = this.#parts;
    if (approvalPolicy === "never")
      say(`${name} asks about nothing in thread ${shortened(id)}: nothing is held there.`);
    else if (typeof approvalsReviewer === "string" && approvalsReviewer !== "user")
      say(`${name} has a model answer in thread ${shortened(id)}: Signalbox may not be asked there.`);
    if (this.sessions.of(id) && !resumed) return;
    this.sessions.began(id, textIn({ cwd }, "cwd") ?? textIn(thread, "cwd"), resumed);
  }

  #prompted(thread: string | undefined, turn: unknown, input: unknown): void {
    const id = isFields(turn) ? textIn(turn, "id") : undefined;
    if (thread !== undefined && id !== undefined)
      this.sessions.prompted(thread, toId(wellFormed(id)), textsOf(input));
  }

  #stopped(thread: string, { id, status, error }: Fields): void {
    const prompt = typeof id === "string" ? toId(wellFormed(id)) : undefined;
    if (prompt === undefined || this.sessions.promptOf(thread).prompt !== prompt) return;
    const outcome = status === "completed" || status === "interrupted" ? status : "failed";
    const why = isFields(error) ? textIn(error, "message") : undefined;
    const failed = outcome === "failed" && { error: shortened(why ?? "the turn failed") };
    this.sessions.stopped(thread, prompt, { outcome, ...failed });
  }
}

/** `client/0.1.0 (system) …`: the app-server's version behind its client's name. */
function agentIn(result: Fields): Around["agent"] {
  const version = /^[^/]*\/(\S{1,100})/.exec(textIn(result, "userAgent") ?? "")?.[1];
  return version === undefined ? undefined : { name: "Codex", version };
}
