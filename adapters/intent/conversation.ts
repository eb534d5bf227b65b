// Conversation
// Reads the prompts, texts and calls of the main agent from a transcript, newest first, a page at a time.
//
//   Owns:          which lines are part of the conversation, the limits of a page; finding the line with the session's cost.
//   Does not own:  opening the file (transcripts), parsing a line (entry).
//
// INTENT-CONVERSATION-1. A page reads at most 4 MiB of the file, and skips lines above 1 MiB. So a page may have no items
//     although further pages follow.
// INTENT-CONVERSATION-2. Only the main agent's lines of the session itself count: no line of a subagent or of another session.

import { defined } from "../../machines/defined.ts";
import type { Conversation, Said, ToldCost } from "../../runtime/reading/conversation.ts";
import { type Entry, readEntry } from "./entry.ts";
import { LinesBackwards, type Source } from "./lines-backwards.ts";
import { type Fields, jsonIn } from "../../machines/json.ts";

const LIMITS = { line: 1024 * 1024, file: 4 * 1024 * 1024 };

export interface ConversationPage {
  /** The page ends with the line that brings its items to this number, or earlier: at 4 MiB or at the file's beginning. */
  readonly limit: number;
  /** Whether a line that names `session` belongs to the session whose page is read. */
  readonly isOwn: (session: string) => boolean;
}

/** @param source the file as it was when it was opened, up to the place where the previous page began. */
export async function conversationIn(
  source: Source,
  { limit, isOwn }: ConversationPage,
): Promise<Conversation> {
  const { size } = source;
  let from = size;
  const reading: Source = {
    size,
    read(position, length) {
      from = Math.min(from, position);
      return source.read(position, length);
    },
  };
  const lines = new LinesBackwards(reading, LIMITS);
  const items: Said[] = [];
  let next: number | undefined;
  let cost: ToldCost | undefined;
  for (let line = await lines.next(); line; line = await lines.next()) {
    next = line.offset;
    if (line.bytes === undefined) continue;
    const told = costIn(line.bytes, isOwn);
    cost ??= told;
    if (told) items.push({ kind: "cost", usd: told.usd });
    const reading = readEntry(line.bytes, line.offset);
    if ("entry" in reading && isMain(reading.entry, isOwn)) items.push(...saidIn(reading.entry).toReversed());
    if (items.length >= limit) break;
  }
  // If a line is so long that the page's 4 MiB do not reach back to its beginning, the next page starts to read within this line,
  // and skips what is left of it.
  if (lines.isCut && (next === undefined || next === size)) next = from;
  const more = next !== undefined && next > 0 ? { nextCursor: String(next) } : {};
  return { isKnown: true, items, ...(cost && { cost }), ...more };
}

const isMain = ({ isSidechain, agent, session }: Entry, isOwn: ConversationPage["isOwn"]): boolean =>
  !isSidechain && agent === undefined && (session === undefined || isOwn(session));

function saidIn({ at, prompt, blocks, model, context }: Entry): readonly Said[] {
  const when = defined({ at });
  if (prompt !== undefined && prompt !== "") return [{ kind: "prompt", ...when, text: prompt }];
  const made = { ...when, ...defined({ model, context }) };
  return blocks.flatMap((block): readonly Said[] => {
    if ("text" in block) return [{ kind: "words", ...made, text: block.text }];
    return block.call.id === undefined ? [] : [{ kind: "call", ...made, callId: block.call.id }];
  });
}

const MARK = Buffer.from('"cost-state"');
const TOKENS = ["inputTokens", "outputTokens", "cacheReadInputTokens", "cacheCreationInputTokens"] as const;

/** @returns the cost; undefined if the line has none, or the cost of another session. */
function costIn(bytes: Buffer, isOwn: (session: string) => boolean): ToldCost | undefined {
  if (!bytes.includes(MARK)) return undefined;
  const line = fieldsIn(jsonIn(bytes.toString("utf8")));
  const { type, sessionId, totalCostUSD: usd, hasUnknownModelCost: isPart } = line;
  if (type !== "cost-state" || typeof sessionId !== "string" || !isOwn(sessionId)) return undefined;
  if (!isAmount(usd)) return undefined;
  const used = Object.values(fieldsIn(line["modelUsage"])).map(fieldsIn);
  const tokens = used.flatMap((model) => TOKENS.map((name) => model[name]).filter(isAmount));
  return { usd, tokens: tokens.reduce((sum, each) => sum + each, 0), isPart: isPart === true };
}

const fieldsIn = (value: unknown): Fields =>
  typeof value === "object" && value !== null ? (value as Fields) : {};

const isAmount = (value: unknown): value is number =>
  typeof value === "number" && Number.isFinite(value) && value >= 0;
