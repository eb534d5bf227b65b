// Asked
// Reads an agent's requests to its editor that could let the agent do something: what a user is shown, and the answers.
//
//   Owns:          which requests need an approval; the tool, input and options of each; allow and deny in the protocol's words.
//   Does not own:  requesting the approval (gates), which call a request is about (calls).
//
// ASKED-1. Every request of the agent needs an approval, unless it is known only to read, to end something, or to ask the user.
// ASKED-2. The editor acts on exactly what a user was shown: the proxy writes each request anew from what it parsed.
// ASKED-3. The agent never gets the answer "allow always", even from a user. A request with two options of one id is refused.
// ASKED-4. If an agent sends no input of a call, the call's title is read as a command, for risk marks and for rules to deny or
//     to ask. No rule with a pattern allows the call, because a title need not be the whole command.

import { type Fields, isFields } from "../../../machines/json.ts";
import { type Calls, inputOf } from "../calls.ts";
import type { Asked, Protocol, Said } from "../protocol.ts";
import { defined, fieldsIn, toolOfMethod } from "../told.ts";

/** Requests without an approval: they change nothing, end something that was allowed before, or have the editor ask its user. */
const FREE: ReadonlySet<string> = new Set([
  ...["fs/read_text_file", "terminal/output", "terminal/wait_for_exit", "terminal/kill", "terminal/release"],
  ...["elicitation/create", "session/update"],
]);
/** An editor might carry out a message of these methods even if it has no id, although nobody can answer such a message. */
const ACTING: ReadonlySet<string> = new Set(["terminal/create", "fs/write_text_file", "mcp/message"]);
const PERMISSION = "session/request_permission";

export const isAskedAbout = (method: string): boolean => !FREE.has(method);
export const isActing = (method: string): boolean => method === PERMISSION || ACTING.has(method);

interface Option {
  readonly optionId: string;
  readonly kind: string;
}

export const askedIn: Protocol["askedIn"] = (method, params, calls) => {
  const { sessionId: session, ...input } = params;
  if (typeof session !== "string" || session === "") return "it names no session";
  return method === PERMISSION ? permissionIn(session, params, calls) : deedIn(session, method, input);
};

const CANCELLED: Fields = { outcome: { outcome: "cancelled" } };
const selected = (optionId: string): Fields => ({ outcome: { outcome: "selected", optionId } });

function permissionIn(session: string, params: Fields, calls: Pick<Calls, "of">): Asked | string {
  const { toolCall, options: given } = params;
  if (!isFields(toolCall) || typeof toolCall["toolCallId"] !== "string") return "it names no call";
  const options = optionsIn(given);
  if (options === undefined) return "it offers no options, or options that cannot be told apart";
  const { toolCallId } = toolCall;
  const before = calls.of(session, toolCallId)?.told ?? {};
  // A request may leave out fields of the call that the agent sent earlier. If both have a field, the request's counts.
  const rawInput = { ...inputOf(before), ...inputOf(toolCall) };
  const call: Fields = { ...before, ...defined(toolCall), rawInput };
  const allow = options.find(({ kind }) => kind === "allow_once");
  const deny = options.find(({ kind }) => kind === "reject_once");
  const offered = (given as readonly Fields[]).filter(({ kind }) => kind !== "allow_always");
  return {
    session,
    toolCallId,
    tool: toolOf(call),
    input: inputOf(call) ?? shownIn(call),
    dialog: () => ({ method: PERMISSION, params: { ...params, options: offered } }),
    saidIn: (result) => saidIn(result, options),
    told: {
      allow: allow && selected(allow.optionId),
      deny: deny ? selected(deny.optionId) : CANCELLED,
      cancelled: CANCELLED,
    },
    ending: () => ending(session),
  };
}

/** @returns the options that the agent offers; undefined if two have one id, or an option is malformed (ASKED-3). */
function optionsIn(given: unknown): readonly Option[] | undefined {
  if (!Array.isArray(given) || given.length === 0) return undefined;
  const options = given.filter(
    (each): each is Option =>
      isFields(each) && typeof each["optionId"] === "string" && typeof each["kind"] === "string",
  );
  const ids = new Set(options.map(({ optionId }) => optionId));
  return ids.size === given.length ? options : undefined;
}

const YES = { optionId: "allow", name: "Allow", kind: "allow_once" };
const NO = { optionId: "reject", name: "Reject", kind: "reject_once" };

/** A request that the editor would carry out without asking its user. The proxy first asks the user, in the editor's dialog. */
function deedIn(session: string, method: string, input: Fields): Asked {
  const { command, args, path } = input;
  const words: readonly unknown[] = Array.isArray(args) ? args : [];
  const title = [method, command ?? path, ...words].filter((each) => typeof each === "string").join(" ");
  const kind = method === "terminal/create" ? "execute" : method.startsWith("fs/") ? "edit" : "other";
  const toolCall = { title, kind, status: "pending", rawInput: input };
  const beside = { sessionId: session };
  return {
    session,
    tool: toolOfMethod(method),
    input,
    beside,
    dialog: (toolCallId) => ({
      method: PERMISSION,
      params: { ...beside, toolCall: { toolCallId, ...toolCall }, options: [YES, NO] },
    }),
    saidIn: (result) => saidIn(result, [YES, NO]),
    ending: () => ending(session),
    closing: (toolCallId, status) => ({
      method: "session/update",
      params: { ...beside, update: { sessionUpdate: "tool_call_update", toolCallId, status } },
    }),
  };
}

const KINDS: readonly unknown[] = [
  ...["read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode", "other"],
];

/** A call's tool is the protocol's kind of the call, because each agent has its own names and titles. */
export const toolOf = ({ kind }: Fields): string => (KINDS.includes(kind) ? String(kind) : "other");

/** What is shown of a call whose agent, such as Gemini CLI, sends no input (ASKED-4). */
function shownIn(call: Fields): Fields {
  const name = toolOf(call) === "execute" ? "shownCommand" : "title";
  return { [name]: call["title"] ?? "", ...pick(call, ["locations", "content"]) };
}

const ending = (sessionId: string): Fields => ({ method: "session/cancel", params: { sessionId } });

const pick = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.flatMap((name) => (name in fields ? [[name, fields[name]]] : [])));

/** What the user answered. An answer that was not offered does not count (ASKED-3). */
function saidIn(result: unknown, options: readonly Option[]): Said {
  const outcome = fieldsIn(result, "outcome");
  if (outcome["outcome"] === "cancelled") return "cancelled";
  if (outcome["outcome"] !== "selected") return "none";
  const kind = options.find(({ optionId }) => optionId === outcome["optionId"])?.kind;
  if (kind === "allow_once") return "allow";
  return kind === "reject_once" || kind === "reject_always" ? "deny" : "none";
}
