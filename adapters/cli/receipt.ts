// Receipt
// Prints how an answer reaches the agent, step by step, while the user waits.
//
//   Owns:          the words for each step of an answer, how long and how often the engine is asked for news.
//   Does not own:  what the steps of an answer are (machines/evidence/receipt), sending the answer (decide.ts).
//
// CLI-RECEIPT-1. Each step of an answer is printed once, in order. The command waits until the waiting time is over, or until the
//     answer is confirmed (the agent obeyed), contradicted (it did not) or lapsed (the agent had gone on before).

import { setTimeout as sleep } from "node:timers/promises";
import { type ApprovalAnswer, approvalAnswer, type ReceiptAnswer } from "./answers.ts";
import { type Client, succeeded } from "./client.ts";
import type { AnswerOptions } from "./approval/answer-command.ts";
import type { Context } from "./command.ts";
import { timeOf } from "./wording.ts";

const AGAIN_MS = 200;
const LAST: readonly string[] = ["confirmed", "lapsed", "contradicted"];

const DID: Readonly<Record<string, string>> = {
  ran: "the call ran",
  "ran-other-input": "the call ran on another input",
  "not-run": "the call did not run",
};

function stepsOf(receipt: ReceiptAnswer): readonly string[] {
  const { step, takenAt, takenBy, call = "", confirmedAt, lapsedAt, lapsedSaid } = receipt;
  const lines: string[] = [];
  if (takenAt !== undefined)
    lines.push(`taken ${timeOf(takenAt)}: ${takenBy ?? "whoever asked"} has the answer.`);
  if (step === "confirmed") lines.push(`confirmed ${timeOf(confirmedAt ?? 0)}: ${DID[call] ?? call}.`);
  if (step === "contradicted") lines.push(`not obeyed ${timeOf(confirmedAt ?? 0)}: ${DID[call] ?? call}.`);
  if (step === "lapsed") lines.push(tooLate(lapsedAt ?? 0, lapsedSaid));
  return lines;
}

function tooLate(at: number, said: string | undefined): string {
  const how =
    said === undefined
      ? "no program waited for the answer any more"
      : `the program that asked had answered by itself: ${said}`;
  return `Answered too late: the agent had gone on at ${timeOf(at)}; ${how}.`;
}

/** @returns false if the answer lapsed or the agent did not obey it; true otherwise. */
export async function followReceipt(
  client: Client,
  { id, workspace }: Pick<ApprovalAnswer, "id" | "workspace">,
  { wait, json = false }: AnswerOptions,
  { terminal, now }: Context,
): Promise<boolean> {
  const until = now() + wait * 1_000;
  let told = 0;
  let last = "committed";
  for (;;) {
    const path = `/v1/approvals/${encodeURIComponent(id)}`;
    const { receipt } = approvalAnswer.parse(
      succeeded(await client.send("GET", path, { query: { workspace } })).body,
    );
    const lines = receipt ? stepsOf(receipt) : [];
    if (!json) for (const line of lines.slice(told)) terminal.out(line);
    told = Math.max(told, lines.length);
    if (json && receipt && receipt.step !== last) terminal.json({ approvalId: id, receipt });
    last = receipt?.step ?? last;
    if (LAST.includes(last)) return last === "confirmed";
    if (now() >= until) return true;
    await sleep(Math.min(AGAIN_MS, Math.max(1, until - now())));
  }
}
