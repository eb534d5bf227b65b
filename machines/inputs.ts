// Inputs
// The inputs of a session: the closed union into which the messages of every door are translated.
//
//   Owns:          the names and fields of inputs.
//   Does not own:  wire formats (adapters translate), the effects of an input (router). All ids in an input match `isId`.

import type { Permission } from "./evidence/permission.ts";
import type { Outcome } from "./facts/request-facts.ts";
import type { AgentId, ApprovalId, RequestId } from "./ids.ts";
import type { ShellCall } from "./rules/shell-call.ts";
import type { ToolInput } from "./tool-input.ts";
import type { ReadFromWords, Worded } from "./wording.ts";
import type { OwnInput, TurnInput } from "./own-inputs.ts";
export type { Decision, Demanded, OwnInput, TimerFired, WaiterGone } from "./own-inputs.ts";
export type { DamagedInput, LiftedInput, ToolInput, WrittenInput } from "./tool-input.ts";

/** What a message shows of the call it means. Any part may be missing. */
export interface CallRef {
  readonly toolUseId?: string;
  readonly tool?: string;
  readonly input?: ToolInput;
  /** Present for a client's shell, in the form that every shell has here. */
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
  /** The calls about which the client is to ask one of the engine's gates: all, or those it would ask a person about. */
  readonly gated?: "all" | "permission";
}

export interface Intent {
  readonly text: string;
  readonly source: "message" | "parent" | "display" | "description" | "prompt";
  readonly confidence: "certain" | "likely" | "weak";
  /** The client's id of the transcript line with the words, if a transcript reported them. */
  readonly line?: string;
}

export type Missing = "interrupted" | "killed" | "deferred" | "unreported" | "lost" | "unknown";

/** The facts about a session that a message may report. */
export interface SessionFacts {
  readonly title?: string;
  readonly cwd?: string;
  readonly branch?: string;
  readonly model?: string;
  /** The program that the agent runs in, and its version, in the program's own words. */
  readonly client?: string;
}

export type SessionStarted = Base &
  SessionFacts & {
    readonly type: "session.started";
    /** `compact` continues in the same process; every other reason means that the previous process is gone. */
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

/** The agent's own words, which may be the intent of the calls after them. */
export type AgentSaid = Base & {
  readonly type: "agent.said";
  readonly text: string;
  /** The client's message that contains the words, and the words' line in the transcript. */
  readonly messageId?: string;
  readonly line?: string;
  /** True if they continue earlier words of the same message, and were only displayed. */
  readonly continues?: true;
};
export type ToolAnnounced = Base & {
  readonly type: "tool.announced";
  readonly call: CallRef;
  /** The client's message that contains the call, and the call's place in it. */
  readonly messageId?: string;
  readonly blockIndex?: number;
  readonly intent?: Intent;
};
export type ToolStarted = Base & {
  readonly type: "tool.started";
  readonly call: CallRef;
  /** True if its client begins a call only after the ones before have ended, except calls that it runs in parallel. */
  readonly oneByOne?: true;
  readonly intent?: Intent;
};
/** A result. A `bare` one reports only the kind of the call's end. */
type Ended = Base & { readonly call: CallRef; readonly durationMs?: number; readonly bare?: true };
export type ToolFinished = Ended & { readonly type: "tool.finished"; readonly output?: string };
export type ToolFailed = Ended & Worded & { readonly type: "tool.failed"; readonly error: string };
/** A result, or a hook's answer, that denies the call. */
export type ToolDenied = Base &
  ReadFromWords & {
    readonly type: "tool.denied";
    readonly call: CallRef;
    /**
     * `user`: a person denied this very call; `hook`, `rule`: a foreign hook or the client's own rules did;
     * `listed`: the client's list of denials names it, without naming who denied it;
     * `rejected`: the client's general "user rejected" text, which calls may have that nobody was asked about.
     */
    readonly verdict: "user" | "hook" | "rule" | "listed" | "rejected";
    readonly message?: string;
    /** Whether the call never began, as the client reports; absent if the source cannot know. */
    readonly beforeRun?: boolean;
    /** True if the client asks at its own terminal, where nobody else sees the answers. */
    readonly terminal?: true;
    /** True if the client is so old that it never reports whether a call began. */
    readonly unmarked?: true;
  };
/** The client reports that the call's result was lost. */
export type ToolLost = Base & { readonly type: "tool.lost"; readonly call: CallRef; readonly cause: Missing };
/** A hook deferred the call; the client ends and may resume it. */
export type ToolDeferred = Base & { readonly type: "tool.deferred"; readonly call: CallRef };
/** Who allowed or denied the call, as the client reports it. */
export type ToolPermission = Base &
  Permission & {
    readonly type: "tool.permission";
    readonly call: CallRef;
    /** True if it is reported as it happens, so it answers every pending approval of the call. */
    readonly settles?: true;
  };
export type ListedCall = CallRef & {
  /** The error of the client's own that the model read. */
  readonly error?: string;
  /**
   * The other text that the model read, by its kind: the client's own text for a refusal; a text that only a running tool
   * writes; any other text, of a tool or a person. Absent if nobody knows.
   */
  readonly told?: "refusal" | "output" | "text";
};
/** All calls of one message, in call order, once the client has handled them (PostToolBatch). */
export type ToolBatch = Base & { readonly type: "tool.batch"; readonly calls: readonly ListedCall[] };

export type ApprovalRequested = Base & {
  readonly type: "approval.requested";
  readonly approvalId?: ApprovalId;
  readonly call: CallRef;
  /** The channel of the request: `hook`, `sdk`, `mcp`, `gateway`. */
  readonly channel: string;
  /** When the asker stops waiting, by journal time, ms. */
  readonly deadlineAt?: number;
  /** What an unanswered approval means at its deadline. */
  readonly onDeadline?: "deny" | "ask";
  /** The asker, as the door knows it. */
  readonly sender?: string;
};
/** The source reports that the approval was answered. This allows nothing here. */
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
/** The asker stopped waiting, and continued as it must at the deadline. */
export type ApprovalLapsed = Base & {
  readonly type: "approval.lapsed";
  readonly approvalId: ApprovalId;
  /** What the asker answered to its client instead. */
  readonly said?: "ask" | "deny";
};
/** The asker got the answer, and passed it on. */
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

/** A hook or line of unknown meaning, which is stored and counted. */
export type Unknown = Base & { readonly type: "unknown"; readonly name: string };

/** The inputs that come from sources. */
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
