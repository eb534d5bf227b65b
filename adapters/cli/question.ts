// Question
// A pending approval in words: what would run, on which exact input, and what an answer does.
//
//   Owns:          the text a person decides by.
//   Does not own:  the decision (decide.ts), the policy itself: the engine fixes it when the question is asked.
//
// Q1. The input is shown whole or not at all, and its hash beside it is the one an approval will carry.

import { type ApprovalAnswer, sessionAnswer, type SessionAnswer } from "./answers.ts";
import type { Client } from "./client.ts";
import { agoOf, inputOf, nameOfSession } from "./wording.ts";

/** @throws Failure when the engine no longer has the session. */
export function sessionOf(client: Client, { workspace, sessionId }: ApprovalAnswer): Promise<SessionAnswer> {
  return client.get(`/v1/sessions/${encodeURIComponent(sessionId)}`, sessionAnswer, { workspace });
}

/**
 * @param session the one it comes from. @param denial what a denial would do (consequence.ts). @param now ms.
 * @returns several lines.
 */
export function described(
  approval: ApprovalAnswer,
  session: SessionAnswer,
  denial: string,
  now: number,
): string {
  const { id, tool, askedAt, agentId, ambiguous, deadlineAt } = approval;
  return [
    `${id}  ${tool}  asked ${agoOf(askedAt, now)} ago`,
    `  session   ${nameOfSession(session)}`,
    ...(agentId === "main" ? [] : [`  agent     ${agentId}`]),
    `  input     ${inputOf(approval).replaceAll("\n", "\n            ")}`,
    `  hash      ${approval.inputHash ?? "(none: it cannot be approved here)"}`,
    `  deny      ${denial}`,
    ...(deadlineAt === undefined ? [] : [`  deadline  ${new Date(deadlineAt).toISOString()}`]),
    ...(ambiguous ? ["  note      more than one open call fits this question"] : []),
    ...(isWatched(approval)
      ? [
          "  note      asked in the client's own dialog; an answer given here is recorded and does not reach it",
        ]
      : []),
  ].join("\n");
}

/** Hooks are answered at once: whoever asked there asks on at their own terminal. */
export const isWatched = ({ channels }: Pick<ApprovalAnswer, "channels">): boolean =>
  channels.every((channel) => channel === "hook");
