// Books
// The names and types of the records of one session: the session's open work, and which calls, approvals and requests belong
// together.
//
//   Owns:          every key and shape of a session's records; typed reading and writing.
//   Does not own:  when a record changes (correlation, matching, agents, router).
//
// No book grows with the session's history. A book has a few fields; of a deque (a list of ids of any length) it contains only
// the oldest ids, and the deque's other ids are in records of their own.

import type { AskedAbout } from "./matching/asked-about.ts";
import { type Deque, EMPTY } from "./queues/deque.ts";
import type { NamelessBook, QueueBook } from "./queues/queue-keys.ts";
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
export type { NamelessBook, QueueBook } from "./queues/queue-keys.ts";

export interface Head {
  readonly requests: number;
  /** How many requests of the session are still stored: retention has not removed them. */
  readonly keptRequests: number;
  readonly openRequests: number;
  readonly calls: number;
  readonly openCalls: number;
  readonly pendingApprovals: number;
  readonly batches: number;
  /** The main agent's newest request, open or closed. */
  readonly requestId?: RequestId;
  /** The latest prompt that each channel reported. A transcript reports a prompt later than the hooks do. */
  readonly promptBy: Readonly<Record<string, string>>;
  readonly gatewayRequests: Deque<RequestId>;
  readonly openRequestIds: Deque<RequestId>;
  readonly agents: Deque<AgentId>;
  readonly orphans: Deque;
  readonly orphanCount: number;
  readonly dropped: number;
  readonly early: Deque<ApprovalId>;
  /** The calls that are known only from reports on who allowed or denied them. */
  readonly permits?: Deque;
  /** How many approvals wait for their call, which was not seen yet. */
  readonly unbound: number;
  readonly titled: boolean;
  /** The time of the last input from outside. Deadlines and assignments do not count as such input. */
  readonly heardAt?: number;
  /** True if the client's start was seen. A second start shows that the first process is gone. */
  readonly started: boolean;
  /** When the newest client process that continues an earlier history began, by the source's clock (past-marks). */
  readonly beganAt?: number;
  /** When the session last became a fork, by the source's clock, or else by the journal's clock (past-marks). */
  readonly forkedAt?: number;
  /** The request to which transcript lines that are older than the session's process belong at present (PAST-3). */
  readonly past?: RequestId;
  /** The main agent's book, stored in this record because the book changes together with the record's counts. */
  readonly main: AgentBook;
}

export interface AgentBook {
  readonly id: AgentId;
  readonly type?: string;
  readonly state: "running" | "stopped";
  /** The call that started this agent, as reported by the first message that named a call as this agent's start (I-47). */
  readonly parentToolUseId?: string;
  /** The agent's second id, if its first id was made from the id of the call that started the agent (I-47). */
  readonly knownAs?: AgentId;
  /** A subagent's request. All calls of the subagent belong to this request. */
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
  /** Why the engine gave up the batch's open calls when the batch closed. A call that is seen later gets the same reason. */
  readonly lost?: { readonly cause: Missing; readonly evidence: string };
  /** The denial that also denies later calls of the batch. */
  readonly denial?: {
    readonly callId: CallId;
    readonly index: number;
    readonly denial: Denial;
    /** The cascade policy; absent in a book that an older version wrote: the policy is then `strict`. */
    readonly policy?: CascadePolicy;
  };
  /** C4: the batch's call whose denial denied others. It was denied with an interrupt, or was the first "user rejected" call. */
  readonly rejected?: CallId;
  /** The doubted calls in a book that an older version wrote; this version stores doubted calls in `RequestBook.doubted`. */
  readonly doubted?: Deque;
}

export interface WordsBook {
  readonly text: string;
  readonly messageId?: string;
  readonly line?: string;
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
  readonly begun?: true;
  readonly promptId?: string;
  /** The beginning of the prompt. Absent for a continuation (R1), which another prompt may have caused. */
  readonly asked?: string;
  /** How many continuations there were (R1). */
  readonly continued: number;
  /** Only for a continuation: the first request of the same work, which is no continuation. */
  readonly root?: RequestId;
  /** How many calls in the client's lists (`tool.batch`) have no reported start. */
  readonly unstarted?: number;
  /** The listed calls without a result, which may be denied (C4). */
  readonly doubted?: Deque;
}

