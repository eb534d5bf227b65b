// Books
// The records of one session, by name and shape: what is open, what belongs where.
//
//   Owns:          every key and shape of a session's records; typed reading and writing.
//   Does not own:  when records change (correlation, matching, batches, router).
//
// No book grows with history: each has a few fields, or a deque's inline part.

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
  /** Requests not yet removed. */
  readonly keptRequests: number;
  readonly openRequests: number;
  readonly calls: number;
  readonly openCalls: number;
  readonly pendingApprovals: number;
  readonly batches: number;
  /** The main agent's newest request, open or closed. */
  readonly requestId?: RequestId;
  /** Each channel's latest prompt, because a transcript lags behind the hooks. */
  readonly promptBy: Readonly<Record<string, string>>;
  readonly gatewayRequests: Deque<RequestId>;
  readonly openRequestIds: Deque<RequestId>;
  readonly agents: Deque<AgentId>;
  readonly orphans: Deque;
  readonly orphanCount: number;
  readonly dropped: number;
  readonly early: Deque<ApprovalId>;
  /** Permissions of calls that nobody has reported yet. */
  readonly permits?: Deque;
  readonly unbound: number;
  readonly titled: boolean;
  /** When its last input other than a deadline came. */
  readonly heardAt?: number;
  /** True if a start of the client was seen. A second start means that the first process is gone. */
  readonly started: boolean;
  /** When its newest process with a history began, and since when the session is a fork, by the source's clock (PAST-1). */
  readonly beganAt?: number;
  readonly forkedAt?: number;
  /** The last request of the history read so far. */
  readonly past?: RequestId;
  /** The main agent's book, which exists as long as the session and changes together with these counts. */
  readonly main: AgentBook;
}

export interface AgentBook {
  readonly id: AgentId;
  readonly type?: string;
  readonly state: "running" | "stopped";
  /** The call that started it, as the first message that named one reported (I-47). */
  readonly parentToolUseId?: string;
  /** The other id of an agent that was first known only by its call. */
  readonly knownAs?: AgentId;
  /** A subagent keeps the request it was started under. */
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
  /** Why its calls were given up when it closed; calls that are seen later get the same reason. */
  readonly lost?: { readonly cause: Missing; readonly evidence: string };
  /** The denial that later calls of the batch follow, and its place in the batch. */
  readonly denial?: {
    readonly callId: CallId;
    readonly index: number;
    readonly denial: Denial;
    /** Absent in a book of an older version: `strict`. */
    readonly policy?: CascadePolicy;
  };
  /** The call whose denial denied others: with an interrupt, or the first that the general rejection closed (C4). */
  readonly rejected?: CallId;
  /** In a book of an older version: see the request's. */
  readonly doubted?: Deque;
}

/** An agent's last words, as one channel reported them. */
export interface WordsBook {
  readonly text: string;
  readonly messageId?: string;
  readonly line?: string;
  /** The request of these words, if known. */
  readonly requestId?: RequestId;
}

export interface RequestBook {
  readonly origin: "prompt" | "gateway" | "implied";
  readonly open: boolean;
  readonly pending: number;
  readonly deferred: number;
  readonly lastInputAt: number;
  /** When its prompt was given, by the source's clock. */
  readonly askedAt?: number;
  /** True if it is older than the session's process (PAST-3). */
  readonly past?: true;
  /** True once work on it has begun. */
  readonly begun?: true;
  readonly promptId?: string;
  /** The beginning of the prompt; a continuation has none, because others may have caused it. */
  readonly asked?: string;
  /** How many continuations it has had (R1); on each continuation, also the first request. */
  readonly continued: number;
  readonly root?: RequestId;
  /** How many calls in the client's lists have no start. */
  readonly unstarted?: number;
  /** The listed calls without a result: each is denied if every listed call was seen to start (C4). */
  readonly doubted?: Deque;
}

export interface ApprovalBook {
  readonly agentId: AgentId;
  readonly requestId: RequestId;
  readonly callId?: CallId;
  /** The id that the asker gave the call. */
  readonly toolUseId?: string;
  readonly tool: string;
  readonly hash?: string;
  readonly pending: boolean;
  readonly channels: readonly string[];
  /** True if another open call matched it equally well. */
  readonly ambiguous?: true;
  /** True if it was withdrawn; it may still get its answer (APPROVAL-2). */
  readonly withdrawn?: true;
  /** The effect of a denial, as shown to the decider. */
  readonly onDeny: CascadePolicy;
  /** What its asker does without an answer; absent if nobody waits for an answer from this engine. */
  readonly closes?: "ask" | "deny";
  /** True if rules demand more than one person's answer. */
  readonly isDemanded?: true;
  /** Present if it was denied before its call was seen; the call is then denied when it comes. */
  readonly denied?: { readonly denial: Denial };
  /** Present if it was closed in another way before its call was seen. */
  readonly answered?: {
    readonly state: "approved" | "expired" | "withdrawn";
    readonly by: string;
    readonly inputHash?: string;
    /** True if it is counted among the approvals that wait. */
    readonly counted?: true;
  };
  /** Reports to pass to its call once the call comes: its asker answered by itself; its source reported that it was allowed. */
  readonly alone?: Alone;
  readonly allowedBy?: string;
}

export interface AskBook extends AskedAbout {
  /** True if a service chose the id, and so may choose it again. */
  readonly isService?: true;
}

export interface OrphanBook {
  readonly at: number;
  readonly key: string;
  /** The request it belonged to when it came, if known. */
  readonly requestId?: RequestId;
  readonly input: SourceInput;
  /** How many results waited under its key when it came, itself included; each may be about another call (I-18). */
  readonly alike?: number;
}

interface Book<T, K extends string = string> {
  get(records: Pick<Records, "get">, id: K): T | undefined;
  set(records: Records, id: K, value: T): void;
  delete(records: Records, id: K): void;
}

// Only here records get their types: each name is written here only, always with its own shape.
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
/** The batch of a client's message, by agent and message id. */
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
/** What an id that its asker chose was used for. */
export const asks = book<AskBook, ApprovalId>("ask");
/** Approvals that wait for a call, by the facts they give about it. */
export const waits = book<Deque<ApprovalId>>("waits");
/** Decisions that came before their approval. */
export const earlyDecisions = book<Decision, ApprovalId>("early");
export const orphans = book<OrphanBook>("orphan");
/** Results that wait for a call, by the facts they give about it. */
export const orphansOf = book<Deque>("orphans-of");
/** Permissions of calls that nobody has reported yet, by the call's id. */
export const permits = book<ToolPermission>("permit");
/** Ids of removed calls and requests with the time of their removal; a message that repeats one is late. */
export const gone = book<number>(GONE);
export const sayings = book<WordsBook>("said");
/** The subagent that a call started: the first that was known by an id. */
export const links = book<AgentId>("link");
/** The agent of an id that was first known only by its call. */
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

export function agentOf(records: Records, id: AgentId): AgentBook {
  return agents.get(records, id) ?? freshAgent(id);
}

/** The work of a request, which is the request with its continuations (R1): returns the first request, even if removed. */
export function workOf(records: Pick<Records, "get">, id: RequestId): RequestId {
  return requests.get(records, id)?.root ?? id;
}
