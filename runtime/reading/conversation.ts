// Conversation
// What was said in a session around its calls: the prompts and the agent's texts, with the calls between them.
//
//   Owns:          the shape of a page of a conversation.
//   Does not own:  reading the client's transcript (adapters), which calls the engine knows.

/** One text of a conversation, or a call at its place among the texts. */
export interface Said {
  readonly kind: "prompt" | "words" | "call";
  /** When the transcript's line was written, ms. */
  readonly at?: number;
  /** The first 4,096 characters of a prompt or of the agent's words. */
  readonly text?: string;
  /** Present for a call. */
  readonly callId?: string;
}

/** The cost of the session so far, as the client reports it. */
export interface ToldCost {
  readonly usd: number;
  /** The tokens of all models together, cached ones included. */
  readonly tokens: number;
  /** True if the client does not know the price of one of the models. */
  readonly isPart: boolean;
}

/** A page of a conversation, newest first. */
export interface Conversation {
  /** False if the transcript is unknown, gone or not readable; the page is then empty. */
  readonly isKnown: boolean;
  readonly items: readonly Said[];
  /** The newest cost that was found while this page was read. */
  readonly cost?: ToldCost;
  /** Present if there may be earlier items. */
  readonly nextCursor?: string;
}

export interface ConversationSlice {
  /** The `nextCursor` of the page before. */
  readonly cursor?: number;
  readonly limit: number;
}

/** Reads the conversation of a session on this machine. A faulty transcript never makes it reject. */
export type ReadConversation = (
  workspace: string,
  session: string,
  slice: ConversationSlice,
) => Promise<Conversation>;

export const UNKNOWN_CONVERSATION: Conversation = { isKnown: false, items: [] };