export interface ApprovalBook {
  readonly agentId: AgentId;
  readonly requestId: RequestId;
  readonly callId?: CallId;
  /** The call's id, as the requester of the approval gave it. */
  readonly toolUseId?: string;
  readonly tool: string;
  readonly hash?: string;
  readonly pending: boolean;
  readonly channels: readonly string[];
  /** True if the approval may be about another call: a second open call matched it equally well. */
  readonly ambiguous?: true;
  readonly withdrawn?: true;
  /** What a denial does to other calls, as shown to the approver. */
  readonly onDeny: CascadePolicy;
  /** What the requester does if no answer comes: asks its own user, or denies. Absent if it does not wait for this engine. */
  readonly closes?: "ask" | "deny";
  readonly isDemanded?: true;
  /** Present if the approval was denied before its call was seen. */
  readonly denied?: { readonly denial: Denial };
  /** Present if the approval ended in another way before its call was seen. */
  readonly answered?: {
    readonly state: "approved" | "expired" | "withdrawn";
    readonly by: string;
    readonly inputHash?: string;
    /** True if the session's count `Head.unbound` still includes this approval. */
    readonly counted?: true;
  };
  /** Stored until the approval's call is seen: what the requester decided by itself, because it got no answer in time. */
  readonly alone?: Alone;
  /** Stored until the approval's call is seen: who allowed the call at its source. */
  readonly allowedBy?: string;
}

export interface AskBook extends AskedAbout {
  /** True if a service chose the approval's id. A service may choose the same id again. */
  readonly isService?: true;
}

export interface OrphanBook {
  readonly at: number;
  readonly key: string;
  /** The current request when the orphan arrived. */
  readonly requestId?: RequestId;
  readonly input: SourceInput;
  /** How many orphans, this one included, waited under this orphan's key when this orphan came (I-18). */
  readonly alike?: number;
}

interface Book<T, K extends string = string> {
  get(records: Pick<Records, "get">, id: K): T | undefined;
  set(records: Records, id: K, value: T): void;
  delete(records: Records, id: K): void;
}

// The cast is safe: only this file names the books, and it uses each name for one type only.
function book<T, K extends string = string>(name: string): Book<T, K> {
  return {
    get: (records, id) => records.get(name, id) as T | undefined,
    set: (records, id, value) => records.set(name, id, value),
    delete: (records, id) => records.delete(name, id),
  };
}

/** Changes some fields of a record, if the record exists. */
export function change<T, K extends string>(
  of: Book<T, K>,
  records: Records,
  id: K,
  fields: Partial<T>,
): void {
  const known = of.get(records, id);
  if (known) of.set(records, id, { ...known, ...fields });
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
/** For each message that a client's model wrote, by agent and message id: the batch with the calls that the message makes. */
export const messages = book<BatchId>("message");
export const calls = book<CallBook, CallId>(CALLS);
export const uses = book<CallId>("use");
export const queues = book<QueueBook>("queue");
export const nameless = book<NamelessBook>("nameless");
/** How many calls, or approvals, without an id and with the same content were seen. Their ids are made from this number. */
export const occurrences = book<number>("seen");
export const requests = book<RequestBook, RequestId>("request");
export const prompts = book<RequestId>("prompt");
export const approvals = book<ApprovalBook, ApprovalId>(APPROVALS);
export const aliases = book<ApprovalId, ApprovalId>("alias");
/** For each approval id that a requester chose: the call for which the id was first used. */
export const asks = book<AskBook, ApprovalId>("ask");
/** Approvals whose call was not seen yet, by what each approval shows of its call. */
export const waits = book<Deque<ApprovalId>>("waits");
/** Decisions that arrived before their approvals were requested. */
export const earlyDecisions = book<Decision, ApprovalId>("early");
export const orphans = book<OrphanBook>("orphan");
/** Orphans, by what each one shows of its call. */
export const orphansOf = book<Deque>("orphans-of");
/** Reports on who allowed or denied a call that no other message has named yet. */
export const permits = book<ToolPermission>("permit");
/** When a call, request or approval was removed, by its id. A message that names such an id is late. */
export const gone = book<number>(GONE);
export const sayings = book<WordsBook>("said");
/** For each call, the first subagent with an id that was reported as started by the call. */
export const links = book<AgentId>("link");
/** The agent that an id means, if the agent was first known only by the call that started it (I-47). */
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

/**
 * The first request of the work that a request belongs to: of a continuation (R1), the request that was continued first; of any
 * other request, that request itself. The first request may be removed already.
 */
export function workOf(records: Pick<Records, "get">, id: RequestId): RequestId {
  return requests.get(records, id)?.root ?? id;
}
