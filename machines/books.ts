// Books
// Names and types the records of one session: its open work, and which call, approval or request belongs to which.
//
//   Owns:          every key and shape of a session's records; typed reading and writing.
//   Does not own:  deciding when a book's record changes (correlation, matching, batches, router).
//
// No book grows with the session's history: each has a few fields, or the inline part of a deque.

import type { AskedAbout } from "./matching/asked-about.ts";
import { type Deque, EMPTY } from "./queues/deque.ts";
import type { NamelessBook, QueueBook } from "./queues/queue-books.ts";
import {
  type AgentId,
  type ApprovalId,
  type BatchId,
  type CallId,
  MAIN_AGENT,
  type RequestId,
} from "./ids.ts";
import type { Decision, Missing, SourceInput, ToolPermission } from "./inputs.ts";
import type { Alone } from "./evidence/receipt.ts";
import type { Denial, CascadePolicy } from "./facts/call-facts.ts";
import type { CallBook } from "./call-book.ts";
import type { Records } from "./records.ts";

export type { CallBook } from "./call-book.ts";
export type { NamelessBook, QueueBook } from "./queues/queue-books.ts";

export interface Head {
  readonly requests: number;
  /** How many requests have not been removed by retention. */
  readonly keptRequests: number;
  readonly openRequests: number;
  readonly calls: number;
  readonly openCalls: number;
  readonly pendingApprovals: number;
  readonly batches: number;
  /** The main agent's newest request, open or closed. */
  readonly requestId?: RequestId;
  /** The latest prompt that each channel reported. Channels differ for a while: a transcript reports later than the hooks. */
  readonly promptBy: Readonly<Record<string, string>>;
  readonly gatewayRequests: Deque<RequestId>;
  readonly openRequestIds: Deque<RequestId>;
  readonly agents: Deque<AgentId>;
  readonly orphans: Deque;
  readonly orphanCount: number;
  readonly dropped: number;
  readonly early: Deque<ApprovalId>;
  /** Client reports on who allowed or denied a call, for calls that no other message has named yet. */
  readonly permits?: Deque;
  readonly unbound: number;
  readonly titled: boolean;
  /** The time of the session's last input, deadlines not counted. */
  readonly heardAt?: number;
  /** True if a start of the client was seen. A second start shows that the client's first process is gone. */
  readonly started: boolean;
  /** When the newest process that has a history began, or when the session became a fork, by the source's clock (PAST-1). */
  readonly beganAt?: number;
  readonly forkedAt?: number;
  /** The last request in the part of the session's history that was read so far. */
  readonly past?: RequestId;
  /** The main agent's book. It exists as long as the session, and changes together with these counts. */
  readonly main: AgentBook;
}

export interface AgentBook {
  readonly id: AgentId;
  readonly type?: string;
  readonly state: "running" | "stopped";
  /** The call that started this agent, by the first message that named one (I-47). */
  readonly parentToolUseId?: string;
  /** The agent's second id, if the first one was derived from the call that started it. */
  readonly knownAs?: AgentId;
  /** For a subagent: the request during which it was started. Its calls stay with that request. */
  readonly requestId?: RequestId;
  readonly batchId?: BatchId;
  readonly open: Deque<CallId>;
  readonly asking: Deque<ApprovalId>;
}

export interface BatchBook {
  readonly agentId: AgentId;
  readonly requestId: RequestId;
  readonly messageId?: string;
  readonly size: number;
  readonly ordered: boolean;
  readonly closed: boolean;
  /** Why the batch's open calls were given up when it closed. A call of the batch that is seen later gets the same reason. */
  readonly lost?: { readonly cause: Missing; readonly evidence: string };
  /** The denial that also denies later calls of the batch, and the denied call's place in the batch. */
  readonly denial?: {
    readonly callId: CallId;
    readonly index: number;
    readonly denial: Denial;
    /** Absent in a book of an older version: `strict`. */
    readonly policy?: CascadePolicy;
  };
  /** The call whose denial denied others: denied with interrupt, or the first that the client's general rejection closed (C4). */
  readonly rejected?: CallId;
  /** Only in a book of an older version: what `RequestBook.doubted` holds now. */
  readonly doubted?: Deque;
}

/** An agent's latest words, as one channel reported them. */
export interface WordsBook {
  readonly text: string;
  readonly messageId?: string;
  readonly line?: string;
  /** The request in which the agent said these words, if known. */
  readonly requestId?: RequestId;
}

export interface RequestBook {
  readonly origin: "prompt" | "gateway" | "implied";
  readonly open: boolean;
  readonly pending: number;
  readonly deferred: number;
  readonly lastInputAt: number;
  /** When the request's prompt was given, by the source's clock. */
  readonly askedAt?: number;
  /** True if the request is older than the session's process (PAST-3). */
  readonly past?: true;
  /** True once work on the request has begun. */
  readonly begun?: true;
  readonly promptId?: string;
  /** The beginning of the prompt's text. Absent for a continuation (R1): another prompt may have caused it. */
  readonly asked?: string;
  /** How many continuations the request has had (R1). A continuation also names the first request, in `root`. */
  readonly continued: number;
  readonly root?: RequestId;
  /** How many calls in the client's lists (`tool.batch`) were never seen to start. */
  readonly unstarted?: number;
  /** The calls in the client's lists without a result. Each is denied if every listed call was seen to start (C4). */
  readonly doubted?: Deque;
}

