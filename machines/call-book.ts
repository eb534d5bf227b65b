// Call book
// What a session remembers of one of its calls.
//
//   Owns:          the shape.
//   Does not own:  its key (books), when it changes (routing).

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
  /** Hash of the input that its start showed, or that its service announced. */
  readonly startedOn?: string;
  readonly asked: boolean;
  /**
   * It was matched by its input with an approval that was over already: the next approval about it may still come (BINDING-2).
   */
  readonly askedOver?: true;
  /** The channels that announced it: what one of them announces after it stands behind it. */
  readonly announcedBy?: readonly string[];
  /** Its approval was approved. */
  readonly allowed: boolean;
  /** How it was answered elsewhere, by a word that settles whatever is asked about it (APPROVAL-2). */
  readonly settled?: Permission;
  readonly approvalId?: ApprovalId;
  readonly deferred: boolean;
  /** The channels that told of its last deferral. */
  readonly deferredOn?: readonly string[];
  /** True if it was seen to start again after it was closed: then it had been deferred, if anything tells of that. */
  readonly again?: true;
  /** The client's list of its message names it (C3), and its result was not seen before. */
  readonly listed?: true;
  /** What the list says of it, if anything. */
  readonly told?: "refusal" | "output" | "text";
  /** Whether it began before it was rejected, as far as the client says so. */
  readonly begun?: boolean;
  /** The client's general rejection named it, its list of denials did. */
  readonly rejected?: true;
  readonly inDenials?: true;
  /** True if it counts as denied because of what the lists say and leave out. */
  readonly inferred?: true;
  /** True if it was denied, not inferred. A result is then more likely another call's. */
  readonly denied?: true;
  /** Set if it ran: the hash of the input that its result shows, empty if the result shows none. */
  readonly ran?: string;
  /** The client says that it did not run. */
  readonly notRun?: true;
  /** Which gate of ours its client was to ask. */
  readonly gated?: "all" | "permission";
  /** Its start was told after its end, on this channel, and its result has not come yet: an approval there may be about it. */
  readonly late?: {
    readonly channel: string;
    /** The request that the start named. */
    readonly requestId: RequestId;
    /** The start names no call, and may be another's: what a gate asks is asked of a call that has not ended. */
    readonly isGuess?: true;
  };
  /** Channels that told its result before its start, or after its end. */
  readonly resultOn?: readonly string[];
  /** True if it was before the session's process: it is found by its id alone (PAST-2). */
  readonly past?: true;
  /** Hash of the result that closed it: tells a repeated Post. */
  readonly result: string;
  /** A result that did not name it was taken for its own. */
  readonly unnamedResult?: true;
  /** Only how it ended is known: what came of it may still be told. */
  readonly bare?: true;
  /** Where its intent comes from, once it has one. */
  readonly intent?: Intent["source"];
  /** A transcript told it, and its line there. */
  readonly intentHasLine?: true;
}
