// Call book
// The type of a call's book: what a session has recorded about one of its calls.
//
//   Owns:          the fields of a call's book.
//   Does not own:  the key of a call's book (books), when the book changes (routing).

import type { Permission } from "./evidence/permission.ts";
import type { AgentId, ApprovalId, BatchId, RequestId } from "./ids.ts";
import type { Intent } from "./inputs.ts";

export interface CallBook {
  readonly agentId: AgentId;
  readonly tool: string;
  readonly hash?: string;
  readonly requestId: RequestId;
  readonly batchId: BatchId;
  readonly index: number;
  readonly stage: "announced" | "started" | "closed";
  readonly toolUseId?: string;
  readonly hadPre: boolean;
  /** The hash of the input with which the call was started. */
  readonly startedOn?: string;
  readonly asked: boolean;
  /** BINDING-2. True if the call's approval had ended before the call and the approval were matched by input. */
  readonly askedOver?: true;
  /** The channels that announced the call. If one of these channels announces a call again, that is another call. */
  readonly announcedBy?: readonly string[];
  readonly allowed: boolean;
  /** The client's report that answers every approval of the call (PERMITS-2). */
  readonly settled?: Permission;
  readonly approvalId?: ApprovalId;
  readonly deferred: boolean;
  readonly deferredOn?: readonly string[];
  /** True if the call started again after its end. A reported deferral explains the second start, and removes this field. */
  readonly again?: true;
  /** True if the client's list (`tool.batch`) named the call before a result was seen (C3). */
  readonly listed?: true;
  /** The kind of text that the client's list (`tool.batch`) shows for the call, as in `ListedCall`. */
  readonly told?: "refusal" | "output" | "text";
  /** Whether the call began before it was rejected, if the client reports that. */
  readonly begun?: boolean;
  /** True if the call's result is the client's general text "user rejected". Perhaps nobody rejected this very call. */
  readonly rejected?: true;
  readonly inDenials?: true;
  /** True if the call counts as denied only because the client's list names the call without a result (C4). */
  readonly inferred?: true;
  /** True if the denial was reported, not inferred. */
  readonly denied?: true;
  /** If the call ran: the hash of the input that its result shows, or an empty text if the result shows none. */
  readonly ran?: string;
  readonly notRun?: true;
  /** About which calls the client had to ask one of the engine's gates: all, or only those about which it would ask a person. */
  readonly gated?: "all" | "permission";
  /** Present if a channel has reported the call's start after its end, but no result: its next approval may be about the call. */
  readonly late?: {
    readonly channel: string;
    readonly requestId: RequestId;
    /** True if the start names no call, so that another call may have started. */
    readonly isGuess?: true;
  };
  /**
   * Channels that reported the call's result before its start, or after its end. Later approvals of these channels are not
   * about this call (I-24).
   */
  readonly resultOn?: readonly string[];
  /** True if the call is older than the session's process (PAST-2). */
  readonly past?: true;
  /** The beginning of the result that closed the call, by which a repeat is recognised. */
  readonly result: string;
  /** True if a result that did not name the call was matched with it. */
  readonly unnamedResult?: true;
  /** True if it is known only whether the call succeeded or failed: the result with its text may still come. */
  readonly bare?: true;
  readonly intent?: Intent["source"];
  readonly intentHasLine?: true;
}
