// Machines
// The domain of Signalbox, independent of any technology. Other layers import most of the machines through this file.

export { approvalMachine } from "./approval.ts";
export type { ApprovalContext, ApprovalEvent, ApprovalInput } from "./facts/approval-facts.ts";
export {
  askedAbout,
  type AskedAbout,
  contradicting,
  differenceText,
  differing,
  type Fact,
} from "./matching/asked-about.ts";
export type { Audit, DecisionResult } from "./audit.ts";
export {
  agents as agentBooks,
  aliases as aliasBooks,
  asks as askBooks,
  APPROVALS as APPROVAL_BOOKS,
  batches as batchBooks,
  CALLS as CALL_BOOKS,
  calls as callBooks,
  GONE as GONE_BOOKS,
  gone as goneBooks,
  HEAD as HEAD_BOOK,
  head,
  links as linkBooks,
  messages as messageBooks,
  names as nameBooks,
  prompts as promptBooks,
  requests as requestBooks,
} from "./books.ts";
export type { CascadePolicy } from "./facts/call-facts.ts";
export { type Alarm, ALARMS, type AlarmKind, alarmOf } from "./evidence/alarm.ts";
export { isAtTerminal } from "./evidence/dialog.ts";
export { isPersons } from "./evidence/permission.ts";
export { type OtherAnswer, type Receipt, receiptOf } from "./evidence/receipt.ts";
export { forget } from "./matching/correlation.ts";
export { defined } from "./defined.ts";
export type { Digest } from "./queues/queue-keys.ts";
export { PLACES } from "./queues/deque.ts";
export {
  type Alias,
  type Deliver,
  type Effect,
  EFFECT_NAMES,
  type Remove,
  type Report,
  type Spawn,
  type Step,
} from "./effects.ts";
export {
  type ActorKind,
  type Address,
  type AddressParts,
  type AgentId,
  type ApprovalId,
  type BatchId,
  type CallId,
  type ChildKind,
  childAddress,
  isId,
  MAIN_AGENT,
  parseAddress,
  type RequestId,
  sessionAddress,
  type SessionId,
  type WorkspaceId,
} from "./ids.ts";
export type {
  CallRef,
  DamagedInput,
  Assigned,
  Decision,
  Demanded,
  Input,
  Intent,
  LiftedInput,
  Missing,
  OwnInput,
  SourceInput,
  ToolInput,
  WrittenInput,
} from "./inputs.ts";
export type { Records } from "./records.ts";
export { requestMachine } from "./request.ts";
export { openCalls } from "./routing/agents.ts";
export { forgetDoubts, forgetOldDoubts } from "./routing/doubts.ts";
export type { AskedCall, Flaw } from "./rules/condition.ts";
export { APPROVALS_MAX, APPROVERS_MAX, approversText, demandOf } from "./rules/demand.ts";
export { approverOf, isByProvider, nameWithoutDoor, standings } from "./evidence/votes.ts";
export { flawOf, inputText, isIn, scopeText } from "./rules/conditions.ts";
export { type Guarded, NOTHING_GUARDED } from "./rules/guarded.ts";
export { isModels, MODEL } from "./evidence/answerer.ts";
export {
  BY_POLICY,
  byPolicy,
  byRule,
  type DryRecord,
  type FileScope,
  isByRule,
  type Rule,
} from "./rules/rule.ts";
export { type ShellCall, shellCallOf, type ShellForm } from "./rules/shell-call.ts";
export { type Ruling, rulingAmong, rulingOf, rulingsOfEach, shortlist } from "./rules/ruling.ts";
export {
  type Approver,
  type ConditionKind,
  afterUse,
  isInForce,
  type Matcher,
  type RuleEffect,
  type RuleTerms,
  type Usable,
} from "./rules/terms.ts";
export { requestGone } from "./routing/retention.ts";
export type { RequestContext, RequestEvent, RequestInput } from "./facts/request-facts.ts";
export { route, routeReport, type Routed } from "./routing/router.ts";
export { DEFAULT_POLICY, type Policy, scene, type Scene } from "./routing/scene.ts";
export { type SessionContext, type SessionEvent, sessionMachine, type SessionInput } from "./session.ts";
export { callMachine } from "./tool-call.ts";
export { forgetApproval } from "./queues/waiting-approvals.ts";
export type { CallContext, CallEvent, CallInput, Denial, Match } from "./facts/call-facts.ts";
