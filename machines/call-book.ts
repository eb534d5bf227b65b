// Call book
// What a session has noted about one of its calls.
//
//   Owns:          the shape of the record.
//   Does not own:  the key of the record (books), when the record changes (routing).

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
  /** The hash of the input that the call's start showed, or that its service announced. */
  readonly startedOn?: string;
  readonly asked: boolean;
  /** True if the call was matched by input with an approval that had ended. The next such approval may still come (BINDING-2). */
  readonly askedOver?: true;
  /** The channels that announced the call. A call that one of these channels announces later is a later call. */
  readonly announcedBy?: readonly string[];
  readonly allowed: boolean;
  /** The client's report on who allowed or denied the call, if it answers every approval of the call (APPROVAL-2). */
  readonly settled?: Permission;
  readonly approvalId?: ApprovalId;
  readonly deferred: boolean;
  readonly deferredOn?: readonly string[];
  /** True if the call started again after its end. A report that the call was deferred explains this, and removes the mark. */
  readonly again?: true;
  /** True if the client's list of its message's calls (`tool.batch`) named the call before a result was seen (C3). */
  readonly listed?: true;
  /** The kind of text that the client's list shows for the call, if any. */
  readonly told?: "refusal" | "output" | "text";
  /** Whether the call began before it was rejected, if the client reports that. */
  readonly begun?: boolean;
  /** True if the client's general rejection named the call; `inDenials`: the client's list of denials did. */
  readonly rejected?: true;
  readonly inDenials?: true;
  /** True if the call counts as denied only because of what the client's lists contain and leave out. */
  readonly inferred?: true;
  /** True if the call's denial was reported, not inferred. A result is then more likely about another call. */
  readonly denied?: true;
  /** Present if the call ran: the hash of the input in its result; empty if the result shows no input. */
  readonly ran?: string;
  /** True if the client reports that the call did not run. */
  readonly notRun?: true;
  /** The calls about which the client was to ask one of the engine's gates. */
  readonly gated?: "all" | "permission";
  /** Present if this channel reported the call's start after its end, without a result yet: an approval may be about the call. */
  readonly late?: {
    readonly channel: string;
    readonly requestId: RequestId;
    /** True if the start names no call. It may be the start of another call: a gate asks only about calls that have not ended. */
    readonly isGuess?: true;
  };
  /** Channels that reported the call's result before its start, or after its end. */
  readonly resultOn?: readonly string[];
  /** True if the call is older than the session's process. It is then found only by its id (PAST-2). */
  readonly past?: true;
  /** The hash of the result that closed the call. It identifies a repeated result. */
  readonly result: string;
  /** True if a result that did not name the call was matched with it. */
  readonly unnamedResult?: true;
  /** True if only the kind of the call's end is known. Its full result may still be reported. */
  readonly bare?: true;
  /** The source of the call's intent, once an intent is known. */
  readonly intent?: Intent["source"];
  /** True if a transcript reported the intent together with its line. */
  readonly intentHasLine?: true;
}
