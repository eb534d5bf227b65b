// Inputs
// The closed union of all inputs of a session. The engine translates the messages of every door into these inputs.
//
//   Owns:          the names and fields of inputs; every id in an input matches `isId`.
//   Does not own:  wire formats (adapters translate), the effects of an input (router).

import type { Permission } from "./evidence/permission.ts";
import type { Outcome } from "./facts/request-facts.ts";
import type { AgentId, ApprovalId, RequestId } from "./ids.ts";
import type { ShellCall } from "./rules/shell-call.ts";
import type { ToolInput } from "./tool-input.ts";
import type { ReadFromWords, Worded } from "./wording.ts";
import type { OwnInput, TurnInput } from "./own-inputs.ts";
export type { Assigned, Decision, Demanded, OwnInput, TimerFired, WaiterGone } from "./own-inputs.ts";
export type { DamagedInput, LiftedInput, ToolInput, WrittenInput } from "./tool-input.ts";

/** What a message reports to identify its call. Any field may be missing. */
export interface CallRef {
  readonly toolUseId?: string;
  readonly tool?: string;
  readonly input?: ToolInput;
  readonly shell?: ShellCall;
}

interface Base {
  readonly agentId?: AgentId;
  /** The Agent call that started the subagent, if the message names only that call (stream lines). */
  readonly parentToolUseId?: string;
  readonly promptId?: string;
  /** The time by the source's own clock, ms. Views show it and durations use it, but deadlines never do. */
  readonly observedAt?: number;
  /** About which calls the client must ask one of the engine's gates: all, or only those about which it would ask a person. */
  readonly gated?: "all" | "permission";
}

export interface Intent {
  readonly text: string;
  readonly source: "message" | "parent" | "display" | "description" | "prompt";
  readonly confidence: "certain" | "likely" | "weak";
  /** The client's id of the transcript line that contains the words, if a transcript reported them. */
  readonly line?: string;
}

export type Missing = "interrupted" | "killed" | "deferred" | "unreported" | "lost" | "unknown";

export interface SessionFacts {
  readonly title?: string;
  readonly cwd?: string;
  readonly branch?: string;
  readonly model?: string;
  /** The name and version of the program that the agent runs in, as the program reports them. */
  readonly client?: string;
}

export type SessionStarted = Base &
  SessionFacts & {
    readonly type: "session.started";
    /** Why the session started. `compact`: it continues in its process. With any other reason, the previous process has ended. */
    readonly reason: "startup" | "resume" | "fork" | "clear" | "compact" | "other";
  };
export type SessionEnded = Base & { readonly type: "session.ended"; readonly reason?: string };
export type SessionNoted = Base & SessionFacts & { readonly type: "session.noted" };
export type PromptSubmitted = Base & {
  readonly type: "prompt.submitted";
  readonly promptId: string;
  readonly text: string;
  /** True if the client wrote the prompt, not a person (task notifications, "Continue from where you left off."). */
  readonly synthetic?: boolean;
};
/** An agent stopped working on its prompt. Made from Stop, SubagentStop, a stream's `result` line or an end-of-turn line. */
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
export type AgentLinked = Base & {
  readonly type: "agent.linked";
  readonly agentId: AgentId;
  readonly toolUseId: string;
};

