// Conversation
// Follows what editor and agent say to one another, and tells the engine what is worth it.
//
//   Owns:          the requests that wait for their answer, the sessions with their folders and prompts.
//   Does not own:  what passes (proxy), what is asked about (gates), the calls (calls), what a note means (notes).
//
// CONVERSATION-1. It only watches: nothing here changes, holds up or lets pass a message.
// CONVERSATION-2. What an agent repeats of an earlier conversation, while it loads one, is not told again.
// CONVERSATION-4. What an agent calls itself is told with each note, cut to 100 characters for its name and its version.

import { defined } from "../../../machines/defined.ts";
import { Bounded } from "../bounded.ts";
import { wellFormed } from "../calls.ts";
import { type Fields, type Id, isFields, type Message } from "../message.ts";
import type { Around } from "../notes.ts";
import type { Talk, TalkParts } from "../protocol.ts";
import { textIn } from "../told.ts";
import { Sessions } from "../sessions.ts";
import { textsOf } from "../texts.ts";
import { updateIn } from "./updates.ts";
import { Words } from "./words.ts";

interface Waiting {
  readonly method: string;
  readonly session?: string;
  readonly cwd?: string;
  readonly prompt?: string;
}

const WAITING_MAX = 1_000;
const NAME_MAX = 100;

export class Conversation implements Talk {
  readonly #parts: TalkParts;
  readonly sessions: Sessions;
  readonly #waiting = new Bounded<Id, Waiting>(WAITING_MAX);
  readonly #words = new Words();
  #prompts = 0;

  constructor(parts: TalkParts) {
    this.#parts = parts;
    this.sessions = new Sessions(parts);
  }

  clientSaid(message: Message): void {
    if (message.type !== "request") return;
    const { id, method, params } = message;
    const [session, cwd] = [textIn(params, "sessionId"), textIn(params, "cwd")];
    const prompt = method === "session/prompt" ? `prompt-${this.#parts.run}-${++this.#prompts}` : undefined;
    if (prompt !== undefined) this.#words.forget();
    if (prompt !== undefined && session !== undefined)
      this.sessions.prompted(session, prompt, textsOf(params["prompt"]));
    this.#waiting.set(id, defined({ method, session, cwd, prompt }));
  }

  /** Lines of the agent's that nobody read. */
  passed(lines: Uint8Array): void {
    this.#words.passed(lines);
  }

  /** @param line the message as it came. */
  agentSaid(message: Message, line: Uint8Array): void {
    if (message.type === "answer") return this.#answered(message);
    if (message.method !== "session/update") return;
    const [session, update] = [textIn(message.params, "sessionId"), message.params["update"]];
    if (session === undefined || !isFields(update) || this.#isLoading(session)) return;
    if (update["sessionUpdate"] === "agent_message_chunk") return this.#words.passed(line);
    const title = update["sessionUpdate"] === "session_info_update" ? textIn(update, "title") : undefined;
    if (title !== undefined) this.sessions.titled(session, title);
    const told = updateIn(update);
    const call = told && this.#parts.calls.updated(session, told);
    if (!call) return;
    this.sessions.said(session, this.#words.take(session));
    this.sessions.called(session, call);
  }

  ended(): void {
    this.sessions.ended();
  }

  #answered({ id, result, isError }: Extract<Message, { readonly type: "answer" }>): void {
    const asked = this.#waiting.get(id);
    if (asked === undefined) return;
    this.#waiting.delete(id);
    const said = isFields(result) ? result : {};
    if (asked.method === "initialize") this.sessions.agent = agentIn(said["agentInfo"]);
    if (asked.method === "session/load") this.#words.forget();
    if (asked.method === "session/prompt") return this.#stopped(asked, said, isError);
    if (isError) return;
    const isNew = asked.method === "session/new" || asked.method === "session/fork";
    const isOld = asked.method === "session/load" || asked.method === "session/resume";
    const session = isNew ? textIn(said, "sessionId") : isOld ? asked.session : undefined;
    if (session === undefined) return;
    this.sessions.began(session, asked.cwd, isOld);
  }

  #stopped({ session, prompt }: Waiting, { stopReason }: Fields, isError: boolean): void {
    if (session === undefined || prompt === undefined) return;
    const isFailed = isError || stopReason === "refusal";
    const outcome = stopReason === "cancelled" ? "interrupted" : isFailed ? "failed" : "completed";
    const error = !isFailed ? {} : { error: isError ? "the agent answered with an error" : "refusal" };
    this.sessions.stopped(session, prompt, { outcome, ...error });
  }

  #isLoading(session: string): boolean {
    return [...this.#waiting.values()].some(
      (each) => each.method === "session/load" && each.session === session,
    );
  }
}

function agentIn(info: unknown): Around["agent"] {
  const { name, version } = isFields(info) ? info : {};
  if (typeof name !== "string") return undefined;
  const short = (text: string): string => wellFormed(text.slice(0, NAME_MAX));
  return { name: short(name), ...(typeof version === "string" && { version: short(version) }) };
}
