// Conversation
// What was said around the calls of a session: its prompts and the agent's texts, with the calls between them.
//
//   Owns:          the shape of a page of it.
//   Does not own:  where it is read (adapters: it is the client's own transcript), which calls the engine knows.

/** One thing said, or the call that was made at this place. */
export interface Said {
  readonly kind: "prompt" | "words" | "call";
  /** When its line was written, ms. */
  readonly at?: number;
  /** Of a prompt or words, as far as its first 4,096 characters go. */
  readonly text?: string;
  /** Of a call. */
  readonly callId?: string;
}

/** What the client says that the session has cost so far. */
export interface ToldCost {
  readonly usd: number;
  /** Of all models together, cached ones too. */
  readonly tokens: number;
  /** The client does not know what one of the models costs. */
  readonly isPart: boolean;
}

/** Newest first. */
export interface Conversation {
  /** False where no transcript is known, or it may not be read, or is gone: then nothing is told. */
  readonly isKnown: boolean;
  readonly items: readonly Said[];
  /** The newest that this page came by. */
  readonly cost?: ToldCost;
  /** Where there may be more before them. */
  readonly nextCursor?: string;
}

export interface ConversationSlice {
  /** Of the page before. */
  readonly cursor?: number;
  readonly limit: number;
}

/** Reads the conversation of a session that this machine has. Rejects for no fault of the file. */
export type ReadConversation = (
  workspace: string,
  session: string,
  slice: ConversationSlice,
) => Promise<Conversation>;

export const UNKNOWN_CONVERSATION: Conversation = { isKnown: false, items: [] };
