// Asked
// What a person asked for: it gives the session its title, and a call its intent where no better source does.
//
//   Owns:          how much of a prompt is kept for calls, and for whose calls.
//   Does not own:  the better sources (words), the prompt itself (the request).
//
// I-50. A prompt is the intent only of the main agent's calls in its own request. Others may have asked for what a
//       subagent does, or for what follows the request's end. A prompt that the client submits in a person's place is
//       nobody's intent.

import { head, type RequestBook, requests, setHead } from "../books.ts";
import { type AgentId, MAIN_AGENT, type RequestId } from "../ids.ts";
import type { Intent, PromptSubmitted } from "../inputs.ts";
import type { Scene } from "./scene.ts";

/** I-44: a copy stands on each call, so it is short. */
const ASKED_MAX = 200;
const TITLE_MAX = 200;

export function askedBy({ text, synthetic }: PromptSubmitted): Pick<RequestBook, "asked"> {
  const asked = text.trim();
  if (synthetic === true || asked === "") return {};
  return { asked: asked.length > ASKED_MAX ? `${asked.slice(0, ASKED_MAX - 1)}…` : asked };
}

/** The prompt as a call's intent, if no words nearer to the call tell one. */
export function promptIntent(scene: Scene, agentId: AgentId, requestId: RequestId): Intent | undefined {
  const text = agentId === MAIN_AGENT ? requests.get(scene.records, requestId)?.asked : undefined;
  return text === undefined ? undefined : { text, source: "prompt", confidence: "weak" };
}

/** The first prompt gives the session its title. */
export function title(scene: Scene, input: PromptSubmitted): void {
  if (input.synthetic || head(scene.records).titled) return;
  setHead(scene.records, { titled: true });
  scene.facts = { ...scene.facts, title: input.text.slice(0, TITLE_MAX) };
}
