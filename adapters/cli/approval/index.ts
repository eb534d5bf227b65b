// Pending approvals, read from the engine and put into words.

export { type Answering, type AnswerOptions, answerCommand, answering } from "./answer-command.ts";
export { jsonOf } from "./json.ts";
export {
  approvalOf,
  oneApproval,
  type Found,
  type ApprovalRef,
  type ShownApproval,
  shownApprovalOf,
  waitingOf,
} from "./read.ts";
export { described, isShared, leavingOf, moreIn, rowOf } from "./text.ts";
export { isWatched } from "../../../runtime/channels.ts";
export { byTheirUrgency, isGrave, riskMark, risksIn, toneOfRisks, tonedLines } from "./risk-text.ts";
export { agentCommand, type AgentWords } from "./agent-command.ts";
export { byVariable, gateCommand, type GateOptions } from "./gate-command.ts";
