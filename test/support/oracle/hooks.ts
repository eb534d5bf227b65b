// Oracle: hooks
// What hook payloads and hook answers prove, and the answers given over the other permission routes.
//
//   Owns:          which hook is evidence for what (C1–C4).
//   Does not own:  what other files say about the same call.

import { close, decide } from "./casebook.ts";
import type { Case, Casebook } from "./casebook.ts";
import { at, listAt, textAt } from "../engine/json.ts";
import { questionsOf } from "./approvals.ts";
import type { Question } from "./approvals.ts";
import type { Recording } from "../sessions/recording.ts";

/** Must come last: the end of a session also closes calls that only other files name. */
export function hookEvidence(recording: Recording, book: Casebook): void {
  const questions = questionsOf(recording).filter((question) => question.channel === "hook");
  const prompts = new Set<string>();
  const ended = new Set<string>();
  for (const { number, value } of recording.hooks.lines) {
    const payload = at(value, "payload");
    const sessionId = textAt(payload, "session_id") ?? "";
    const begun = book.in(sessionId).filter((each) => each.begun);
    const ofAgent = begun.filter((each) => each.agentId === textAt(payload, "agent_id"));
    switch (textAt(payload, "hook_event_name") ?? "") {
      case "PreToolUse":
        preToolUse(caseOf(book, sessionId, payload), value);
        break;
      case "PostToolUse":
        decide(caseOf(book, sessionId, payload), { by: "result", execution: "completed" });
        break;
      case "PostToolUseFailure":
        decide(caseOf(book, sessionId, payload), { by: "result", execution: "failed" });
        break;
      case "PermissionRequest":
        answered(
          book,
          questions.find((each) => each.line === number),
          begun,
        );
        break;
      case "PostToolBatch":
        inBatch(
          listAt(payload, "tool_calls").map((listed) => ({
            each: caseOf(book, sessionId, listed),
            text: textAt(listed, "tool_response") ?? "",
          })),
        );
        break;
      case "Stop":
      case "SubagentStop":
        close(ofAgent, "unreported");
        break;
      case "UserPromptSubmit":
        if (isNew(prompts, `${sessionId} ${textAt(payload, "prompt_id")}`)) close(ofAgent, "interrupted");
        break;
      case "SessionEnd":
        ended.add(sessionId);
        close(begun, "interrupted");
        break;
      case "SessionStart":
        if (textAt(payload, "source") === "compact") break;
        ended.delete(sessionId);
        close(begun, "killed");
        break;
    }
  }
  for (const sessionId of ended) close(book.in(sessionId), "interrupted");
}

function isNew(seen: Set<string>, key: string): boolean {
  const before = seen.size;
  return seen.add(key).size > before;
}

function caseOf(book: Casebook, sessionId: string, named: unknown): Case {
  const each = book.of(sessionId, textAt(named, "tool_use_id") ?? "");
  each.tool ||= textAt(named, "tool_name") ?? "";
  each.input ??= at(named, "tool_input");
  return each;
}

function preToolUse(each: Case, line: unknown): void {
  each.begun = true;
  each.agentId ??= textAt(line, "payload", "agent_id");
  const output: unknown = JSON.parse(textAt(line, "answer") ?? "{}");
  const decision = textAt(output, "hookSpecificOutput", "permissionDecision");
  each.deferred = decision === "defer";
  if (decision === "deny") decide(each, { by: "word", execution: "denied", cause: "hook" });
}

/** ORACLE-3 */
function inBatch(list: readonly { readonly each: Case; readonly text: string }[]): void {
  const broken = list.filter(({ text }) => text.startsWith("<tool_use_error>"));
  for (const { each } of broken) decide(each, { by: "result", execution: "failed" });
  const others = list.filter((entry) => !broken.includes(entry)).map(({ each }) => each);
  if (others.every(({ begun }) => begun))
    for (const each of others) decide(each, { by: "list", execution: "denied", cause: "inferred" });
  else close(others, "unreported");
}

/** A hook's denial; one that interrupts ends the turn, so that open calls will not run. */
function answered(book: Casebook, question: Question | undefined, begun: readonly Case[]): void {
  if (question?.toolUseId === undefined || question.answer !== "deny") return;
  const { sessionId = "", toolUseId } = question;
  decide(book.of(sessionId, toolUseId), { by: "word", execution: "denied", cause: "hook" });
  if (question.interrupt !== true) return;
  for (const each of begun.filter(({ verdict }) => verdict === undefined)) {
    decide(each, { by: "inference", execution: "denied", cause: "cascade", causedBy: toolUseId });
  }
}

/** A person's denial through the SDK or the MCP tool; an HTTP hook's denial. */
export function answersByOtherRoutes(recording: Recording, book: Casebook): void {
  const [sessionId = ""] = recording.hooks.lines.map(({ value }) => textAt(value, "payload", "session_id"));
  for (const { channel, answer, toolUseId } of questionsOf(recording)) {
    if (channel === "hook" || answer !== "deny" || toolUseId === undefined) continue;
    decide(book.of(sessionId, toolUseId), { by: "word", execution: "denied", cause: "direct" });
  }
  for (const { value } of recording.httpHooks.lines) {
    const answer = at(value, "answer", "body", "hookSpecificOutput", "permissionDecision");
    if (answer !== "deny") continue;
    const call = book.of(
      textAt(value, "payload", "session_id") ?? "",
      textAt(value, "payload", "tool_use_id") ?? "",
    );
    decide(call, { by: "word", execution: "denied", cause: "hook" });
  }
}
