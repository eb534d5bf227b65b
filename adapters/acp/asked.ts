// Asked
// What an agent asks of its editor that lets something happen: what is shown of it, and the words that answer it.
//
//   Owns:          which requests are asked about; the tool, the input and the options of each; allow and deny in the
//                  protocol's words.
//   Does not own:  the asking (gates), whose call it is (calls).
//
// ASKED-1. Every request is asked about, but for those that are known to read, to end something, or to ask the person.
// ASKED-2. What the editor acts on is what was shown: a request is written anew from what was read, never passed on as it came.
// ASKED-3. An agent is never told to allow always, whoever says so. Options that cannot be told apart are no options.

import { type Fields, type Id, isFields } from "./message.ts";

/** They change nothing, end what was allowed before, or are the editor's own question to a person. */
const FREE: ReadonlySet<string> = new Set([
  ...["fs/read_text_file", "terminal/output", "terminal/wait_for_exit", "terminal/kill", "terminal/release"],
  ...["elicitation/create", "session/update"],
]);
/** Without an id nobody could be answered; an editor might act on them all the same. */
const ACTING: ReadonlySet<string> = new Set(["terminal/create", "fs/write_text_file", "mcp/message"]);
export const PERMISSION = "session/request_permission";

export const isAskedAbout = (method: string): boolean => !FREE.has(method);
export const isActing = (method: string): boolean => method === PERMISSION || ACTING.has(method);

interface Option {
  readonly optionId: string;
  readonly kind: string;
}

/** A request, as it is asked about. */
export interface Asked {
  readonly session: string;
  readonly toolCallId: string;
  readonly tool: string;
  readonly input: Fields;
  /** What the editor shows a person, and may answer. */
  readonly dialog: Fields;
  readonly options: readonly Option[];
  /** What the agent is told; undefined where the editor is to do it, and its answer is the answer. */
  readonly told?: { readonly allow: Fields | undefined; readonly deny: Fields };
  /** The params of what the editor is to do, with the input that was asked about, or an edited one. */
  readonly paramsOf: (input: Fields) => Fields;
}

/** What was known before a request came. */
export interface Before {
  readonly known: (session: string, toolCallId: string) => Fields | undefined;
  /** An id for a request that is a call of its own. */
  readonly freshId: () => string;
}

/** @returns why it cannot be asked about, where that is so. */
export function askedIn(method: string, params: Fields, { known, freshId }: Before): Asked | string {
  const { sessionId: session, ...input } = params;
  if (typeof session !== "string" || session === "") return "it names no session";
  return method === PERMISSION
    ? permissionIn(session, params, known)
    : deedIn(session, method, input, freshId());
}

export const CANCELLED: Fields = { outcome: { outcome: "cancelled" } };
const selected = (optionId: string): Fields => ({ outcome: { outcome: "selected", optionId } });

function permissionIn(session: string, params: Fields, known: Before["known"]): Asked | string {
  const { toolCall, options: given } = params;
  if (!isFields(toolCall) || typeof toolCall["toolCallId"] !== "string") return "it names no call";
  const options = optionsIn(given);
  if (options === undefined) return "its options are none, or cannot be told apart";
  const { toolCallId } = toolCall;
  const before = known(session, toolCallId) ?? {};
  // Agents leave out of the question what they have told of the call; what both say, the question says.
  const rawInput = { ...inputOf(before), ...inputOf(toolCall) };
  const call: Fields = { ...before, ...defined(toolCall), rawInput };
  const allow = options.find(({ kind }) => kind === "allow_once");
  const deny = options.find(({ kind }) => kind === "reject_once");
  const offered = (given as readonly Fields[]).filter(({ kind }) => kind !== "allow_always");
  return {
    session,
    toolCallId,
    tool: toolOf(call),
    input: inputOf(call) ?? { title: call["title"] ?? "", ...pick(call, ["locations", "content"]) },
    dialog: { ...params, options: offered },
    options: options.filter(({ kind }) => kind !== "allow_always"),
    told: { allow: allow && selected(allow.optionId), deny: deny ? selected(deny.optionId) : CANCELLED },
    paramsOf: () => params,
  };
}

/** ASKED-3 @returns undefined where one id stands twice, or an option is none. */
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

/** The editor does it without asking: the proxy asks first, in a dialog of the same kind. */
function deedIn(session: string, method: string, input: Fields, toolCallId: string): Asked {
  const { command, args, path } = input;
  const words: readonly unknown[] = Array.isArray(args) ? args : [];
  const title = [method, command ?? path, ...words].filter((each) => typeof each === "string").join(" ");
  const kind = method === "terminal/create" ? "execute" : method.startsWith("fs/") ? "edit" : "other";
  const toolCall = { toolCallId, title, kind, status: "pending", rawInput: input };
  return {
    session,
    toolCallId,
    tool: method.slice(0, TOOL_MAX),
    input,
    dialog: { sessionId: session, toolCall, options: [YES, NO] },
    options: [YES, NO],
    paramsOf: (asked) => ({ ...asked, sessionId: session }),
  };
}

const TOOL_MAX = 200;
const KINDS: readonly unknown[] = [
  ...["read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode", "other"],
];

/** The protocol's kind: names and titles are the agent's, and differ from one time to another. */
export const toolOf = ({ kind }: Fields): string => (KINDS.includes(kind) ? String(kind) : "other");

/** @returns undefined where the agent has told none yet. */
export function inputOf({ rawInput }: Fields): Fields | undefined {
  return isFields(rawInput) && Object.keys(rawInput).length > 0 ? rawInput : undefined;
}

/** What an update says; a field without a value leaves the call as it was. */
export const defined = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));

const pick = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.flatMap((name) => (name in fields ? [[name, fields[name]]] : [])));

/** An editor's answer to the dialog. `none`: it has no answer that counts. */
export type Said = "allow" | "deny" | "cancelled" | "none";

export function saidIn(result: unknown, { options }: Pick<Asked, "options">): Said {
  const outcome = isFields(result) ? result["outcome"] : undefined;
  if (!isFields(outcome)) return "none";
  if (outcome["outcome"] === "cancelled") return "cancelled";
  if (outcome["outcome"] !== "selected") return "none";
  const kind = options.find(({ optionId }) => optionId === outcome["optionId"])?.kind;
  if (kind === "allow_once") return "allow";
  return kind === "reject_once" || kind === "reject_always" ? "deny" : "none";
}

/** True where the agent's id can be given back as it came. */
export const isSound = (id: Id): id is string | number =>
  typeof id === "string" ? id.length <= 1_024 : Number.isSafeInteger(id);

export const DENIED = -32_003;
export const GONE = -32_800;
