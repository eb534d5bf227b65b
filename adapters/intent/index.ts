// Intent: finds why an agent made a call, in the client's transcript.

export { conversationIn } from "./conversation.ts";
export { extractIntent, type ListedCall, listedCalls } from "./lookup.ts";
export { type ExtractorOptions, IntentExtractor, type IntentLog } from "./extractor.ts";
export type { IntentAlert, IntentCounts } from "./measures.ts";
export type {
  ExtractedIntent,
  IntentCode,
  IntentOutcome,
  IntentQuery,
  SkippedLines,
  TranscriptPlace,
} from "./query.ts";
