// Books
// The records of one session, by name and shape: what is open, what belongs where.
//
//   Owns:          every key and shape of a session's records; reading and writing them with their types.
//   Does not own:  when they change (correlation, matching, batches, router).
//
// No book grows with history: each is a few fields, or a deque's inline part.

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
  /** Each channel's latest prompt: a transcript lags behind the hooks. */
  readonly promptBy: Readonly<Record<string, string>>;
  readonly gatewayRequests: Deque<RequestId>;
  readonly openRequestIds: Deque<RequestId>;
  readonly agents: Deque<AgentId>;
  readonly orphans: Deque;
  readonly orphanCount: number;
  readonly dropped: number;
  readonly early: Deque<ApprovalId>;
  /** Words of who allowed a call that nobody has told of yet. */
  readonly permits?: Deque;
  /** Approvals that wait for their call. */
  readonly unbound: number;
  readonly titled: boolean;
  /** When its last input other than a deadline came. */
  readonly heardAt?: number;
  /** A start of the client was seen; a second one means that the first process is gone. */
  readonly started: boolean;
  /** When its newest process began that had a history, and since when it is a fork, by the source's clock (PAST-1). */
  readonly beganAt?: number;
  readonly forkedAt?: number;
  /** The request that the history told so far ends with. */
  readonly past?: RequestId;
  /** The main agent's book: it exists as long as the session, and changes together with these counts. */
  readonly main: AgentBook;
}

export interface AgentBook {
  readonly id: AgentId;
  readonly type?: string;
  readonly state: "running" | "stopped";
  /** The call that started it, as the first message that knew it said (I-47). */
  readonly parentToolUseId?: string;
  /** The other id of an agent that was first known by its call alone. */
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
  /** Why its calls were given up when it closed; calls seen later share the reason. */
  readonly lost?: { readonly cause: Missing; readonly evidence: string };
  /** The denial that later calls of the batch follow, and its place in the batch. */
  readonly denial?: {
    readonly callId: CallId;
    readonly index: number;
    readonly denial: Denial;
    /** Absent in a book of an older version: `strict`. */
    readonly policy?: CascadePolicy;
  };
  /** The call that brought others down: denied with an interrupt, else the first closed by the general rejection (C4). */
  readonly rejected?: CallId;
  /** Of an older version: see the request's. */
  readonly doubted?: Deque;
}

/** What an agent said last, as one channel told it. */
export interface WordsBook {
  readonly text: string;
  readonly messageId?: string;
  /** Its line of the transcript. */
  readonly line?: string;
  /** The request it was said in, where that is known. */
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
  /** True if it was before the session's process (PAST-3). */
  readonly past?: true;
  /** Work on it has begun, now or earlier. */
  readonly begun?: true;
  readonly promptId?: string;
  /** How what a person asked for begins; a continuation has none, for others may have set it going. */
  readonly asked?: string;
  /** How many continuations it has had (R1); on each continuation, also the first request. */
  readonly continued: number;
  readonly root?: RequestId;
  /** How many calls that the client's lists name have shown no start. */
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
  /** Another open call matched it equally well. */
  readonly ambiguous?: true;
  /** True if it was withdrawn; it may still learn how it was answered (APPROVAL-2). */
  readonly withdrawn?: true;
  /** What a denial leads to, as shown to the decider. */
  readonly onDeny: CascadePolicy;
  /** What its asker does without an answer; absent where nobody waits for one from here. */
  readonly closes?: "ask" | "deny";
  /** Rules want more than one person's answer. */
  readonly isDemanded?: true;
  /** Set if it was denied before its call was seen: the call is denied when it comes. */
  readonly denied?: { readonly denial: Denial };
  /** Set if it was closed in another way before its call was seen. */
  readonly answered?: {
    readonly state: "approved" | "expired" | "withdrawn";
    readonly by: string;
    /** The hash of the input that was approved. */
    readonly inputHash?: string;
    /** True if it is counted among those that wait. */
    readonly counted?: true;
  };
  /** What its call is told once it is there: its asker had answered by itself; its source said that it was allowed. */
  readonly alone?: Alone;
  readonly allowedBy?: string;
}

export interface AskBook extends AskedAbout {
  /** A service chose the id, and may choose it again. */
  readonly isService?: true;
}

export interface OrphanBook {
  readonly at: number;
  readonly key: string;
  /** The request it belonged to when it came, if that was known. */
  readonly requestId?: RequestId;
  readonly input: SourceInput;
  /** How many waited under its key when it came, itself among them: more than one call could be meant (I-18). */
  readonly alike?: number;
}

interface Book<T, K extends string = string> {
  get(records: Pick<Records, "get">, id: K): T | undefined;
  set(records: Records, id: K, value: T): void;
  delete(records: Records, id: K): void;
}

// Only here records get their types: each name is written here, always with its own shape.
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
/** The call of a tool_use_id. */
export const uses = book<CallId>("use");
export const queues = book<QueueBook>("queue");
export const nameless = book<NamelessBook>("nameless");
/** How often an input without an id was seen. */
export const occurrences = book<number>("seen");
export const requests = book<RequestBook, RequestId>("request");
/** The request that a prompt went to. */
export const prompts = book<RequestId>("prompt");
export const approvals = book<ApprovalBook, ApprovalId>(APPROVALS);
/** The approval that another channel's id means. */
export const aliases = book<ApprovalId, ApprovalId>("alias");
/** What an id that its asker chose was used for. */
export const asks = book<AskBook, ApprovalId>("ask");
/** Approvals that wait for a call, by what they say about it. */
export const waits = book<Deque<ApprovalId>>("waits");
/** Decisions that came before their approval. */
export const earlyDecisions = book<Decision, ApprovalId>("early");
export const orphans = book<OrphanBook>("orphan");
/** Results that wait for a call, by what they say about it. */
export const orphansOf = book<Deque>("orphans-of");
/** Who allowed or refused a call that nobody has told of yet, by its id. */
export const permits = book<ToolPermission>("permit");
/** Ids of removed calls and requests, and when they were removed: a message that repeats one is late. */
export const gone = book<number>(GONE);
/** The last words of each agent, by channel. */
export const sayings = book<WordsBook>("said");
/** The subagent that a call started: the first one known by an id. */
export const links = book<AgentId>("link");
/** The agent of an id that was first known by its call alone. */
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

/** A request and its continuations are one work (R1): returns the first request, which may have been removed. */
export function workOf(records: Pick<Records, "get">, id: RequestId): RequestId {
  return requests.get(records, id)?.root ?? id;
}
