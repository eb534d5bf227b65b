// Answers
// Names the fields that the commands read from the engine's JSON answers. `--json` also prints all other fields.
//
//   Owns:          which fields of the engine's views the commands read.
//   Does not own:  the form of the engine's views (runtime/rows/views).

import { z } from "zod";

const inputFields = {
  input: z.unknown().optional(),
  inputHash: z.string().optional(),
  inputBytes: z.number().optional(),
  inputMissing: z.string().optional(),
};

export const sessionAnswer = z.looseObject({
  id: z.string(),
  engine: z.string().optional(),
  workspace: z.string(),
  state: z.string(),
  title: z.string().optional(),
  cwd: z.string().optional(),
  branch: z.string().optional(),
  client: z.string().optional(),
  createdAt: z.number(),
  lastEvent: z.looseObject({ type: z.string(), at: z.number() }),
  counts: z.looseObject({ calls: z.number(), pendingApprovals: z.number() }),
});
export type SessionAnswer = z.infer<typeof sessionAnswer>;

export const requestAnswer = z.looseObject({
  requestId: z.string(),
  workspace: z.string(),
  sessionId: z.string(),
  state: z.string(),
  waiting: z.boolean(),
  prompt: z.string().optional(),
  error: z.string().optional(),
  createdAt: z.number(),
});
export type RequestAnswer = z.infer<typeof requestAnswer>;

export const callAnswer = z.looseObject({
  id: z.string(),
  sessionId: z.string(),
  requestId: z.string(),
  tool: z.string(),
  execution: z.string(),
  createdAt: z.number(),
  agentId: z.string().optional(),
  parentCallId: z.string().optional(),
  batchId: z.string(),
  index: z.number(),
  ordered: z.boolean(),
  intent: z
    .looseObject({
      text: z.string(),
      source: z.string(),
      confidence: z.string(),
      line: z.string().optional(),
    })
    .optional(),
  deferred: z.boolean().optional(),
  error: z.string().optional(),
  executedAfterDenial: z.literal(true).optional(),
  denial: z
    .looseObject({
      cause: z.string(),
      by: z.string().optional(),
      callId: z.string().optional(),
      inferredFrom: z.string().optional(),
    })
    .optional(),
  missing: z.looseObject({ cause: z.string(), evidence: z.string() }).optional(),
  approval: z.looseObject({ id: z.string(), state: z.string(), by: z.string().optional() }).optional(),
  ...inputFields,
});
export type CallAnswer = z.infer<typeof callAnswer>;

const receiptAnswer = z.looseObject({
  step: z.string(),
  takenAt: z.number().optional(),
  takenBy: z.string().optional(),
  call: z.string().optional(),
  confirmedAt: z.number().optional(),
  lapsedAt: z.number().optional(),
  lapsedSaid: z.string().optional(),
});
export type ReceiptAnswer = z.infer<typeof receiptAnswer>;

export const alarmAnswer = z.looseObject({
  workspace: z.string(),
  sessionId: z.string(),
  callId: z.string(),
  tool: z.string(),
  state: z.string(),
  because: z.string().optional(),
  at: z.number(),
});
export type AlarmAnswer = z.infer<typeof alarmAnswer>;

export const approvalAnswer = z.looseObject({
  id: z.string(),
  workspace: z.string(),
  sessionId: z.string(),
  requestId: z.string(),
  callId: z.string().optional(),
  agentId: z.string(),
  tool: z.string(),
  state: z.string(),
  askedAt: z.number(),
  ambiguous: z.boolean(),
  candidates: z.number(),
  channels: z.array(z.string()),
  deadlineAt: z.number().optional(),
  onDeadline: z.enum(["deny", "ask"]),
  onDeny: z.enum(["strict", "interrupt", "none"]),
  outcome: z.string().optional(),
  closedAt: z.number().optional(),
  by: z.string().optional(),
  message: z.string().optional(),
  via: z.string().optional(),
  receipt: receiptAnswer.optional(),
  demands: z
    .array(
      z.looseObject({
        approvals: z.number(),
        given: z.number(),
        approvers: z.array(z.looseObject({ name: z.string(), fromAt: z.number() })).exactOptional(),
      }),
    )
    .exactOptional(),
  votes: z.array(z.looseObject({ by: z.string() })).exactOptional(),
  assigned: z.looseObject({ to: z.string(), by: z.string(), at: z.number() }).exactOptional(),
  /** The peer that has the approval; absent if the asked engine has it. `lastSeenAt`: the last report of a silent peer, ms. */
  engine: z.string().exactOptional(),
  lastSeenAt: z.number().exactOptional(),
  ...inputFields,
});
export type ApprovalAnswer = z.infer<typeof approvalAnswer>;

export const changeAnswer = z.looseObject({
  n: z.number(),
  entity: z.enum(["session", "request", "callback", "toolcall", "approval", "alarm"]),
  id: z.string(),
  workspace: z.string(),
  sessionId: z.string(),
  from: z.string().nullable(),
  to: z.string(),
  at: z.number(),
  cause: z.unknown().optional(),
  view: z.unknown(),
});
export type ChangeAnswer = z.infer<typeof changeAnswer>;

export const letterAnswer = z.looseObject({
  n: z.number(),
  engine: z.string().optional(),
  position: z.number(),
  at: z.number(),
  code: z.string(),
  reason: z.string(),
  body: z.string(),
  retriedAt: z.number().optional(),
  dismissed: z.looseObject({ by: z.string(), at: z.number() }).optional(),
});
export type LetterAnswer = z.infer<typeof letterAnswer>;
