// Wording
// The words that commands print for states and causes.
//
//   Owns:          the words for states and causes.
//   Does not own:  what states there are (machines), the layout of tables (table.ts).

import type { AlarmAnswer, ApprovalAnswer, CallAnswer, RequestAnswer, SessionAnswer } from "./answers.ts";
import { alarmWords } from "../../runtime/text/state-words.ts";
import { gistOf } from "../../runtime/text/gist.ts";
import { oneLine } from "../../runtime/text/visible.ts";
import { titleLine } from "../../runtime/text/title-line.ts";

/** The id of an item. If another engine has the item, that engine's name follows: it is the value for `--engine`. */
export const withEngine = (id: string, { engine }: { readonly engine?: string | undefined }): string =>
  engine === undefined ? id : `${id} at ${engine}`;

export function causeOfCall(call: CallAnswer): string {
  return [mainCause(call), call.executedAfterDenial === true ? "ran all the same" : ""]
    .filter(Boolean)
    .join("; ");
}

const ERROR_MAX = 100;
const OPEN = ["created", "queued", "processing"];

function mainCause(call: CallAnswer): string {
  const { execution, denial, missing, error, deferred, approval } = call;
  if (denial)
    return [
      denial.cause,
      denial.by !== denial.cause && denial.by && `by ${denial.by}`,
      denial.callId && `of ${denial.callId}`,
      denial.inferredFrom && `from its ${denial.inferredFrom}`,
    ]
      .filter(Boolean)
      .join(" ");
  if (missing) return missing.cause;
  if (execution === "failed") return oneLine(firstLine(error ?? ""), ERROR_MAX);
  if (approval && waitsForAnswer(call)) return `waits for ${approval.id}`;
  return deferred === true ? "deferred" : "";
}

type Intent = NonNullable<CallAnswer["intent"]>;

export const intentIn = ({ intent }: Pick<CallAnswer, "intent">, widthMax?: number): string =>
  intent === undefined ? "" : oneLine(intent.text, widthMax);

/** Why the agent makes a call, with the source, how sure it is, and the place in the transcript. */
export function intentWithSource(intent: Intent): string {
  const { source, confidence, line } = intent;
  const from = [source, confidence, line !== undefined && `line ${line} of the transcript`];
  return `${intentIn({ intent })} (${oneLine(from.filter(Boolean).join(", "))})`;
}

export const waitsForAnswer = ({ execution, approval }: CallAnswer): boolean =>
  approval?.state === "pending" && OPEN.includes(execution);

export const stateOfRequest = ({ state, waiting }: RequestAnswer): string => (waiting ? "waiting" : state);

/** How an approval ended. If nobody answered it in Signalbox, the user may have answered in the client. */
export function stateOfApproval({
  state,
  outcome,
  receipt,
}: Pick<ApprovalAnswer, "state" | "outcome" | "receipt">): string {
  if (receipt?.step === "lapsed") return `${state} too late: the agent had gone on`;
  const isKnown = outcome !== undefined && outcome !== "unknown";
  return state === "withdrawn" && isKnown ? `answered elsewhere: ${outcome}` : state;
}

export const whyOfAlarm = ({ state, because = "" }: Pick<AlarmAnswer, "state" | "because">): string =>
  `${state}: ${alarmWords(because)}`;

const TITLE_MAX = 48;

export function nameOfSession({
  title,
  id,
  cwd,
  branch,
  client,
}: Pick<SessionAnswer, "title" | "id" | "cwd" | "branch" | "client">): string {
  return [title === undefined ? id : oneLine(titleLine(title), TITLE_MAX), cwd, branch, client]
    .filter(Boolean)
    .join(" · ");
}

type Inputs = Pick<ApprovalAnswer, "input" | "inputBytes" | "inputMissing"> & { readonly tool: string };

/** One line by which a user recognises a call. If the input cannot be shown, the line has its length, or says why. */
export function gistIn({ tool, input, inputBytes, inputMissing }: Inputs): string {
  if (inputMissing !== undefined) return inputMissing === "lost" ? "(gone)" : `(${inputMissing})`;
  return input === undefined && inputBytes !== undefined ? `(${inputBytes} bytes)` : gistOf(input, tool);
}

export function countsOf(states: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const state of states) counts.set(state, (counts.get(state) ?? 0) + 1);
  return [...counts].map(([state, count]) => `${count} ${state}`).join(", ");
}

export const plural = (count: number, noun: string, nouns = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : nouns}`;

export const timeOf = (at: number): string => new Date(at).toTimeString().slice(0, 8);

export function agoOf(at: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - at) / 1000));
  if (seconds < 90) return `${seconds}s`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)}m`;
  if (seconds < 36 * 3600) return `${Math.round(seconds / 3600)}h`;
  return `${Math.round(seconds / 86_400)}d`;
}

export const firstLine = (text: string): string => text.split("\n", 1)[0] ?? "";
