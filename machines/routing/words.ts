// Words
// Stores what an agent says before a call, and decides when these words become the call's intent.
//
//   Owns:          the latest words of each agent, which source of an intent is better, how certain each source is.
//   Does not own:  finding an agent's words in a file (adapters/intent), how a client reports an agent's words (adapters).
//
// I-49. An intent is replaced only by an intent from a better source. From best to worst the sources are: `message` (words in the
//       call's own message), `parent` (words in an earlier message), `display` (words that the client displayed), `description`
//       (a field of the tool input) and `prompt`. So the order in which the sources report makes no difference.
// I-50. An agent's words are never the intent of a call of another request, agent or channel. The intent counts as certain only
//       for calls of the same message that contains the words.

import { type CallBook, calls, sayings, type WordsBook } from "../books.ts";
import { defined } from "../defined.ts";
import type { AgentId, CallId, RequestId } from "../ids.ts";
import type { AgentSaid, Intent, SourceInput } from "../inputs.ts";
import { promptIntent } from "./asked.ts";
import { knownRequest } from "./requests.ts";
import { type Scene, tellCall } from "./scene.ts";

/** I-44: the most characters of an agent's words that are stored, because a record must stay small. */
const TEXT_MAX = 4_096;

const SOURCES: readonly Intent["source"][] = ["message", "parent", "display", "description", "prompt"];

const keyOf = (scene: Scene, agentId: AgentId): string => `${scene.channel}/${agentId}`;

export function agentSaid(scene: Scene, agentId: AgentId, input: AgentSaid): void {
  say(scene, agentId, input, knownRequest(scene, agentId, input));
}

export function say(
  scene: Scene,
  agentId: AgentId,
  input: AgentSaid,
  requestId: RequestId | undefined,
): void {
  const { records } = scene;
  const key = keyOf(scene, agentId);
  const before = sayings.get(records, key);
  const isMore = input.continues === true && before?.messageId === input.messageId;
  const text = (isMore ? (before?.text ?? "") : "") + input.text;
  const { messageId, line } = input;
  const words: WordsBook = {
    text: text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX - 1)}…` : text,
    ...defined({ messageId, line, requestId }),
  };
  sayings.set(records, key, words);
}

export function intentOf(
  scene: Scene,
  agentId: AgentId,
  requestId: RequestId,
  input: SourceInput,
): Intent | undefined {
  if (input.type !== "tool.announced" && input.type !== "tool.started") return undefined;
  const said = saidBefore(scene, agentId, requestId, input);
  if (input.intent && said) return better(input.intent, said);
  return input.intent ?? said ?? promptIntent(scene, agentId, requestId);
}

function saidBefore(
  scene: Scene,
  agentId: AgentId,
  requestId: RequestId,
  input: Extract<SourceInput, { type: "tool.announced" | "tool.started" }>,
): Intent | undefined {
  const { records } = scene;
  const words = sayings.get(records, keyOf(scene, agentId));
  if (!words) return undefined;
  const { text, line } = words;
  const place = line === undefined ? {} : { line };
  const messageId = input.type === "tool.announced" ? input.messageId : undefined;
  if (messageId !== undefined && messageId === words.messageId) {
    // The stream line with the agent's words names no request, so the words are stored with the request of the message's first
    // call.
    if (words.requestId === undefined) sayings.set(records, keyOf(scene, agentId), { ...words, requestId });
    return { text, source: "message", confidence: "certain", ...place };
  }
  if (words.requestId !== requestId) return undefined;
  const source = input.type === "tool.announced" ? "parent" : "display";
  return { text, source, confidence: "likely", ...place };
}

const better = (one: Intent, other: Intent): Intent =>
  SOURCES.indexOf(other.source) < SOURCES.indexOf(one.source) ? other : one;

export const intentBook = ({ source, line }: Intent): Pick<CallBook, "intent" | "intentHasLine"> => ({
  intent: source,
  ...(line !== undefined && { intentHasLine: true }),
});

/** True if this intent is better than the call's. Of two from one source, the one that names a transcript line is better. */
function isBetter({ source, line }: Intent, call: CallBook): boolean {
  if (call.intent === undefined) return true;
  const [now, then] = [SOURCES.indexOf(source), SOURCES.indexOf(call.intent)];
  return now < then || (now === then && line !== undefined && call.intentHasLine !== true);
}

export function learnIntent(scene: Scene, id: CallId, call: CallBook, input: SourceInput): void {
  const intent = intentOf(scene, call.agentId, call.requestId, input);
  if (!intent) return;
  if (!isBetter(intent, call)) return;
  const now = calls.get(scene.records, id) ?? call;
  calls.set(scene.records, id, { ...now, ...intentBook(intent) });
  tellCall(scene, id, { type: "amended", at: scene.at, intent });
}
