// Intent: finds why an agent made a call, in the client's transcript.

export { conversationIn } from "./conversation.ts";
export { extractIntent, listedCalls } from "./lookup.ts";
export type { ListedCall } from "./lookup.ts";
export { IntentExtractor } from "./extractor.ts";
export type { ExtractorOptions, IntentLog } from "./extractor.ts";
export type { IntentAlert, IntentCounts } from "./measures.ts";
export type {
  ExtractedIntent,
  IntentCode,
  IntentOutcome,
  IntentQuery,
  SkippedLines,
  TranscriptPlace,
} from "./query.ts";
