// Books
// The records of one session, by name and shape: who is open, what belongs where.
//
//   Owns:          every key and shape of a session's records; reading and writing them with their types.
//   Does not own:  when they change (correlation, matching, batches, router).
//
// No book grows with history: each is a few fields, or a deque's inline part.

import { type Deque, EMPTY } from "./deque.ts";
import {
  type AgentId,
  type ApprovalId,
  type BatchId,
  type CallId,
  MAIN_AGENT,
  type RequestId,
} from "./ids.ts";
import type { Decision, Missing, SourceInput } from "./inputs.ts";
import type { Denial, CascadePolicy } from "./call-facts.ts";
import type { Records } from "./records.ts";

export interface Head {
  readonly requests: number;
  /** Requests not yet taken away. */
  readonly keptRequests: number;
  readonly openRequests: number;
  readonly calls: number;
  readonly openCalls: number;
  readonly pendingApprovals: number;
  readonly batches: number;
  /** The main agent's newest request, open or closed. */
  readonly requestId?: RequestId;
  /** The prompt each channel last spoke of: a transcript lags behind the hooks. */
  readonly promptBy: Readonly<Record<string, string>>;
  readonly gatewayRequests: Deque<RequestId>;
  readonly openRequestIds: Deque<RequestId>;
  readonly agents: Deque<AgentId>;
  readonly orphans: Deque;
  readonly orphanCount: number;
  readonly dropped: number;
  readonly early: Deque<ApprovalId>;
  /** Approvals that wait for their call. */
  readonly unbound: number;
  readonly titled: boolean;
  /** When something other than a deadline was last heard of it. */
  readonly heardAt?: number;
  /** A start of the client was seen: the next one means that its process is gone. */
  readonly started: boolean;
  /** The main agent's book: it is there as long as the session, and changes when these counts do. */
  readonly main: AgentBook;
}

export interface AgentBook {
  readonly id: AgentId;
  readonly type?: string;
  readonly state: "running" | "stopped";
  /** The call that started it, as the first message to tell it named that (I-47). */
  readonly parentToolUseId?: string;
  /** Its other name: the id of an agent that was heard of by its call first. */
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
  /** Why its calls were given up when it closed: those seen later share it. */
  readonly lost?: { readonly cause: Missing; readonly evidence: string };
  /** The denial that later calls of the batch follow, and its place. */
  readonly denial?: { readonly callId: CallId; readonly index: number; readonly denial: Denial };
  /** The earliest call closed by the client's general rejection (C4). */
  readonly rejected?: CallId;
}

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
  readonly asked: boolean;
  /** Its approval was answered with yes. */
  readonly allowed: boolean;
  readonly approvalId?: ApprovalId;
  readonly deferred: boolean;
  /** Hash of the result that closed it: tells a repeated Post. */
  readonly result: string;
}

/** The calls of one (agent, tool, input) or one (agent, tool). */
export interface QueueBook {
  readonly announced: Deque<CallId> | undefined;
  readonly started: Deque<CallId> | undefined;
  /** Open, and nobody has asked about it. */
  readonly unclaimed: Deque<CallId> | undefined;
  /** Closed; kept for evidence that comes late. Only under (agent, tool, input). */
  readonly closed: Deque<CallId> | undefined;
  /** Pending approvals; only under (agent, tool, input). */
  readonly pending: Deque<ApprovalId> | undefined;
}

/** The calls of one (agent, tool, input) that were entered without an id, open or closed. */
export interface NamelessBook {
  /** Those that have not been named since. */
  readonly unnamed: Deque<CallId>;
  /** Those that no list of a batch without ids has taken yet. */
  readonly unlisted: Deque<CallId>;
}

export interface RequestBook {
  readonly origin: "prompt" | "gateway" | "implied";
  readonly open: boolean;
  readonly pending: number;
  readonly deferred: number;
  readonly lastInputAt: number;
  /** It is, or was, being worked on. */
  readonly begun?: true;
  readonly promptId?: string;
  /** How many continuations it has had (R1), and the first of them, on each that is one. */
  readonly continued: number;
  readonly root?: RequestId;
}

