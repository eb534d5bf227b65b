// Approval text
// Describes an approval in text: what would run, with which exact input, and what each answer does.
//
//   Owns:          the full text about an approval, its line in lists, the fields that `--json` adds to the engine's view.
//   Does not own:  sending the answer (decide.ts), the cascade policy, which the engine fixes when the approval is requested.
//
// APPROVAL-TEXT-1. The text of an approval contains the whole input or no part of it, so that nobody answers after reading
//     only a part. It also contains the input's hash, which is sent with the answer.

import { isWatched } from "../../../runtime/channels.ts";
import { awaySince, lastSeenText } from "../../../runtime/text/last-seen-text.ts";
import { votesLines } from "../../../runtime/text/votes-text.ts";
import { oneLine } from "../../../runtime/text/visible.ts";
import type { ApprovalAnswer, CallAnswer } from "../answers.ts";
import { broken } from "../output/width.ts";
import {
  agoOf,
  firstLine,
  gistIn,
  intentWithSource,
  nameOfSession,
  plural,
  stateOfApproval,
  timeOf,
} from "../wording.ts";
import { inputLines } from "./input-text.ts";
import type { Found, ShownApproval } from "./read.ts";
import { riskLines, risksIn } from "./risk-text.ts";

const LABEL = 12;
const ENDS_MAX = 20;
const GIST_MAX = 60;

export interface Look {
  readonly now: number;
  /** The screen's width; Infinity without a screen. */
  readonly columns: number;
  readonly isInterrupt?: boolean;
  readonly instead?: unknown;
  readonly hasCommands?: boolean;
  /** Whether another workspace has an approval with this id: the printed commands then name the workspace. */
  readonly isShared?: boolean;
}

export function described(shown: ShownApproval, look: Look): string {
  const { approval, call } = shown;
  const { id, tool, ambiguous, candidates } = approval;
  const away = lastSeenText(approval, look.now);
  const field = (name: string, lines: readonly string[]): readonly string[] =>
    lines.map((line, index) => `  ${(index === 0 ? name : "").padEnd(LABEL - 2)}${line}`);
  const prose = (name: string, text: string): readonly string[] =>
    field(name, broken(oneLine(text), Math.max(20, look.columns - LABEL - 1)));
  return [
    `${id}  ${oneLine(tool)}  ${standOf(approval, look.now)}`,
    ...prose("session", sessionNameOf(shown)),
    ...(approval.agentId === "main" ? [] : prose("agent", agentPathOf(shown))),
    ...(call?.intent
      ? prose("intent", `${call.intent.text} (${call.intent.source}, ${call.intent.confidence})`)
      : []),
    ...(approval.state === "pending" ? riskLines(risksIn(shown)).flatMap((line) => prose("risk", line)) : []),
    ...field("input", inputOf(approval, look.columns - LABEL - 1)),
    ...(look.instead === undefined
      ? []
      : field("instead", inputLines(look.instead, look.columns - LABEL - 1))),
    ...prose("hash", approval.inputHash ?? "(none: it cannot be approved here)"),
    ...(call ? field("place", [placeOf(call, shown.batchSize)]) : []),
    ...(away === undefined ? field("deny", consequenceOf(shown, look.isInterrupt === true)) : []),
    ...votesLines(approval, look.now, timeOf).flatMap((text) => prose("people", text)),
    ...assignedIn(approval).flatMap((text) => prose("assigned", text)),
    ...deadlineOf(approval, look.now).flatMap((text) => prose("deadline", text)),
    ...(approval.maybeAnswered ? prose("note", "probably answered in its terminal: its agent went on") : []),
    ...(ambiguous ? prose("note", `one of ${candidates} open calls that this approval may be about`) : []),
    ...(away === undefined ? [] : prose("note", away)),
    ...(isWatched(approval)
      ? prose(
          "note",
          "requested in the client's own dialog; an answer given here is recorded, but does not reach the client",
        )
      : look.hasCommands === true && approval.state === "pending" && away === undefined
        ? field("answer", commandsFor(approval, look.isShared === true))
        : []),
  ].join("\n");
}

const sessionNameOf = ({ approval, session }: Found): string =>
  session ? nameOfSession(session) : approval.sessionId;

function standOf(approval: ApprovalAnswer, now: number): string {
  const { state, askedAt, closedAt, by } = approval;
  if (state === "pending") return `waiting ${agoOf(askedAt, now)}`;
  const when = closedAt === undefined ? "" : ` ${agoOf(closedAt, now)} ago`;
  return `${stateOfApproval(approval)}${when}${by === undefined || by === "elsewhere" ? "" : ` by ${by}`}`;
}

/** The agents from the main agent down: each one's type and task; the last one also with its id. */
function agentPathOf({ approval: { agentId }, parents }: ShownApproval): string {
  if (agentId === "main") return "main";
  const names = parents.map(({ input }) => {
    const [type, task] = ["subagent_type", "description"].map((name): unknown =>
      typeof input === "object" && input !== null ? Reflect.get(input, name) : undefined,
    );
    return [type, task].filter((part) => typeof part === "string").join(": ") || "subagent";
  });
  return `${["main", ...(names.length > 0 ? names : ["subagent"])].join(" › ")} (${agentId})`;
}

/** The engine's view of an approval, and the further facts that the printed text shows. */
export function jsonOf(shown: ShownApproval): object {
  const { approval, session, call, batchSize, ends } = shown;
  const { title, cwd, branch, client } = session ?? {};
  return {
    ...approval,
    session: { title, cwd, branch, client },
    risks: risksIn(shown).map(({ id, level, label, found }) => ({ id, level, label, found })),
    agentPath: agentPathOf(shown),
    ...(call && {
      intent: call.intent,
      place: { batchId: call.batchId, index: call.index, ordered: call.ordered, size: batchSize },
    }),
    endsOnDeny: ends.map(({ id }) => id),
  };
}

