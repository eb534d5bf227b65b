// Inputs
// What a session can be told: the closed union into which the messages of every door are translated.
//
//   Owns:          the names and fields of inputs.
//   Does not own:  wire formats (adapters translate), the effects of an input (router). Ids in here match `isId`.

import type { Outcome } from "./facts/request-facts.ts";
import type { AgentId, ApprovalId, RequestId } from "./ids.ts";
import type { ShellCall } from "./rules/shell-call.ts";
import type { ToolInput } from "./tool-input.ts";
import type { ReadFromWords, Worded } from "./wording.ts";
import type { OwnInput, TurnInput } from "./own-inputs.ts";
export type { Decision, Demanded, OwnInput, TimerFired, WaiterGone } from "./own-inputs.ts";
export type { DamagedInput, LiftedInput, ToolInput, WrittenInput } from "./tool-input.ts";

/** What a message says about the call it means. Any part may be missing. */
export interface CallRef {
  readonly toolUseId?: string;
  readonly tool?: string;
  readonly input?: ToolInput;
  /** Of a client's shell, in the form that every shell has here. */
  readonly shell?: ShellCall;
}

interface Base {
  /** The subagent the message came from; absent for the main agent. */
  readonly agentId?: AgentId;
  /** The Agent call that started the message's subagent, if only that is known (stream lines). */
  readonly parentToolUseId?: string;
  /** The client's id of the prompt the message belongs to. */
  readonly promptId?: string;
  /** The source's own clock, ms. Shown and used for durations, never for deadlines. */
  readonly observedAt?: number;
  /** Which calls the client is to ask a gate of ours about: every one, or those it would ask a person about. */
  readonly gated?: "all" | "permission";
}

export interface Intent {
  readonly text: string;
  readonly source: "message" | "parent" | "display" | "description" | "prompt";
  readonly confidence: "certain" | "likely" | "weak";
  /** The client's id of the transcript line that holds the words, where a transcript told them. */
  readonly line?: string;
}

export type Missing = "interrupted" | "killed" | "deferred" | "unreported" | "lost" | "unknown";

/** What a message can add to a session's facts. */
export interface SessionFacts {
  readonly title?: string;
  readonly cwd?: string;
  readonly branch?: string;
  readonly model?: string;
  /** The program that the agent runs in, and its version, as it names itself. */
  readonly client?: string;
}

export type SessionStarted = Base &
  SessionFacts & {
    readonly type: "session.started";
    /** `compact` goes on in the same process; every other reason means that the previous process is gone. */
    readonly reason: "startup" | "resume" | "fork" | "clear" | "compact" | "other";
  };
export type SessionEnded = Base & { readonly type: "session.ended"; readonly reason?: string };
/** Facts about a session that change no state. */
export type SessionNoted = Base & SessionFacts & { readonly type: "session.noted" };
export type PromptSubmitted = Base & {
  readonly type: "prompt.submitted";
  readonly promptId: string;
  readonly text: string;
  /** True when the client wrote the prompt itself (task notifications, "Continue from where you left off."). */
  readonly synthetic?: boolean;
};
/** Stop, SubagentStop, a stream's `result` line, a transcript's end-of-turn line. */
export type TurnStopped = Base &
  Outcome & {
    readonly type: "turn.stopped";
    readonly outcome: "completed" | "interrupted" | "failed" | "deferred";
  };
export type AgentStarted = Base & {
  readonly type: "agent.started";
  readonly agentId: AgentId;
  readonly agentType?: string;
};
/** Names the Agent call that started a subagent. */
export type AgentLinked = Base & {
  readonly type: "agent.linked";
  readonly agentId: AgentId;
  readonly toolUseId: string;
};

/** The agent's own words. They may be why the calls after them are made. */
export type AgentSaid = Base & {
  readonly type: "agent.said";
  readonly text: string;
  /** The client's message the words stand in, and their line of the transcript. */
  readonly messageId?: string;
  readonly line?: string;
  /** They follow the words of the same message that were told before, and were displayed only. */
  readonly continues?: true;
};
export type ToolAnnounced = Base & {
  readonly type: "tool.announced";
  readonly call: CallRef;
  /** The client's message that contains the call, and its place there. */
  readonly messageId?: string;
  readonly blockIndex?: number;
  readonly intent?: Intent;
};
export type ToolStarted = Base & {
  readonly type: "tool.started";
  readonly call: CallRef;
  /** Its client begins a call only when the ones before are through, but for what it runs beside others. */
  readonly oneByOne?: true;
  readonly intent?: Intent;
};
/** A result; a `bare` one tells how the call ended, and not with what. */
type Ended = Base & { readonly call: CallRef; readonly durationMs?: number; readonly bare?: true };
export type ToolFinished = Ended & { readonly type: "tool.finished"; readonly output?: string };
export type ToolFailed = Ended & Worded & { readonly type: "tool.failed"; readonly error: string };
/** A result, or a hook's answer, that says: not allowed. */
export type ToolDenied = Base &
  ReadFromWords & {
    readonly type: "tool.denied";
    readonly call: CallRef;
    /**
     * `user`: a person said no to this very call; `hook`, `rule`: a foreign hook or the client's own rules did;
     * `listed`: the client's list of what was denied names it, and does not say by whom;
     * `rejected`: the client's general "user rejected" text, which also stands on calls nobody was asked about.
     */
    readonly verdict: "user" | "hook" | "rule" | "listed" | "rejected";
    readonly message?: string;
    /** The client says that the call never began; absent if the source cannot know. */
    readonly beforeRun?: boolean;
    /** The client asks at its own terminal, where nobody sees the answers. */
    readonly terminal?: true;
    /** The client is so old that it never says whether a call began. */
    readonly unmarked?: true;
  };
