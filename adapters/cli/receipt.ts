// Receipt
// Prints the steps of an answer on its way to the agent, while the user waits.
//
//   Owns:          the words of each step, how long and how often the engine is asked.
//   Does not own:  the steps (machines/evidence/receipt), giving the answer (decide.ts).
//
// CLI-RECEIPT-1. Each step is printed once, in order. The wait ends with the last possible step (confirmed, lapsed or
//     contradicted), or when the time is over.

import { setTimeout as sleep } from "node:timers/promises";
import { type ApprovalAnswer, approvalAnswer, type ReceiptAnswer } from "./answers.ts";
import { type Client, succeeded } from "./client.ts";
import { timeOf } from "./wording.ts";

const AGAIN_MS = 200;
const LAST: readonly string[] = ["confirmed", "lapsed", "contradicted"];

const DID: Readonly<Record<string, string>> = {
  ran: "the call ran",
  "ran-other-input": "the call ran on another input",
  "not-run": "the call did not run",
};

/** The steps after the commit, one line each. */
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
    said === undefined ? "nobody waited for it any more" : `whoever asked had answered by itself: ${said}`;
  return `Answered too late: the agent had gone on at ${timeOf(at)}; ${how}.`;
}

export interface Watching {
  readonly waitMs: number;
  /** ms. */
  readonly now: () => number;
  /** Called with each new line, and with each new receipt of the engine. */
  readonly onStep: (line: string) => void;
  readonly onReceipt: (receipt: ReceiptAnswer) => void;
}

/** @returns false if the answer lapsed or the agent did not obey it; true otherwise. */
export async function followReceipt(
  client: Client,
  { id, workspace }: Pick<ApprovalAnswer, "id" | "workspace">,
  { waitMs, now, onStep, onReceipt }: Watching,
): Promise<boolean> {
  const until = now() + waitMs;
  let told = 0;
  let last = "committed";
  for (;;) {
    const path = `/v1/approvals/${encodeURIComponent(id)}`;
    const { receipt } = approvalAnswer.parse(
      succeeded(await client.send("GET", path, { query: { workspace } })).body,
    );
    const lines = receipt ? stepsOf(receipt) : [];
    for (const line of lines.slice(told)) onStep(line);
    told = Math.max(told, lines.length);
    if (receipt && receipt.step !== last) onReceipt(receipt);
    last = receipt?.step ?? last;
    if (LAST.includes(last)) return last === "confirmed";
    if (now() >= until) return true;
    await sleep(Math.min(AGAIN_MS, Math.max(1, until - now())));
  }
}