function placeOf({ index, ordered }: CallAnswer, size: number | undefined): string {
  if (size === 1 && index === 0) return "alone in its batch";
  const of = size === undefined ? "" : ` of ${Math.max(size, index + 1)}`;
  return `call ${index + 1}${of} of its batch${ordered ? "" : ", in order of arrival"}`;
}

const MISSING: Readonly<Record<string, string>> = {
  lost: "gone: the engine no longer has it",
  damaged: "damaged: what the engine has does not match its hash",
};

function inputOf(
  { id, input, inputBytes, inputMissing }: ApprovalAnswer,
  columns: number,
): readonly string[] {
  const bytes = `${(inputBytes ?? 0).toLocaleString("en")} bytes`;
  if (inputMissing !== undefined)
    return broken(
      oneLine(
        `(${MISSING[inputMissing] ?? inputMissing}: it can only be denied, or answered where it was requested)`,
      ),
      Math.max(20, columns),
    );
  if (input !== undefined) return inputLines(input, columns);
  return [
    inputBytes === undefined
      ? "(the approval was requested without an input)"
      : `(${bytes}; \`npx signalbox approvals ${id}\` has all of it)`,
  ];
}

function consequenceOf({ approval, ends }: ShownApproval, isInterrupt: boolean): readonly string[] {
  const more =
    approval.onDeny === "interrupt" && !isInterrupt ? "; with --interrupt the agent's whole turn ends" : "";
  if (ends.length <= 1) return [`nothing else is denied with it${more}`];
  const rows = ends
    .slice(0, ENDS_MAX)
    .map((call) =>
      ["", String(call.index + 1).padStart(2), oneLine(call.tool), oneLine(gistIn(call), GIST_MAX)]
        .join("  ")
        .trimEnd(),
    );
  const rest = ends.length > ENDS_MAX ? [`  and ${ends.length - ENDS_MAX} more`] : [];
  return [`ends ${plural(ends.length, "call")}${more}:`, ...rows, ...rest];
}

const assignedIn = ({ state, assigned }: ApprovalAnswer): readonly string[] =>
  state === "pending" && assigned ? [`to ${assigned.to} by ${assigned.by}, ${timeOf(assigned.at)}`] : [];

function deadlineOf({ deadlineAt, onDeadline }: ApprovalAnswer, now: number): readonly string[] {
  if (deadlineAt === undefined) return [];
  const then = onDeadline === "deny" ? "denied then" : "left to the agent then";
  return [`${new Date(deadlineAt).toISOString()}, in ${agoOf(now, deadlineAt)}; ${then}`];
}

/** The commands that answer the approval. If the input cannot be shown, the call can only be denied. */
function commandsFor(approval: ApprovalAnswer, isShared: boolean): readonly string[] {
  const { id, workspace, inputHash, inputMissing } = approval;
  const canApprove = inputHash !== undefined && inputMissing === undefined;
  const name = isShared ? `${id} --workspace ${workspace}` : id;
  const deny = `npx signalbox deny ${name} -m TEXT`;
  return canApprove ? [`npx signalbox approve ${name}`, deny] : [deny];
}

export const isShared = ({ approval: { id, workspace } }: Found, others: readonly Found[]): boolean =>
  others.some(({ approval: other }) => other.id === id && other.workspace !== workspace);

export function rowOf(found: Found, now: number): readonly string[] {
  const { approval } = found;
  const { id, tool, askedAt, engine } = approval;
  const [where, since] = [sessionNameOf(found), awaySince(approval, now)];
  const place = since === undefined ? where : `${engine} ${since}: ${where}`;
  return [id, agoOf(askedAt, now), tool, gistIn(approval), place];
}

export interface More {
  readonly words: boolean;
  /** Whether the news is that an answer in Signalbox reaches the agent now, which it did not before. */
  readonly reach: boolean;
  /** Whether the news is that the assignment was changed, or taken back. */
  readonly assigned: boolean;
}

interface Learnt extends More {
  readonly now: number;
  readonly isShared: boolean;
}

/** What became known of an approval after it was first printed, each fact on a line. */
export function moreIn({ approval, call }: Found, { words, reach, assigned, now, isShared }: Learnt): string {
  const name = `${timeOf(now)}  ${approval.id}  ${approval.tool}`;
  const [answer = ""] = commandsFor(approval, isShared);
  return [
    ...(words && call?.intent ? [`${name}  why: ${intentWithSource(call.intent)}`] : []),
    ...(reach ? [`${name}  can be answered here now: ${answer}`] : []),
    ...(assigned ? [`${name}  assigned ${assignedIn(approval).join() || "to nobody now"}`] : []),
  ]
    .map((each) => oneLine(each))
    .join("\n");
}

export function leavingOf(approval: ApprovalAnswer): string {
  const { id, tool, askedAt, state, by, message, outcome, closedAt = askedAt } = approval;
  const name = `${timeOf(closedAt)}  ${id}  ${tool}`;
  const after = `after ${agoOf(askedAt, closedAt)}`;
  const said = message === undefined ? "" : `: ${firstLine(message)}`;
  if (state === "approved" || state === "denied")
    return oneLine(`${name}  ${state} by ${by ?? "?"} ${after}${said}`);
  if (state === "expired")
    return oneLine(`${name}  expired: nobody answered within ${agoOf(askedAt, closedAt)}`);
  const isKnown = outcome === "approved" || outcome === "denied";
  return oneLine(
    `${name}  ${isKnown ? `${stateOfApproval(approval)} ${after}` : "withdrawn: the agent waits no longer"}`,
  );
}
