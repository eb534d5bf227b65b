// Asked
// What Codex's app-server asks of its client that lets something happen: what is shown of it, and what the client is offered.
//
//   Owns:          which requests are asked about; the tool and the input of each.
//   Does not own:  the words of an answer (answers), the asking (gates), whose call it is (calls).
//
// CODEX-ASKED-1. Every request is asked about, but for a new token, an attestation, and a question to the person that approves
//     nothing.
// CODEX-ASKED-2. What is shown is all that the request says, but for its ids, its time and what it offers beside; of a change
//     of files, the changes that its item told. A change that was not told of is not asked about.
// CODEX-ASKED-3. What would run later without asking is neither offered nor passed on: for the session, by an amendment, for
//     good. Permissions are had for the turn.

import { toolInput } from "../../../runtime/canonical.ts";
import { inputOf } from "../calls.ts";
import { type Fields, isFields } from "../message.ts";
import type { Asked, Before, Said } from "../protocol.ts";
import { defined, textIn, toolOfMethod } from "../told.ts";
import { type AnswerWords, byAction, byDecision, byGrant, byReview } from "./answers.ts";
import { COMMAND, FILES, inputOfArguments, toolOfServer } from "./items.ts";

const QUESTION = "item/tool/requestUserInput";
const ELICITATION = "mcpServer/elicitation/request";
const FREE: ReadonlySet<string> = new Set(["account/chatgptAuthTokens/refresh", "attestation/generate"]);

export function isAskedAbout(method: string, params: Fields): boolean {
  if (method === QUESTION) return isApproval(params);
  return method === ELICITATION ? isOfCall(params) : !FREE.has(method);
}

/** What a client might act on without being able to answer. */
export const isActing = (method: string): boolean =>
  Object.hasOwn(KINDS, method) || method === "item/tool/call" || method === QUESTION;

/** Where tools are asked about by questions, the ids of those say so. */
const isApproval = ({ questions }: Fields): boolean =>
  !Array.isArray(questions) ||
  questions.some((each) => /approv/i.test(isFields(each) ? String(each["id"]) : "approval"));

/** Whether a call of a tool waits for it: else a server asks the person something of its own. */
const isOfCall = ({ _meta: meta }: Fields): boolean => isFields(meta) && "codex_approval_kind" in meta;

/** A request, and what every kind begins with: a call of its own. */
interface Request {
  readonly method: string;
  readonly params: Fields;
  readonly before: Before;
  readonly base: Pick<Asked, "session" | "toolCallId" | "paramsOf" | "dialog"> & { readonly isOwn: true };
  /** The item that it names. */
  readonly item: string | undefined;
}
type Kind = (request: Request) => Asked | string;

/** @returns why it cannot be asked about, where that is so. */
export function askedIn(method: string, params: Fields, before: Before): Asked | string {
  const session = textIn(params, "threadId") ?? textIn(params, "conversationId");
  if (session === undefined) return "it names no thread";
  const dialog = { method, params: narrowed(params) };
  const base = {
    session,
    toolCallId: before.freshId(),
    isOwn: true,
    paramsOf: () => params,
    dialog,
  } as const;
  const item = textIn(params, "itemId") ?? textIn(params, "callId");
  const kind = Object.hasOwn(KINDS, method) ? KINDS[method] : undefined;
  return (kind ?? deed)({ method, params, before, base, item });
}

const command =
  (words: AnswerWords): Kind =>
  ({ params, base, item }) => {
    const asked = { ...base, tool: COMMAND, input: shown(params), ...words };
    // Of one item, several may be asked about: each is a call of its own then.
    return item === undefined || textIn(params, "approvalId") !== undefined ? asked : ofItem(asked, item);
  };

const files =
  (words: AnswerWords): Kind =>
  ({ params, before, base, item = "" }) => {
    const { changes } = inputOf(before.known(base.session, item)?.told ?? {}) ?? {};
    if (changes === undefined && params["fileChanges"] === undefined) return "its changes were not told";
    return ofItem({ ...base, tool: FILES, input: defined({ changes, ...shown(params) }), ...words }, item);
  };

const permissions: Kind = ({ params, base }) =>
  isFields(params["permissions"])
    ? {
        ...base,
        tool: "permissions",
        input: shown(params),
        ...byGrant(params["permissions"]),
        ...ending(params),
      }
    : "it names no permissions";

const elicited: Kind = ({ params, before, base }) => {
  const { _meta: meta } = params;
  const [server, name] = [
    textIn(params, "serverName"),
    isFields(meta) ? textIn(meta, "tool_name") : undefined,
  ];
  if (server === undefined || name === undefined || !isFields(meta)) return "it names no tool";
  const input = inputOfArguments(meta["tool_params"]);
  const tool = toolOfServer(server, name);
  const { hash } = toolInput(input);
  const calls = before.open(
    base.session,
    (told) => told["tool"] === tool && hash === toolInput(inputOf(told) ?? {}).hash,
  );
  const [call] = calls;
  const asked = { ...base, tool, input, ...byAction, ...ending(params) };
  return call !== undefined && calls.length === 1 ? ofItem(asked, call) : asked;
};

/** The client does it without asking, as far as is known: the engine is asked before it. */
const deed: Kind = ({ method, params, base: { dialog: _, ...base } }) => {
  const { threadId, turnId, ...input } = params;
  const ids = defined({ threadId, turnId });
  const asked = { ...base, tool: toolOfMethod(method), input, saidIn: (): Said => "none", ...ending(params) };
  return { ...asked, paramsOf: (edited) => ({ ...edited, ...ids }) };
};

const KINDS: Readonly<Record<string, Kind>> = {
  "item/commandExecution/requestApproval": command(byDecision),
  "item/fileChange/requestApproval": files(byDecision),
  "item/permissions/requestApproval": permissions,
  execCommandApproval: command(byReview),
  applyPatchApproval: files(byReview),
  [ELICITATION]: elicited,
};

/** Codex tells of the call itself. */
function ofItem({ isOwn: _, ...asked }: Asked, toolCallId: string): Asked {
  return { ...asked, toolCallId };
}

/** Where no answer ends the turn. */
function ending({ threadId, turnId }: Fields): Pick<Asked, "ending"> {
  return typeof turnId === "string"
    ? { ending: (id) => ({ id, method: "turn/interrupt", params: { threadId, turnId } }) }
    : {};
}

/** Ids, times, what else is offered, what is read from the rest. */
const BESIDE: ReadonlySet<string> = new Set([
  ...["threadId", "conversationId", "turnId", "itemId", "callId", "approvalId", "startedAtMs"],
  ...["commandActions", "parsedCmd", "availableDecisions"],
  ...["proposedExecpolicyAmendment", "proposedNetworkPolicyAmendments"],
]);

/** CODEX-ASKED-2 */
const shown = (params: Fields): Fields =>
  defined(Object.fromEntries(Object.entries(params).filter(([name]) => !BESIDE.has(name))));

const ONCE: readonly unknown[] = ["accept", "decline", "cancel"];

/** CODEX-ASKED-3 */
function narrowed(params: Fields): Fields {
  const {
    proposedExecpolicyAmendment: _,
    proposedNetworkPolicyAmendments: __,
    availableDecisions: offered,
    _meta: meta,
    ...rest
  } = params;
  const once = Array.isArray(offered) && offered.filter((each) => ONCE.includes(each));
  const { persist: ___, ...said } = isFields(meta) ? meta : {};
  return {
    ...rest,
    ...(once && { availableDecisions: once }),
    ...(meta !== undefined && { _meta: isFields(meta) ? said : meta }),
  };
}