export type AgentSaid = Base & {
  readonly type: "agent.said";
  readonly text: string;
  readonly messageId?: string;
  /** The client's id of the transcript line that contains the words, if a transcript reported them. */
  readonly line?: string;
  /** True if the words continue earlier words of the same message, and were only displayed. */
  readonly continues?: true;
};
export type ToolAnnounced = Base & {
  readonly type: "tool.announced";
  readonly call: CallRef;
  readonly messageId?: string;
  readonly blockIndex?: number;
  readonly intent?: Intent;
};
export type ToolStarted = Base & {
  readonly type: "tool.started";
  readonly call: CallRef;
  /** True if the client begins a call only after the calls before it have ended, except calls that it runs in parallel. */
  readonly oneByOne?: true;
  readonly intent?: Intent;
};
/** The result of a call. A `bare` result reports only the kind of the call's end. */
type Ended = Base & { readonly call: CallRef; readonly durationMs?: number; readonly bare?: true };
export type ToolFinished = Ended & { readonly type: "tool.finished"; readonly output?: string };
export type ToolFailed = Ended & Worded & { readonly type: "tool.failed"; readonly error: string };
/** A denial, as a call's result or a hook's answer shows it. */
export type ToolDenied = Base &
  ReadFromWords & {
    readonly type: "tool.denied";
    readonly call: CallRef;
    /**
     * Who denied the call. `user`: a person denied this very call. `hook`, `rule`: a foreign hook or the client's own rules
     * denied it. `listed`: the client's list of denials names the call, but not who denied it. `rejected`: the call has the
     * client's general text "user rejected", which it also gives to calls that nobody was asked about.
     */
    readonly verdict: "user" | "hook" | "rule" | "listed" | "rejected";
    readonly message?: string;
    /** True if the client reports that the call never began; absent if the source cannot know. */
    readonly beforeRun?: boolean;
    /** True if the client asks a person at its own terminal. The engine does not see that person's answer. */
    readonly terminal?: true;
    /** True if the client is so old that it never reports whether a call began. */
    readonly unmarked?: true;
  };
export type ToolLost = Base & { readonly type: "tool.lost"; readonly call: CallRef; readonly cause: Missing };
/** A hook deferred the call: the client exits, and may continue with the call later. */
export type ToolDeferred = Base & { readonly type: "tool.deferred"; readonly call: CallRef };
/** The client's report on who allowed or denied the call. */
export type ToolPermission = Base &
  Permission & {
    readonly type: "tool.permission";
    readonly call: CallRef;
    /** True if the report is sent at the moment of the decision. It then answers every pending approval of the call. */
    readonly settles?: true;
  };
export type ListedCall = CallRef & {
  /** The client's own error text, as the model read it. */
  readonly error?: string;
  /**
   * The kind of the text that the model read, if `error` is absent. `refusal`: the client's own text for a refusal. `output`: a
   * text that only a running tool writes. `text`: any other text, of a tool or a person. Absent if the kind is not known.
   */
  readonly told?: "refusal" | "output" | "text";
};
/** The client's list of all calls of one message, in call order, sent after it has handled the calls (PostToolBatch). */
export type ToolBatch = Base & { readonly type: "tool.batch"; readonly calls: readonly ListedCall[] };

export type ApprovalRequested = Base & {
  readonly type: "approval.requested";
  readonly approvalId?: ApprovalId;
  readonly call: CallRef;
  /** The channel by which the approval was requested: `hook`, `sdk`, `mcp`, `gateway`. */
  readonly channel: string;
  /** The approval's deadline: when its requester stops waiting, by journal time, ms. */
  readonly deadlineAt?: number;
  readonly onDeadline?: "deny" | "ask";
  readonly sender?: string;
};
/** The source reports that somebody answered the approval at the source. The engine allows nothing because of this report. */
export type ApprovalAnswered = Base & {
  readonly type: "approval.answered";
  readonly approvalId?: ApprovalId;
  readonly call: CallRef;
  readonly decision: "approve" | "deny";
  /** Who answered: `hook`, `sdk`, `terminal`, … */
  readonly by: string;
  readonly message?: string;
  readonly interrupt?: boolean;
};
export type ApprovalWithdrawn = Base & {
  readonly type: "approval.withdrawn";
  readonly approvalId?: ApprovalId;
  readonly call: CallRef;
};
/** The requester stopped waiting at the approval's deadline, and then did what it does without an answer. */
export type ApprovalLapsed = Base & {
  readonly type: "approval.lapsed";
  readonly approvalId: ApprovalId;
  readonly said?: "ask" | "deny";
};
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

/** A hook or line whose meaning the engine does not know. The engine only stores and counts it. */
export type Unknown = Base & { readonly type: "unknown"; readonly name: string };

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