export interface ApprovalBook {
  readonly agentId: AgentId;
  readonly requestId: RequestId;
  readonly callId?: CallId;
  /** The call's id, as whoever requested the approval named it. */
  readonly toolUseId?: string;
  readonly tool: string;
  readonly hash?: string;
  readonly pending: boolean;
  readonly channels: readonly string[];
  /** True if another open call matched this approval equally well. */
  readonly ambiguous?: true;
  /** True if the approval was withdrawn. It may still record how it was answered (APPROVAL-2). */
  readonly withdrawn?: true;
  /** What a denial does to other calls, as shown to the approver. */
  readonly onDeny: CascadePolicy;
  /** What the requester of the approval does without an answer; absent if it does not wait for this engine's answer. */
  readonly closes?: "ask" | "deny";
  /** True if rules demand more than one person's answer. */
  readonly isDemanded?: true;
  /** Present if the approval was denied before its call was seen: the call is then denied as soon as it is seen. */
  readonly denied?: { readonly denial: Denial };
  /** Present if the approval ended in another way before its call was seen. */
  readonly answered?: {
    readonly state: "approved" | "expired" | "withdrawn";
    readonly by: string;
    readonly inputHash?: string;
    /** True if the head still counts this approval among those that wait for their call. */
    readonly counted?: true;
  };
  /** Reports for the call, once it is seen: the requester decided without an answer; the source reports the call as allowed. */
  readonly alone?: Alone;
  readonly allowedBy?: string;
}

export interface AskBook extends AskedAbout {
  /** True if a service chose the approval's id. The service may then choose the same id again. */
  readonly isService?: true;
}

export interface OrphanBook {
  readonly at: number;
  readonly key: string;
  /** The request to which the result belonged when it arrived, if known. */
  readonly requestId?: RequestId;
  readonly input: SourceInput;
  /** How many results waited under its key once it had arrived, itself included. Each may belong to another call (I-18). */
  readonly alike?: number;
}

interface Book<T, K extends string = string> {
  get(records: Pick<Records, "get">, id: K): T | undefined;
  set(records: Records, id: K, value: T): void;
  delete(records: Records, id: K): void;
}

// Every record gets its type here: only this file writes a book's name, always with the same shape.
function book<T, K extends string = string>(name: string): Book<T, K> {
  return {
    get: (records, id) => records.get(name, id) as T | undefined,
    set: (records, id, value) => records.set(name, id, value),
    delete: (records, id) => records.delete(name, id),
  };
}

export const GONE = "gone";
export const HEAD = "head";
export const CALLS = "call";
export const APPROVALS = "approval";

const subagents = book<AgentBook, AgentId>("agent");
export const agents: Book<AgentBook, AgentId> = {
  get: (records, id) => (id === MAIN_AGENT ? head(records).main : subagents.get(records, id)),
  set: (records, id, main) =>
    id === MAIN_AGENT ? setHead(records, { main }) : subagents.set(records, id, main),
  delete: (records, id) =>
    id === MAIN_AGENT ? setHead(records, { main: freshAgent(id) }) : subagents.delete(records, id),
};
export const batches = book<BatchBook, BatchId>("batch");
/** The batch of each client message, by agent and message id. */
export const messages = book<BatchId>("message");
export const calls = book<CallBook, CallId>(CALLS);
export const uses = book<CallId>("use");
export const queues = book<QueueBook>("queue");
export const nameless = book<NamelessBook>("nameless");
/** How often an input without an id was seen. */
export const occurrences = book<number>("seen");
export const requests = book<RequestBook, RequestId>("request");
export const prompts = book<RequestId>("prompt");
export const approvals = book<ApprovalBook, ApprovalId>(APPROVALS);
export const aliases = book<ApprovalId, ApprovalId>("alias");
/** The call for which an approval id was first used, for ids that the requester chose. */
export const asks = book<AskBook, ApprovalId>("ask");
/** Approvals whose call has not been seen, by the facts that they give about the call. */
export const waits = book<Deque<ApprovalId>>("waits");
/** Decisions that came before their approval was requested. */
export const earlyDecisions = book<Decision, ApprovalId>("early");
export const orphans = book<OrphanBook>("orphan");
/** Orphans, which are results whose call has not been seen, by the facts that they give about the call. */
export const orphansOf = book<Deque>("orphans-of");
/** Reports on who allowed or denied a call, by the id of a call that no other message has named yet. */
export const permits = book<ToolPermission>("permit");
/** Ids of removed calls and requests, with the time of removal. A message that names one of them is late. */
export const gone = book<number>(GONE);
export const sayings = book<WordsBook>("said");
/** The subagent that a call started: the first subagent that was reported with an id. */
export const links = book<AgentId>("link");
/** The agent behind an id, if the agent was first known only by the call that started it. */
export const names = book<AgentId, AgentId>("name");

const freshAgent = (id: AgentId): AgentBook => ({ id, state: "running", open: EMPTY, asking: EMPTY });
const FRESH: Head = {
  requests: 0,
  keptRequests: 0,
  openRequests: 0,
  calls: 0,
  openCalls: 0,
  pendingApprovals: 0,
  batches: 0,
  promptBy: {},
  gatewayRequests: EMPTY,
  openRequestIds: EMPTY,
  agents: EMPTY,
  orphans: EMPTY,
  orphanCount: 0,
  dropped: 0,
  early: EMPTY,
  unbound: 0,
  titled: false,
  started: false,
  main: freshAgent(MAIN_AGENT),
};

export function head(records: Pick<Records, "get">): Head {
  return (records.get(HEAD, "") as Head | undefined) ?? FRESH;
}

export function setHead(records: Records, change: Partial<Head>): void {
  records.set(HEAD, "", { ...head(records), ...change });
}

export function agentOf(records: Pick<Records, "get">, id: AgentId): AgentBook {
  return agents.get(records, id) ?? freshAgent(id);
}

/** The first request of a request's work: the work is that request with its continuations (R1). It may have been removed. */
export function workOf(records: Pick<Records, "get">, id: RequestId): RequestId {
  return requests.get(records, id)?.root ?? id;
}
