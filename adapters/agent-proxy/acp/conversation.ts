// Conversation
// Finds out from the messages of editor and agent what happens in the agent's sessions.
//
//   Owns:          which messages begin, prompt, end or name a session; what an agent says before a call; how the agent's
//                  updates tell a call's state, purpose and refusal.
//   Does not own:  requests without a response yet (talk), what is known of calls (calls), the meaning of a note (notes).
//
// CONVERSATION-2. While an agent loads an earlier conversation, the messages that it repeats are not reported again.
// CONVERSATION-3. Lines with an agent's words are passed on unparsed. The proxy copies them, and parses the copy at the next
//     call.
// CONVERSATION-4. Memory is bounded: only the last 64 KiB of an agent's words are stored.
// CONVERSATION-5. An agent's words belong to a call if they come in the call's own session, after that session's last call and
//     after the last prompt of any session. Thoughts do not count, nor what the agent repeats of an earlier conversation.

import { type Fields, isFields, jsonIn } from "../../../machines/json.ts";
import type { Protocol } from "../protocol.ts";
import type { Answered, TalkWords } from "../talk.ts";
import { fieldsIn, STATUSES, textIn, textsOf, type Update } from "../told.ts";

export const conversation: Protocol["talk"] = ({ run, calls, sessions, waits }): TalkWords => {
  const words = new Words();
  let prompts = 0;
  const sessionIn = (params: Fields): string | undefined => textIn(params, "sessionId");
  const begun = ({ params, result }: Answered): void => {
    const session = sessionIn(result);
    if (session !== undefined) sessions.began(session, textIn(params, "cwd"), false);
  };
  const resumed = ({ session, params, isError }: Answered): void => {
    if (session !== undefined && !isError) sessions.began(session, textIn(params, "cwd"), true);
  };
  return {
    sessionIn,
    requested(method, params) {
      if (method !== "session/prompt") return undefined;
      const [session, prompt] = [sessionIn(params), `prompt-${run}-${++prompts}`];
      words.forget();
      if (session !== undefined) sessions.prompted(session, prompt, textsOf(params["prompt"]));
      return prompt;
    },
    answered: {
      initialize({ result }) {
        const { name, version } = fieldsIn(result, "agentInfo");
        sessions.greeted(name, version);
      },
      "session/new": begun,
      "session/fork": begun,
      "session/resume": resumed,
      "session/load"(answer) {
        words.forget();
        resumed(answer);
      },
      "session/prompt"({ session, kept: prompt, result: { stopReason }, isError }) {
        if (session === undefined || prompt === undefined) return;
        const isFailed = isError || stopReason === "refusal";
        const outcome = stopReason === "cancelled" ? "interrupted" : isFailed ? "failed" : "completed";
        sessions.stopped(session, prompt, outcome, isError ? "the agent answered with an error" : "refusal");
      },
    },
    notified: {
      "session/update"(session, params, line) {
        const update = fieldsIn(params, "update");
        if (waits((each) => each.method === "session/load" && each.session === session)) return;
        const { sessionUpdate } = update;
        if (sessionUpdate === "agent_message_chunk") words.passed(line);
        if (sessionUpdate === "session_info_update") sessions.titled(session, textIn(update, "title"));
        const told = updateIn(update);
        const call = told && calls.updated(session, told);
        if (!call) return;
        sessions.said(session, words.take(session));
        sessions.called(session, call);
      },
    },
    passed: (lines) => words.passed(lines),
  };
};

const KEPT_MAX = 64 * 1024;
const TEXT_MAX = 4_000;

export class Words {
  #kept: Uint8Array[] = [];
  #bytes = 0;
  #isCut = false;

  /**
   * Keeps what the agent sent, at most the last `KEPT_MAX` bytes, until `take` reads the agent's words in it.
   * @param lines whole lines, with their newlines.
   */
  passed(lines: Uint8Array): void {
    if (lines.length === 0) return;
    const tail = Buffer.from(lines.subarray(-KEPT_MAX));
    if (tail.length < lines.length) [this.#kept, this.#bytes, this.#isCut] = [[], 0, true];
    this.#kept.push(tail);
    this.#bytes += tail.length;
    for (let [first] = this.#kept; first && this.#bytes - first.length >= KEPT_MAX; [first] = this.#kept) {
      this.#kept.shift();
      this.#isCut = true;
      this.#bytes -= first.length;
    }
  }

  /** What a session's agent has said since the last call of this function; empty if it has said nothing. */
  take(session: string): string {
    const lines = Buffer.concat(this.#kept).toString().split("\n");
    const isCut = this.#isCut;
    this.forget();
    const text = lines
      .map((line) => chunkIn(line, session))
      .join("")
      .trim();
    return text !== "" && (isCut || text.length > TEXT_MAX) ? `…${text.slice(-TEXT_MAX)}` : text;
  }

  forget(): void {
    [this.#kept, this.#bytes, this.#isCut] = [[], 0, false];
  }
}

function chunkIn(line: string, session: string): string {
  if (!line.includes("agent_message_chunk")) return "";
  const said = jsonIn(line);
  const params = fieldsIn(said, "params");
  const update = fieldsIn(params, "update");
  const text = fieldsIn(update, "content")["text"];
  const isIts = params["sessionId"] === session && update["sessionUpdate"] === "agent_message_chunk";
  return isIts && typeof text === "string" ? text : "";
}

function updateIn({ sessionUpdate, toolCallId, ...told }: Fields): Update | undefined {
  if (sessionUpdate !== "tool_call" && sessionUpdate !== "tool_call_update") return undefined;
  if (typeof toolCallId !== "string" || toolCallId === "") return undefined;
  const status = STATUSES.find((each) => each === told["status"] && each !== "declined");
  return { call: toolCallId, isBegun: sessionUpdate === "tool_call", told, status };
}

/** The call's purpose in the agent's words: its description, or a title that says more than the command or the tool's name. */
export function aboutOf({ title, rawInput }: Fields): string | undefined {
  const input = isFields(rawInput) ? rawInput : {};
  const { description } = input;
  const isTelling =
    typeof title === "string" && /\s/.test(title.trim()) && !Object.values(input).includes(title);
  const about = typeof description === "string" ? description : isTelling ? title : "";
  return about.trim() || undefined;
}

/** Whether the agent says that the call did not run because this or another call was rejected (PROXY-CALLS-3). */
export function isRefused({ rawOutput }: Fields): boolean {
  if (!isFields(rawOutput)) return false;
  const { code, error } = rawOutput;
  return code === "rejected" || (typeof error === "string" && error.startsWith(OPENCODE_REJECTED));
}

const OPENCODE_REJECTED = "The user rejected permission to use this specific tool call";
