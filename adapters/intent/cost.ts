// Cost
// Reads what a session has cost so far, as the client itself writes it into its transcript.
//
//   Owns:          the fields of such a line.
//   Does not own:  prices: nothing is computed here, and a cost that was not written is unknown.

import { type Fields, jsonIn } from "../../machines/json.ts";
import type { ToldCost } from "../../runtime/reading/conversation.ts";

const MARK = Buffer.from('"cost-state"');
const TOKENS = ["inputTokens", "outputTokens", "cacheReadInputTokens", "cacheCreationInputTokens"] as const;

/** @returns undefined for a line without a cost, or with that of another session. */
export function costIn(bytes: Buffer, isOwn: (session: string) => boolean): ToldCost | undefined {
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
