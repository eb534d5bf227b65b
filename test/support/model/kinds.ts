// Model: kinds
// What the reference model remembers of calls, questions, requests, batches and agents.
//
//   Owns:          their fields.
//   Does not own:  looking them up (world), the rules (model).

import type { CallRef, SourceInput } from "../../../machines/index.ts";
import type { ListedCall } from "../../../machines/inputs.ts";

export type Closed = "completed" | "failed" | "denied" | "missing-post";

export interface Call {
  /** The call that started its agent, if that was known when it was seen. */
  readonly parent: Call | undefined;
  readonly useId: string | undefined;
  readonly agent: string;
  readonly tool: string;
  readonly hash: string | undefined;
  readonly request: Request;
  readonly batch: Batch;
  index: number;
  state: "queued" | "processing" | Closed;
  cause: string | undefined;
  /** The evidence that it has no result, if there is any. */
  evidence: string | undefined;
  follows: Call | undefined;
  was: boolean;
  ranAfterDenial: boolean;
  hadPre: boolean;
  /** The client's list of its message names it, and does not say how it ended; but what the model was told. */
  listed: boolean;
  told: ListedCall["told"];
  /** It was denied, and that was no inference when it was. */
  hasDenial: boolean;
  /** The answer to its approval denied it. */
  isAnswered: boolean;
  /** Only the client's list of denials said so, and not by whom. */
  isListed: boolean;
  /** It fell with another: its own result can take that back; and nobody has told of it. */
  isForeseen: boolean;
  isPredicted: boolean;
  /** The channels that told of its last deferral. */
  deferredOn: Set<string>;
  /** It began once more after it was closed. */
  isAgain: boolean;
  /** Its place among the calls without an approval. */
  unaskedAs: number;
  /** The channels that announced it. */
  readonly announcedBy: Set<string>;
  deferred: boolean;
  allowed: boolean;
  question: Question | undefined;
  /** Its question was over before it came, and does not name it: the next one may be about it. */
  askedOver: boolean;
  mirror: string;
  /** Its start was told after its end, on this channel, and its result was not told there. */
  late: { readonly channel: string; readonly request: Request; readonly isGuess: boolean } | undefined;
  /** The channels that told its result before its start, or after its end. */
  readonly resultOn: Set<string>;
  /** Whether it had begun when it was rejected, if the client said so. */
  begun: boolean | undefined;
  /** It was denied by a conclusion, which the client's word that it had begun takes back. */
  isConcluded: boolean;
  /** The client's general rejection named it, its list of denials did. */
  isRejected: boolean;
  isInDenials: boolean;
  /** How it ended was told, and not with what. */
  isBare: boolean;
  /** A result that did not name it was taken for its own. */
  hasUnnamedResult: boolean;
  /** What its result said; empty if it has none. */
  result: string;
  /** Its place in the line of its stage: results and approvals are assigned in this order. */
  place: number;
  /** The how many-th call it was that closed. */
  closedAs: number;
}

export interface Question {
  readonly id: string | undefined;
  readonly agent: string;
  readonly request: Request;
  readonly tool: string | undefined;
  readonly hash: string | undefined;
  readonly useId: string | undefined;
  readonly onDeadline: "deny" | "ask";
  readonly channels: Set<string>;
  /** Another call matched it as well as its own. */
  readonly ambiguous: boolean;
  /** It was denied before its call was seen, for this cause. */
  denied: { readonly cause: string; readonly interrupt: boolean } | undefined;
  /** Its place among those that wait for their call: since it was requested, or else denied or over. */
  place: number;
  /** The call it names was closed when it was denied: it waits no longer. */
  isUsed: boolean;
  call: Call | undefined;
  state: "pending" | "approved" | "denied" | "expired" | "withdrawn";
}

export interface Request {
  readonly id: string | undefined;
  readonly origin: "prompt" | "gateway" | "implied";
  prompt: string | undefined;
  readonly root: Request | undefined;
  state: "created" | "queued" | "processing" | "completed" | "failed" | "timeout";
  error: string | undefined;
  begun: boolean;
  continued: number;
  heardAt: number;
}

export interface Batch {
  readonly agent: string;
  readonly request: Request;
  message: string | undefined;
  size: number;
  ordered: boolean;
  closed: boolean;
  denial: { readonly call: Call; readonly index: number } | undefined;
  rejected: Call | undefined;
  lost: { readonly cause: string; readonly evidence: string } | undefined;
}

export interface Agent {
  running: boolean;
  request: Request | undefined;
  batch: Batch | undefined;
  /** The id of the call it runs under. */
  startedBy: string | undefined;
  /** An id that it got after it was known by that call. */
  knownAs: string | undefined;
}

export interface Orphan {
  readonly agent: string;
  readonly at: number;
  /** The request it belonged to when it came, if there was one. */
  readonly request: Request | undefined;
  readonly input: SourceInput & { readonly call: CallRef };
}
