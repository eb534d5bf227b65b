// Conversation
// Reads from the messages of editor and agent what happens in the agent's sessions.
//
//   Owns:          which messages begin, prompt, end or name a session; what an agent says before a call.
//   Does not own:  requests without a response yet (talk), what is known of calls (calls), the meaning of a note (notes).
//
// CONVERSATION-2. While an agent loads an earlier conversation, its repeated messages are not reported again.

import type { Fields } from "../../../machines/json.ts";
import type { Protocol } from "../protocol.ts";
import type { Answered, TalkWords } from "../talk.ts";
import { textsOf } from "../texts.ts";
import { fieldsIn, textIn } from "../told.ts";
import { updateIn } from "./updates.ts";
import { Words } from "./words.ts";

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
