// Calls
// The calls of each session, as far as their agent has told of them.
//
//   Owns:          what is known of a call, the id it has in the engine, when an update is worth a note.
//   Does not own:  the notes' meaning (notes), what is asked about a call (asked).
//
// ACP-CALLS-1. A call's id is the agent's, with what tells this run apart: agents count from 1 again, and use an id again
//     for another call. What is asked about one call is answered for no other.
// ACP-CALLS-2. Memory is bounded: of the calls that ended, and of all, the oldest are forgotten first.
// ACP-CALLS-3. A call that failed is denied where it was told no here, or where the agent says so in its own words: one denial
//     may end others. The profile foresees none.

import { toId } from "../../runtime/foreign-id.ts";
import { defined, inputOf, toolOf } from "./asked.ts";
import { type Fields, isFields } from "./message.ts";

export interface Call {
  /** In the engine. */
  readonly id: string;
  /** What the agent has told of it, all updates together. */
  readonly told: Fields;
  readonly status: Status | undefined;
  /** It was told no. */
  readonly isRejected: boolean;
}

const STATUSES = ["pending", "in_progress", "completed", "failed"] as const;
type Status = (typeof STATUSES)[number];

const CALLS_MAX = 2_000;
const TEXT_MAX = 5_000;
const ABOUT_MAX = 500;

export class Calls {
  /** Tells this run apart from all others. */
  readonly #run: string;
  readonly #calls = new Map<string, Call>();
  #count = 0;

  constructor(run: string) {
    this.#run = run;
  }

  of(session: string, toolCallId: string): Call | undefined {
    return this.#calls.get(keyOf(session, toolCallId));
  }

  /** The call that is asked about with this input; entered where the agent has not told of it. */
  asked(session: string, toolCallId: string, input: Fields): Call {
    const call = this.of(session, toolCallId);
    return this.#keep(session, toolCallId, call, { ...call?.told, rawInput: input }, call?.status);
  }

  /** An id for a call that only the request itself tells of. */
  freshId(): string {
    return `request-${this.#run}-${++this.#count}`;
  }

  rejected(session: string, toolCallId: string): void {
    const call = this.of(session, toolCallId);
    if (call) this.#calls.set(keyOf(session, toolCallId), { ...call, isRejected: true });
  }

  /** Takes an update in. @returns what the engine is to be told of it, if anything. */
  updated(session: string, update: Fields): object | undefined {
    const { sessionUpdate, toolCallId, ...more } = update;
    if (sessionUpdate !== "tool_call" && sessionUpdate !== "tool_call_update") return undefined;
    if (typeof toolCallId !== "string" || toolCallId === "") return undefined;
    const before = this.of(session, toolCallId);
    const isAnother = before !== undefined && sessionUpdate === "tool_call" && isOver(before.status);
    const known = isAnother ? undefined : before;
    // Agents tell an input in parts, and of some only in the question.
    const rawInput = { ...inputOf(known?.told ?? {}), ...inputOf(more) };
    const told: Fields = { ...known?.told, ...defined(more), rawInput };
    const status = STATUSES.find((each) => each === told["status"]);
    const call = this.#keep(session, toolCallId, known, told, status);
    if (known !== undefined && status === known.status) return undefined;
    const denied = call.isRejected ? "rejected" : isRefusal(told) ? "refused" : undefined;
    // What is still to be asked about may come whole only with the question.
    const input = status === undefined || status === "pending" ? undefined : inputOf(told);
    return {
      call: call.id,
      tool: toolOf(told),
      status: (status === "failed" ? denied : undefined) ?? status ?? "pending",
      ...(input && { tool_input: input }),
      ...aboutOf(told),
      ...(isOver(status) && { output: textOf(told) }),
    };
  }

  #keep(
    session: string,
    toolCallId: string,
    known: Call | undefined,
    told: Fields,
    status: Status | undefined,
  ): Call {
    const key = keyOf(session, toolCallId);
    const turn = known === undefined && this.#calls.has(key) ? `-${++this.#count}` : "";
    const id = known?.id ?? toId(wellFormed(`${toolCallId}-${this.#run}${turn}`));
    // Of a call that is over nothing more is asked.
    const call = { id, told: isOver(status) ? {} : told, status, isRejected: known?.isRejected ?? false };
    this.#calls.delete(key);
    this.#calls.set(key, call);
    if (this.#calls.size > CALLS_MAX) this.#forgetOne();
    return call;
  }

  #forgetOne(): void {
    for (const [key, { status }] of this.#calls) if (isOver(status)) return void this.#calls.delete(key);
    const [oldest] = this.#calls.keys();
    if (oldest !== undefined) this.#calls.delete(oldest);
  }
}

/** What the agent says that a call is for: its description, or a title that is more than its command and its tool's name. */
function aboutOf({ title, rawInput }: Fields): { readonly about?: string } {
  const input = isFields(rawInput) ? rawInput : {};
  const { description } = input;
  const isTelling =
    typeof title === "string" && /\s/.test(title.trim()) && !Object.values(input).includes(title);
  const about = typeof description === "string" ? description : isTelling ? title : "";
  return about.trim() === "" ? {} : { about: wellFormed(about.trim().slice(0, ABOUT_MAX)) };
}

/** Agents' own words for a call that did not run, since this one or another was rejected (ACP-CALLS-3). */
function isRefusal({ rawOutput }: Fields): boolean {
  if (!isFields(rawOutput)) return false;
  const { code, error } = rawOutput;
  return code === "rejected" || (typeof error === "string" && error.startsWith(OPENCODE_REJECTED));
}

const OPENCODE_REJECTED = "The user rejected permission to use this specific tool call";

const keyOf = (session: string, toolCallId: string): string => JSON.stringify([session, toolCallId]);
const isOver = (status: Status | undefined): boolean => status === "completed" || status === "failed";

/** The texts of a list of content blocks, as of a call or a prompt, one below another. */
export function textsOf(blocks: unknown): string {
  if (!Array.isArray(blocks)) return "";
  const texts = blocks.map((block: unknown) => {
    const { type, text, content, uri, resource, path } = isFields(block) ? block : {};
    if (typeof text === "string") return text;
    if (isFields(content)) return textsOf([content]);
    const named = uri ?? (isFields(resource) ? resource["uri"] : undefined) ?? path;
    return typeof named === "string" ? named : `[${typeof type === "string" ? type : "content"}]`;
  });
  return shortened(texts.join("\n"));
}

export const shortened = (text: string): string => wellFormed(text.slice(0, TEXT_MAX));
/** Half a surrogate pair has no bytes. */
export const wellFormed = (text: string): string => Buffer.from(text).toString();

function textOf({ content, rawOutput }: Fields): string {
  const text = textsOf(content);
  return text !== "" || rawOutput === undefined ? text : shortened(JSON.stringify(rawOutput));
}
