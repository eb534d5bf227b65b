// Asked
// Uses the text of a prompt as the session's title, and as the intent of a call that has no better intent.
//
//   Owns:          how much of a prompt is stored for calls, and for which calls the prompt is the intent.
//   Does not own:  intents that are better than a prompt (words), storing the whole prompt (the request).
//
// I-50. A prompt is the intent only of the main agent's calls in the prompt's own request. A subagent's call, or a call after the
//       request's end, may have another reason. A prompt that the client wrote, not a person, is never an intent.

import { head, type RequestBook, requests, setHead } from "../books.ts";
import { type AgentId, MAIN_AGENT, type RequestId } from "../ids.ts";
import type { Intent, PromptSubmitted } from "../inputs.ts";
import type { Scene } from "./scene.ts";

/** I-44: the most characters of a prompt that are stored. Each call has a copy, so the text must be short. */
const ASKED_MAX = 200;
const TITLE_MAX = 200;

export function askedBy({ text, synthetic }: PromptSubmitted): Pick<RequestBook, "asked"> {
  const asked = text.trim();
  if (synthetic === true || asked === "") return {};
  return { asked: asked.length > ASKED_MAX ? `${asked.slice(0, ASKED_MAX - 1)}…` : asked };
}

export function promptIntent(scene: Scene, agentId: AgentId, requestId: RequestId): Intent | undefined {
  const text = agentId === MAIN_AGENT ? requests.get(scene.records, requestId)?.asked : undefined;
  return text === undefined ? undefined : { text, source: "prompt", confidence: "weak" };
}

export function title(scene: Scene, input: PromptSubmitted): void {
  if (input.synthetic || head(scene.records).titled) return;
  setHead(scene.records, { titled: true });
  scene.facts = { ...scene.facts, title: input.text.slice(0, TITLE_MAX) };
}
