// Conversation
// The texts of a session around its calls: the prompts and the agent's words, from the client's transcript.
//
//   Owns:          the shape of one page of a conversation.
//   Does not own:  reading the transcript (adapters), which calls the engine knows.

/** One text of a conversation, or a call or a report of the cost at its place between the texts. */
export interface Said {
  readonly kind: "prompt" | "words" | "call" | "cost";
  /** When the transcript's line was written, ms. */
  readonly at?: number;
  /** The first 4,096 characters of a prompt or of the agent's words. */
  readonly text?: string;
  /** The call; absent for a text. */
  readonly callId?: string;
  /** The model that wrote the words or made the call. */
  readonly model?: string;
  /** How many tokens the model read for this message, cached ones included. They show how full the model's context was. */
  readonly context?: number;
  /** What the session had cost by then, as the client reports it; only a report of the cost has this. */
  readonly usd?: number;
}

/** What the session has cost so far, as the client reports it. */
export interface ToldCost {
  readonly usd: number;
  /** The tokens of all models together, with those that were read from a cache. */
  readonly tokens: number;
  /** True if the client does not know the price of one of the models. */
  readonly isPart: boolean;
}

/** A page of a conversation, newest first. */
export interface Conversation {
  /** False if the transcript is unknown, gone or not readable. The page is then empty. */
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

/** Reads the conversation of a session whose transcript is on this machine. A damaged transcript never makes it reject. */
export type ReadConversation = (
  workspace: string,
  session: string,
  slice: ConversationSlice,
) => Promise<Conversation>;

export const UNKNOWN_CONVERSATION: Conversation = { isKnown: false, items: [] };
