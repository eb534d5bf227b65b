// Asked
// What a person asked for: a session's title, and the last source of why a call is made.
//
//   Owns:          how much of a prompt is kept for its calls, and whose calls it may speak for.
//   Does not own:  the better sources (words), the prompt itself (the request).
//
// I-50. A prompt is the intent of the main agent's calls in its own request alone: what a subagent does, or what follows
//       after the request's end, others may have asked for. What the client submits in a person's place is nobody's intent.

import { head, type RequestBook, requests, setHead } from "../books.ts";
import { type AgentId, MAIN_AGENT, type RequestId } from "../ids.ts";
import type { Intent, PromptSubmitted } from "../inputs.ts";
import type { Scene } from "./scene.ts";

/** I-44: it stands on each of the calls. */
const ASKED_MAX = 200;
const TITLE_MAX = 200;

export function askedBy({ text, synthetic }: PromptSubmitted): Pick<RequestBook, "asked"> {
  const asked = text.trim();
  if (synthetic === true || asked === "") return {};
  return { asked: asked.length > ASKED_MAX ? `${asked.slice(0, ASKED_MAX - 1)}…` : asked };
}

/** The prompt as a call's intent, where there is none to be had from words nearer to it. */
export function promptIntent(scene: Scene, agentId: AgentId, requestId: RequestId): Intent | undefined {
  const text = agentId === MAIN_AGENT ? requests.get(scene.records, requestId)?.asked : undefined;
  return text === undefined ? undefined : { text, source: "prompt", confidence: "weak" };
}

/** The first of them names its session. */
export function title(scene: Scene, input: PromptSubmitted): void {
  if (input.synthetic || head(scene.records).titled) return;
  setHead(scene.records, { titled: true });
  scene.facts = { ...scene.facts, title: input.text.slice(0, TITLE_MAX) };
}
