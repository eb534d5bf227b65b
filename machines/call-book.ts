// Call book
// A session's record of one of its calls.
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
  /** The hash of the input that its start showed, or that its service announced. */
  readonly startedOn?: string;
  readonly asked: boolean;
  /** True if it was matched by its input with an approval that was over; the next such approval may still come (BINDING-2). */
  readonly askedOver?: true;
  /** The channels that announced it. A call that one of them announces later comes after it. */
  readonly announcedBy?: readonly string[];
  readonly allowed: boolean;
  /** The answer given elsewhere, if it settles every approval of the call (APPROVAL-2). */
  readonly settled?: Permission;
  readonly approvalId?: ApprovalId;
  readonly deferred: boolean;
  readonly deferredOn?: readonly string[];
  /** True if it was seen to start again after it was closed, which shows a deferral if any source reports one. */
  readonly again?: true;
  /** True if the client's list of its message named it (C3) before its result was seen. */
  readonly listed?: true;
  /** What the list shows of it, if anything. */
  readonly told?: "refusal" | "output" | "text";
  /** Whether it began before it was rejected, if the client reports that. */
  readonly begun?: boolean;
  /** True if the client's general rejection, or its list of denials, named it. */
  readonly rejected?: true;
  readonly inDenials?: true;
  /** True if it counts as denied because of what the lists contain and leave out. */
  readonly inferred?: true;
  /** True if its denial was reported, not inferred. A result is then more likely another call's. */
  readonly denied?: true;
  /** Present if it ran: the hash of the input in its result; empty if the result shows no input. */
  readonly ran?: string;
  /** True if the client reports that it did not run. */
  readonly notRun?: true;
  /** The calls about which its client was to ask one of the engine's gates. */
  readonly gated?: "all" | "permission";
  /** Present if its start was reported after its end on this channel, without a result so far: an approval may be about it. */
  readonly late?: {
    readonly channel: string;
    readonly requestId: RequestId;
    /** True if the start names no call. The call may be another, because a gate asks only about calls that have not ended. */
    readonly isGuess?: true;
  };
  /** Channels that reported its result before its start, or after its end. */
  readonly resultOn?: readonly string[];
  /** True if it is older than the session's process, so it is found only by its id (PAST-2). */
  readonly past?: true;
  /** The hash of the result that closed it, which identifies a repeated result. */
  readonly result: string;
  /** True if a result that did not name it was matched with it. */
  readonly unnamedResult?: true;
  /** True if only the kind of its end is known; its result may still be reported. */
  readonly bare?: true;
  /** The source of its intent, once it has one. */
  readonly intent?: Intent["source"];
  /** True if a transcript reported the intent with its line. */
  readonly intentHasLine?: true;
}
