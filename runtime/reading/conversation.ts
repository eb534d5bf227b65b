// Conversation
// The type of a session's conversation: the prompts and the agent's words around its calls, from the client's transcript.
//
//   Owns:          the shape of one page of a conversation.
//   Does not own:  reading the transcript (adapters), which calls the engine knows (machines).

/** One item of a conversation: a text, or, at its place between the texts, a call or a report of the cost. */
export interface Said {
  readonly kind: "prompt" | "words" | "call" | "cost";
  /** When the transcript's line was written, ms. */
  readonly at?: number;
  /** The first 4,096 characters of a prompt or of the agent's words. */
  readonly text?: string;
  /** The id of the call; present only for an item of the kind `call`. */
  readonly callId?: string;
  /** The model that wrote the words or made the call. */
  readonly model?: string;
  /** How many tokens the model read for this message, including cached tokens. This shows how full the model's context was. */
  readonly context?: number;
  /**
   * What the session had cost up to this item, in US dollars, as the client reports it; present only for a report of the cost.
   */
  readonly usd?: number;
}

/** What the session has cost so far, as the client reports it. */
export interface ToldCost {
  readonly usd: number;
  /** The tokens of all models together, including tokens read from a cache. */
  readonly tokens: number;
  /** True if the cost is incomplete, because the client does not know the price of one of the models. */
  readonly isPart: boolean;
}

/** A page of a conversation, newest first. */
export interface Conversation {
  /** False if the transcript is unknown, was removed or cannot be read. The page is then empty. */
  readonly isKnown: boolean;
  readonly items: readonly Said[];
  /** The newest cost that was found while this page was read. */
  readonly cost?: ToldCost;
  /** Present if there may be earlier items. */
  readonly nextCursor?: string;
}

export interface ConversationSlice {
  /** The `nextCursor` of the previous page. */
  readonly cursor?: number;
  readonly limit: number;
}

/** Reads the conversation of a session whose transcript is on this machine. Never rejects because a transcript is damaged. */
export type ReadConversation = (
  workspace: string,
  session: string,
  slice: ConversationSlice,
) => Promise<Conversation>;

export const UNKNOWN_CONVERSATION: Conversation = { isKnown: false, items: [] };