export interface ApprovalBook {
  readonly agentId: AgentId;
  readonly requestId: RequestId;
  readonly callId?: CallId;
  /** The id the asker gave its call. */
  readonly toolUseId?: string;
  readonly tool: string;
  readonly hash?: string;
  readonly pending: boolean;
  readonly channels: readonly string[];
  /** Another open call fitted it as well as the one it was given to. */
  readonly ambiguous?: true;
  /** What a denial of it leads to, as it was shown to whoever decides. */
  readonly onDeny: CascadePolicy;
  /** It was denied before its call was seen: the call is, when it comes. */
  readonly denied?: { readonly denial: Denial };
}

export interface OrphanBook {
  readonly at: number;
  readonly key: string;
  /** The request it belonged to when it came, where that was known. */
  readonly requestId?: RequestId;
  readonly input: SourceInput;
}

interface Book<T, K extends string = string> {
  get(records: Pick<Records, "get">, id: K): T | undefined;
  set(records: Records, id: K, value: T): void;
  delete(records: Records, id: K): void;
}

// The one place where a record gets its type: each prefix is written with its own shape only, here.
function book<T, K extends string = string>(prefix: string): Book<T, K> {
  return {
    get: (records, id) => records.get(prefix + id) as T | undefined,
    set: (records, id, value) => records.set(prefix + id, value),
    delete: (records, id) => records.delete(prefix + id),
  };
}

export const GONE = "gone/";
export const HEAD = "head";
export const CALLS = "call/";
export const APPROVALS = "approval/";

const subagents = book<AgentBook, AgentId>("agent/");
export const agents: Book<AgentBook, AgentId> = {
  get: (records, id) => (id === MAIN_AGENT ? head(records).main : subagents.get(records, id)),
  set: (records, id, main) =>
    id === MAIN_AGENT ? setHead(records, { main }) : subagents.set(records, id, main),
  delete: (records, id) =>
    id === MAIN_AGENT ? setHead(records, { main: freshAgent(id) }) : subagents.delete(records, id),
};
export const batches = book<BatchBook, BatchId>("batch/");
/** Which batch a client's message is, by agent and message id. */
export const messages = book<BatchId>("message/");
export const calls = book<CallBook, CallId>(CALLS);
/** Which call a tool_use_id means. */
export const uses = book<CallId>("use/");
export const queues = book<QueueBook>("queue/");
export const nameless = book<NamelessBook>("nameless/");
/** How often an input without an id was seen. */
export const occurrences = book<number>("seen/");
export const requests = book<RequestBook, RequestId>("request/");
/** Which request a prompt went to. */
export const prompts = book<RequestId>("prompt/");
export const approvals = book<ApprovalBook, ApprovalId>(APPROVALS);
/** Which approval another channel's own id for it means. */
export const aliases = book<ApprovalId, ApprovalId>("alias/");
/** Approvals that wait for one call, by what they say of it. */
export const waits = book<Deque<ApprovalId>>("waits/");
/** Decisions that came before their approval. */
export const earlyDecisions = book<Decision, ApprovalId>("early/");
export const orphans = book<OrphanBook>("orphan/");
/** The results that wait for one call, by what they say of it. */
export const orphansOf = book<Deque>("orphans-of/");
/** Ids of calls and requests that were taken away, and when: what repeats them comes late. */
export const gone = book<number>(GONE);
/** Which subagent a call started: the first known by an id. */
export const links = book<AgentId>("link/");
/** Which agent an id means, where that was heard of by its call alone before. */
export const names = book<AgentId, AgentId>("name/");

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
  return (records.get(HEAD) as Head | undefined) ?? FRESH;
}

export function setHead(records: Records, change: Partial<Head>): void {
  records.set(HEAD, { ...head(records), ...change });
}

export function agentOf(records: Records, id: AgentId): AgentBook {
  return agents.get(records, id) ?? freshAgent(id);
}

/** A request and its continuations are one work (R1): the first of them, which may have been taken away. */
export function workOf(records: Pick<Records, "get">, id: RequestId): RequestId {
  return requests.get(records, id)?.root ?? id;
}
