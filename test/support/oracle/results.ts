// Oracle: results
// What stream lines and transcript lines prove about the calls they name.
//
//   Owns:          reading the client's raw remarks on results; conclusions about other calls of a message.
//   Does not own:  hooks.

import { close, decide } from "./casebook.ts";
import type { Case, Casebook, Cause } from "./casebook.ts";
import { at, listAt, textAt } from "../engine/json.ts";
import { isSince } from "../../../runtime/install-form.ts";
import type { Recording } from "../sessions/recording.ts";

/** The general rejection, and what the source says about whether the call had begun. */
type Rejections = Map<Case, "before-run" | "running" | "unsaid">;

export function streamEvidence({ stream }: Recording, book: Casebook): void {
  const rejected: Rejections = new Map();
  for (const { value } of stream.lines) {
    const sessionId = textAt(value, "session_id") ?? "";
    const kind = [textAt(value, "type"), textAt(value, "subtype")].join("/");
    announcements(book, sessionId, textAt(value, "agent_id"), value);
    for (const result of results(value)) {
      const each = book.of(sessionId, textAt(result, "tool_use_id") ?? "");
      const meta = listAt(value, "tool_result_meta").find((item) => at(item, "id") === each.toolUseId);
      const source = rejectedBy(at(meta, "permission_decision"));
      const word = textAt(meta, "non_execution_kind");
      if (judge(each, result, word, source) === "general") rejected.set(each, "unsaid");
    }
    if (kind === "system/permission_denied") {
      const cause = textAt(value, "decision_reason_type") === "hook" ? "hook" : "rule";
      decide(book.of(sessionId, textAt(value, "tool_use_id") ?? ""), {
        by: "word",
        execution: "denied",
        cause,
      });
    }
    if (kind.startsWith("result/")) turnEnded(book, sessionId, value);
  }
  infer(book, rejected);
}

export function transcriptEvidence({ transcripts }: Recording, book: Casebook): void {
  const rejected: Rejections = new Map();
  for (const { value } of transcripts.flatMap((file) => file.lines)) {
    const sessionId = textAt(value, "sessionId") ?? "";
    const kind = [textAt(value, "type"), textAt(value, "subtype")].join("/");
    announcements(book, sessionId, textAt(value, "agentId"), value);
    for (const result of results(value)) {
      const each = book.of(sessionId, textAt(result, "tool_use_id") ?? "");
      const source = rejectedBy(at(value, "permissionDecision"));
      const begun = begunIn(value);
      if (judge(each, result, textAt(value, "toolDenialKind"), source) === "general")
        rejected.set(each, begun);
    }
    if (textAt(value, "attachment", "type") === "hook_deferred_tool") {
      book.of(sessionId, textAt(value, "attachment", "toolUseID") ?? "").deferred = true;
    }
    const isEnd = textAt(value, "message", "stop_reason") === "end_turn";
    const ended = kind === "system/stop_hook_summary" || kind === "system/turn_duration" || isEnd;
    const agentId = textAt(value, "agentId");
    if (ended) close(agentCalls(book, sessionId, agentId), "unreported");
  }
  infer(book, rejected);
}

/** Clients up to 2.1.325 do not write it. */
function begunIn(line: unknown): "before-run" | "running" | "unsaid" {
  if (at(line, "toolDenialBeforeRun") === true) return "before-run";
  return isSince(textAt(line, "version") ?? "2.1.326", "2.1.326") ? "running" : "unsaid";
}

/** Results in the client's own lines: its copies of API requests have another type. */
const results = (line: unknown): readonly unknown[] =>
  textAt(line, "type") === "user"
    ? listAt(line, "message", "content").filter((block) => textAt(block, "type") === "tool_result")
    : [];

function announcements(book: Casebook, sessionId: string, agentId: string | undefined, line: unknown): void {
  if (textAt(line, "type") !== "assistant") return;
  for (const block of listAt(line, "message", "content")) {
    if (textAt(block, "type") !== "tool_use") continue;
    const each = book.of(sessionId, textAt(block, "id") ?? "");
    each.tool ||= textAt(block, "name") ?? "";
    each.input ??= at(block, "input");
    each.agentId ??= agentId;
    each.messageId ??= textAt(line, "message", "id");
  }
}

const agentCalls = (book: Casebook, sessionId: string, agentId?: string): readonly Case[] =>
  book.in(sessionId).filter((each) => each.agentId === agentId);

const rejectedBy = (permission: unknown): string | undefined =>
  textAt(permission, "decision") === "reject" ? textAt(permission, "source") : undefined;

/** @returns "general" for the rejection that says neither who denied nor whether anyone was asked. */
function judge(
  each: Case,
  result: unknown,
  word: string | undefined,
  source: string | undefined,
): "general" | "decided" {
  if (word === "user-rejected" && source === undefined) return "general";
  if (word === "interrupted") {
    decide(each, { by: "lost", execution: "missing-post", cause: "killed" });
  } else if (word === "permission-rule" || word === "user-rejected") {
    const cause: Cause = source === "hook" ? "hook" : source?.startsWith("user_") ? "direct" : "rule";
    decide(each, { by: "word", execution: "denied", cause });
  } else if (at(result, "is_error") === true) {
    decide(each, { by: "error", execution: "failed" });
  } else {
    decide(each, { by: "result", execution: "completed" });
  }
  return "decided";
}

function turnEnded(book: Casebook, sessionId: string, line: unknown): void {
  const deferred = textAt(line, "deferred_tool_use", "id");
  if (deferred !== undefined) book.of(sessionId, deferred).deferred = true;
  for (const denial of listAt(line, "permission_denials"))
    decide(book.of(sessionId, textAt(denial, "tool_use_id") ?? ""), { by: "named", execution: "denied" });
  const cause = textAt(line, "terminal_reason") === "completed" ? "unreported" : "interrupted";
  close(agentCalls(book, sessionId), cause);
}

/** The first call closed like this was denied or was running; the others were closed with it (C4). */
function infer(book: Casebook, rejected: Rejections): void {
  for (const [each, begun] of rejected) {
    const [first = each] = book.in(each.sessionId, each.messageId).filter((other) => rejected.has(other));
    if (each !== first && begun !== "running") {
      decide(each, { by: "inference", execution: "denied", cause: "cascade", causedBy: first.toolUseId });
    } else if (begun === "before-run") {
      decide(each, { by: "inference", execution: "denied", cause: "direct" });
    } else {
      decide(each, { by: "inference", execution: "missing-post", cause: "interrupted" });
    }
  }
}
