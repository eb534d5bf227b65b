// Calls
// The calls of each session, as far as their agent has reported them.
//
//   Owns:          what is known of a call, its id in the engine, which updates are reported.
//   Does not own:  the meaning of a note (notes), requesting approvals (gates), the meaning of a call's fields (each protocol).
//
// PROXY-CALLS-1. A call's id is the agent's id with a mark of this run: agents count from 1 again, and reuse an id for another
//     call. An answer to one call is never used for another.
// PROXY-CALLS-2. Memory is bounded: one limit is for calls that ended, one for all calls. Beyond either, the oldest are
//     forgotten.
// PROXY-CALLS-3. A failed call counts as denied if it was rejected here, or if the agent says so in its own words. One denial may
//     end further calls; the profile predicts none of them.
// PROXY-CALLS-4. If only a request for approval names a call, the proxy reports the call with that request, so the session shows
//     the call while the request waits.

import { type Fields, isFields } from "../../machines/json.ts";
import { toId } from "../../runtime/foreign-id.ts";
import { defined, isAlike, type Status, textIn, type ToldWords, type Update } from "./told.ts";

export interface Call {
  readonly id: string;
  /** What the agent has reported of the call, all updates together. */
  readonly told: Fields;
  readonly status: Status | undefined;
  /** Whether the agent was sent a denial. */
  readonly isRejected: boolean;
}

const CALLS_MAX = 2_000;
const TEXT_MAX = 5_000;
const ABOUT_MAX = 500;

export class Calls {
  /** A mark that differs for each run. */
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

  /** @returns undefined if the agent has sent no input yet. */
  inputOf(session: string, toolCallId: string): Fields | undefined {
    return inputOf(this.of(session, toolCallId)?.told ?? {});
  }

  /** @returns the agent's id of the only unfinished call with this tool and input; undefined for none, and for several. */
  onlyOpen(session: string, tool: string, input: Fields): string | undefined {
    const ids = [...this.#calls].flatMap(([key, { told, status }]) => {
      const [theirs, id] = JSON.parse(key) as [string, string];
      const isMeant = theirs === session && !isOver(status) && this.#toolOf(told) === tool;
      return isMeant && isAlike(inputOf(told) ?? {}, input) ? [id] : [];
    });
    return ids.length === 1 ? ids[0] : undefined;
  }

  /** The call that needs an approval with this input; added if the agent has not reported it. */
  asked(session: string, toolCallId: string, input: Fields): Call {
    const call = this.of(session, toolCallId);
    return this.#keep(session, toolCallId, call, { ...call?.told, rawInput: input }, call?.status);
  }

  /** An id for a call that only its request names. */
  freshId(): string {
    return `request-${this.#run}-${++this.#count}`;
  }

  rejected(session: string, toolCallId: string): void {
    const call = this.of(session, toolCallId);
    if (call) this.#calls.set(keyOf(session, toolCallId), { ...call, isRejected: true });
  }

  /** Stores an update. @returns the report for the engine, if one is due. */
  updated(
    session: string,
    { call: toolCallId, isBegun, told: more, status: said }: Update,
  ): object | undefined {
    const { outputOf = outputIn, aboutOf, isRefused } = this.#words;
    const before = this.of(session, toolCallId);
    const isAnother = before !== undefined && isBegun && isOver(before.status);
    const known = isAnother ? undefined : before;
    // Agents send an input in several parts, and some inputs only with the request for approval.
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
    // A call that is over needs no more approvals.
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

/** @returns undefined if the agent has sent no input yet. */
export function inputOf({ rawInput }: Fields): Fields | undefined {
  return isFields(rawInput) && Object.keys(rawInput).length > 0 ? rawInput : undefined;
}

export const shortened = (text: string): string => wellFormed(text.slice(0, TEXT_MAX));
/** The text without half surrogate pairs, which UTF-8 cannot encode: each is replaced. */
export const wellFormed = (text: string): string => Buffer.from(text).toString();