/** The client says that the call's result was lost. */
export type ToolLost = Base & { readonly type: "tool.lost"; readonly call: CallRef; readonly cause: Missing };
/** A hook deferred the call; the client ends and may resume it. */
export type ToolDeferred = Base & { readonly type: "tool.deferred"; readonly call: CallRef };
/** Who allowed or denied the call, as the client reports it. */
export type ToolPermission = Base & {
  readonly type: "tool.permission";
  readonly call: CallRef;
  readonly decision: "accept" | "reject";
  readonly source: string;
  readonly reason?: string;
  /** Its source never says why: a rule may be behind what it calls a user. */
  readonly bare?: true;
  /** It is told as it happens: whatever is asked about the call now was answered by it. */
  readonly settles?: true;
};
/** A call as the list of its message names it. */
export type ListedCall = CallRef & {
  /** What the client told the model, where that is an error of the client's own. */
  readonly error?: string;
  /**
   * What else it told the model, as far as it matters: its own word that the call was refused; what only a tool that was
   * at work says; any other text, be it a tool's or a person's. Absent if nobody knows.
   */
  readonly told?: "refusal" | "output" | "text";
};
/** All calls of one message, in call order, once the client is through with them (PostToolBatch). */
export type ToolBatch = Base & { readonly type: "tool.batch"; readonly calls: readonly ListedCall[] };

export type ApprovalRequested = Base & {
  readonly type: "approval.requested";
  readonly approvalId?: ApprovalId;
  readonly call: CallRef;
  /** Where the approval came from: `hook`, `sdk`, `mcp`, `gateway`. */
  readonly channel: string;
  /** When the asker stops waiting, on the journal's clock, ms. */
  readonly deadlineAt?: number;
  /** What an unanswered approval means at its deadline. */
  readonly onDeadline?: "deny" | "ask";
  /** Who asked, as the door knows them. */
  readonly sender?: string;
};
/** The source says that the approval was answered. It allows nothing here. */
export type ApprovalAnswered = Base & {
  readonly type: "approval.answered";
  readonly approvalId?: ApprovalId;
  readonly call: CallRef;
  readonly decision: "approve" | "deny";
  /** `hook`, `sdk`, `terminal`, … */
  readonly by: string;
  readonly message?: string;
  readonly interrupt?: boolean;
};
export type ApprovalWithdrawn = Base & {
  readonly type: "approval.withdrawn";
  readonly approvalId?: ApprovalId;
  readonly call: CallRef;
};
/** Whoever asked gave up waiting, and went on as is due at the deadline. */
export type ApprovalLapsed = Base & {
  readonly type: "approval.lapsed";
  readonly approvalId: ApprovalId;
  /** What it told its client instead. */
  readonly said?: "ask" | "deny";
};
/** Whoever asked has the answer, and passed it on. */
export type ApprovalTaken = Base & {
  readonly type: "approval.taken";
  readonly approvalId: ApprovalId;
  readonly by: string;
};
export type RequestCreated = Base & {
  readonly type: "request.created";
  readonly requestId: RequestId;
  readonly chatId?: string | number;
  readonly prompt?: string;
  readonly model?: string;
  readonly timeoutAt?: number;
};
export type RequestMoved = Base &
  Outcome & {
    readonly type:
      "request.queued" | "request.processing" | "request.completed" | "request.failed" | "request.cancelled";
    readonly requestId: RequestId;
  };
export type RequestCallback = Base & {
  readonly type: "request.callback";
  readonly requestId: RequestId;
  readonly state: "delivering" | "delivered" | "failed";
  readonly error?: string;
};

/** Kept and counted: a hook or line whose meaning is unknown here. */
export type Unknown = Base & { readonly type: "unknown"; readonly name: string };

/** What a source may say. */
export type SourceInput =
  | SessionStarted
  | SessionEnded
  | SessionNoted
  | PromptSubmitted
  | TurnStopped
  | AgentStarted
  | AgentLinked
  | AgentSaid
  | ToolAnnounced
  | ToolStarted
  | ToolFinished
  | ToolFailed
  | ToolDenied
  | ToolLost
  | ToolDeferred
  | ToolPermission
  | ToolBatch
  | ApprovalRequested
  | ApprovalAnswered
  | ApprovalWithdrawn
  | ApprovalLapsed
  | ApprovalTaken
  | RequestCreated
  | RequestMoved
  | RequestCallback
  | Unknown;

export type Input = SourceInput | OwnInput | TurnInput;
