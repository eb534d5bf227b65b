// Calls
// The calls of each session, as far as their agent has reported them.
//
//   Owns:          what is known about a call, the call's id in the engine, which updates are reported.
//   Does not own:  the meaning of a note (notes), requesting approvals (gates), the meaning of a call's fields (each protocol).
//
// PROXY-CALLS-1. A call's id in the engine contains the agent's id and the id of this run of the proxy. An agent may use an id
//     of an earlier run for another call. So an answer that names only the agent's id could count for the wrong call.
// PROXY-CALLS-2. Memory is bounded: above 2,000 calls, the oldest ended call is forgotten, or, if none has ended, the oldest.
// PROXY-CALLS-3. A failed call counts as denied if the client or Signalbox rejected it, or if the agent says so in its own
//     words. If one denial ends further calls, too, Signalbox does not end these calls itself, but waits until the agent
//     reports the end of each.
// PROXY-CALLS-4. If only a request for approval names a call, the proxy reports the call, so that the session shows it.

import { type Fields, isFields } from "../../machines/json.ts";
import { toId } from "../../runtime/foreign-id.ts";
import {
  defined,
  isAlike,
  shortened,
  type Status,
  textIn,
  type ToldWords,
  type Update,
  wellFormed,
} from "./told.ts";

export interface Call {
  readonly id: string;
  /** What the agent has reported of the call in all its updates. */
  readonly told: Fields;
  readonly status: Status | undefined;
  /** Whether the proxy has sent the agent a denial of this call. */
  readonly isRejected: boolean;
}

const CALLS_MAX = 2_000;
const ABOUT_MAX = 500;

export class Calls {
  readonly #run: string;
  readonly #words: ToldWords;
  readonly #calls = new Map<string, Call>();
  #count = 0;

  constructor(run: string, words: ToldWords = {}) {
    [this.#run, this.#words] = [run, words];
  }

  of(session: string, toolCallId: string): Call | undefined {
    return this.#calls.get(keyOf(session, toolCallId));
  }

  inputOf(session: string, toolCallId: string): Fields | undefined {
    return inputOf(this.of(session, toolCallId)?.told ?? {});
  }

  /** @returns the agent's id of the only unfinished call with this tool and input; undefined if there is none, or several. */
  onlyOpen(session: string, tool: string, input: Fields): string | undefined {
    const ids = [...this.#calls].flatMap(([key, { told, status }]) => {
      const [theirs, id] = JSON.parse(key) as [string, string];
      const isMeant = theirs === session && !isOver(status) && this.#toolOf(told) === tool;
      return isMeant && isAlike(inputOf(told) ?? {}, input) ? [id] : [];
    });
    return ids.length === 1 ? ids[0] : undefined;
  }

  /** Gives a call the input for which the agent requests an approval. Adds the call if the agent has not reported it. */
  asked(session: string, toolCallId: string, input: Fields): Call {
    const call = this.of(session, toolCallId);
    return this.#keep(session, toolCallId, call, { ...call?.told, rawInput: input }, call?.status);
  }

  freshId(): string {
    return `request-${this.#run}-${++this.#count}`;
  }

  rejected(session: string, toolCallId: string): void {
    const call = this.of(session, toolCallId);
    if (call) this.#calls.set(keyOf(session, toolCallId), { ...call, isRejected: true });
  }

  /** Stores the agent's update of a call. @returns the report for the engine; undefined if the call's status is as before. */
  updated(
    session: string,
    { call: toolCallId, isBegun, told: more, status: said }: Update,
  ): object | undefined {
    const { outputOf = outputIn, aboutOf, isRefused } = this.#words;
    const before = this.of(session, toolCallId);
    const isAnother = before !== undefined && isBegun && isOver(before.status);
    const known = isAnother ? undefined : before;
    // Agents send the input of a call in several parts, and some send it only with the request for approval. So each part is
    // added to the input that is known.
    const rawInput = { ...inputOf(known?.told ?? {}), ...inputOf(more) };
    const told: Fields = { ...known?.told, ...defined(more), rawInput };
    const status = said ?? known?.status;
    const call = this.#keep(session, toolCallId, known, told, status);
    if (known !== undefined && status === known.status) return undefined;
    const denied = call.isRejected ? "rejected" : isRefused?.(told) === true ? "refused" : undefined;
    const about = aboutOf?.(told);
    // Until a call has begun, only its request for approval is sure to have the whole input.
    const input = status === undefined || status === "pending" ? undefined : inputOf(told);
    return {
      call: call.id,
      tool: this.#toolOf(told),
      status: (isFailed(status) ? denied : undefined) ?? status ?? "pending",
      ...(input && { tool_input: input }),
      ...(about !== undefined && { about: wellFormed(about.slice(0, ABOUT_MAX)) }),
      ...(isOver(status) && { output: outputOf(told) }),
    };
  }

  #toolOf(told: Fields): string {
    return this.#words.toolOf?.(told) ?? textIn(told, "tool") ?? "other";
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
    // A call that is over needs no more approvals, so its fields are dropped.
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

const outputIn = (told: Fields): string => shortened(textIn(told, "output") ?? "");
const keyOf = (session: string, toolCallId: string): string => JSON.stringify([session, toolCallId]);
const isFailed = (status: Status | undefined): boolean => status === "failed" || status === "declined";
const isOver = (status: Status | undefined): boolean => status === "completed" || isFailed(status);

/** @returns the call's input; undefined if the agent has sent none yet. */
export function inputOf({ rawInput }: Fields): Fields | undefined {
  return isFields(rawInput) && Object.keys(rawInput).length > 0 ? rawInput : undefined;
}
