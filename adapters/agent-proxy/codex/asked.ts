// Asked
// The requests of Codex's app-server to its client: what a user is shown of each, and which answers the client may choose.
//
//   Owns:          which requests need an approval; the tool and the input of each.
//   Does not own:  the words of an answer (answers), the approval (gates), which call a request is about (calls).
//
// CODEX-ASKED-1. Every request of the app-server needs an approval, except requests for a new token or an attestation, and
//     questions whose answer approves nothing.
// CODEX-ASKED-2. A user is shown all that the request says, except the request's ids, its time and the other answers that it
//     offers. For a change of files, the user is shown the changes that Codex has reported before, in an item with the request's
//     id; without such a report, the request is refused. If Codex then reports other changes, the request is denied.
// CODEX-ASKED-3. The proxy neither offers nor passes on an answer that would let something run later without an approval: an
//     answer for the whole session or for good, or an amendment of Codex's policy. Permissions that are granted are valid only
//     for Codex's current turn (its work on one prompt).

import { type Fields, isFields } from "../../../machines/json.ts";
import type { Asked, Protocol } from "../protocol.ts";
import { defined, fieldsIn, textIn, toolOfMethod, without } from "../told.ts";
import { type AnswerWords, byAction, byDecision, byGrant, byReview } from "./answers.ts";
import { COMMAND, FILES, inputOfArguments, toolOfServer } from "./items.ts";

const QUESTION = "item/tool/requestUserInput";
const ELICITATION = "mcpServer/elicitation/request";
const FREE: ReadonlySet<string> = new Set(["account/chatgptAuthTokens/refresh", "attestation/generate"]);

export function isAskedAbout(method: string, params: Fields): boolean {
  if (method === QUESTION) return isApproval(params);
  // An elicitation is an approval if a tool call waits for its answer; otherwise an MCP server asks the user for something else.
  if (method === ELICITATION) return "codex_approval_kind" in fieldsIn(params, "_meta");
  return !FREE.has(method);
}

/** True for a notification on which a client might act, although a client cannot answer a notification. */
export const isActing = (method: string): boolean =>
  Object.hasOwn(KINDS, method) || method === "item/tool/call" || method === QUESTION;

/** True for questions to the user that approve a tool: the ids of such questions contain "approv". */
const isApproval = ({ questions }: Fields): boolean =>
  !Array.isArray(questions) ||
  questions.some((each) => /approv/i.test(isFields(each) ? String(each["id"]) : "approval"));

type Kind = (
  params: Fields,
  session: string,
  calls: Parameters<Protocol["askedIn"]>[2],
) => Omit<Asked, "session" | "dialog"> | string;

export const askedIn: Protocol["askedIn"] = (method, params, calls) => {
  const session = textIn(params, "threadId") ?? textIn(params, "conversationId");
  if (session === undefined) return "it names no thread";
  const kind = Object.hasOwn(KINDS, method) ? KINDS[method] : undefined;
  if (kind === undefined) return { session, ...deedIn(method, params) };
  const asked = kind(params, session, calls);
  return typeof asked === "string"
    ? asked
    : { session, dialog: () => ({ method, params: narrowed(params) }), ...asked };
};

const itemIn = (params: Fields): string | undefined => textIn(params, "itemId") ?? textIn(params, "callId");

const command =
  (words: AnswerWords): Kind =>
  (params) => {
    // If Codex requests several approvals for one item, each has an `approvalId`, and counts as a call of its own.
    const toolCallId = textIn(params, "approvalId") === undefined ? itemIn(params) : undefined;
    return { toolCallId, tool: COMMAND, input: shown(params), ...words };
  };

const files =
  (words: AnswerWords): Kind =>
  (params, session, calls) => {
    const toolCallId = itemIn(params) ?? "";
    const { changes } = calls.inputOf(session, toolCallId) ?? {};
    if (changes === undefined && params["fileChanges"] === undefined) return "its changes were not reported";
    return { toolCallId, tool: FILES, input: defined({ ...shown(params), changes }), ...words };
  };

const permissions: Kind = (params) => {
  const { permissions: asked } = params;
  if (!isFields(asked)) return "it names no permissions";
  return { tool: "permissions", input: shown(params), ...byGrant(asked), ...ending(params) };
};

const elicited: Kind = (params, session, calls) => {
  const meta = fieldsIn(params, "_meta");
  const [server, name] = [textIn(params, "serverName"), textIn(meta, "tool_name")];
  if (server === undefined || name === undefined) return "it names no tool";
  const [tool, input] = [toolOfServer(server, name), inputOfArguments(meta["tool_params"])];
  return { toolCallId: calls.onlyOpen(session, tool, input), tool, input, ...byAction, ...ending(params) };
};

/**
 * A request that the client probably carries out without asking its user. So it needs an approval before the client gets it.
 */
function deedIn(method: string, { threadId, turnId, ...input }: Fields): Omit<Asked, "session"> {
  const beside = defined({ threadId, turnId });
  return { tool: toolOfMethod(method), input, beside, saidIn: () => "none", ...ending(beside) };
}

const KINDS: Readonly<Record<string, Kind>> = {
  "item/commandExecution/requestApproval": command(byDecision),
  "item/fileChange/requestApproval": files(byDecision),
  "item/permissions/requestApproval": permissions,
  execCommandApproval: command(byReview),
  applyPatchApproval: files(byReview),
  [ELICITATION]: elicited,
};

/** The message that interrupts the turn, for requests whose answer cannot end the turn. */
const ending = ({ threadId, turnId }: Fields): Pick<Asked, "ending"> =>
  typeof turnId === "string"
    ? { ending: (id) => ({ id, method: "turn/interrupt", params: { threadId, turnId } }) }
    : {};

const AMENDMENTS = ["proposedExecpolicyAmendment", "proposedNetworkPolicyAmendments"];
/** Fields of a request that the user is not shown: ids, times, other answers that are offered, repeats of shown fields. */
const BESIDE = [
  ...["threadId", "conversationId", "turnId", "itemId", "callId", "approvalId", "startedAtMs"],
  ...["commandActions", "parsedCmd", "availableDecisions", ...AMENDMENTS],
];

const shown = (params: Fields): Fields => defined(without(params, BESIDE)); // CODEX-ASKED-2

const ONCE: readonly unknown[] = ["accept", "decline", "cancel"];

/** The request without those offered answers that would let something run later (CODEX-ASKED-3). */
function narrowed(params: Fields): Fields {
  const { availableDecisions: offered, _meta: meta } = params;
  return {
    ...without(params, [...AMENDMENTS, "availableDecisions"]),
    ...(Array.isArray(offered) && { availableDecisions: offered.filter((each) => ONCE.includes(each)) }),
    ...(isFields(meta) && { _meta: without(meta, ["persist"]) }),
  };
}
