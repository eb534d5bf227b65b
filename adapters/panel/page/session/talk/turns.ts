// Turns
// Finds the figures of an agent's turns, that is, of its work on each request, in the client's transcript: texts, model, cost.
//
//   Owns:          which of the client's cost reports belong to which turn.
//   Does not own:  which request a text belongs to (talk.ts), how the figures look (figures.tsx).
//
// TURNS-1. The cost of a turn is the last cost of the session that the client reported in the turn, minus the last one that it
//     reported in the turn before. If one of these reports was not made or not read, the cost of the turn is unknown: no cost is
//     spread over several turns.
// TURNS-2. The model and the context of a turn are those of the turn's last message that has them.

import { defined } from "../../../../../machines/defined.ts";
import type { Said } from "../../../../../runtime/reading/conversation.ts";

/** An item of a conversation, and the request that it belongs to. */
export interface Placed {
  readonly said: Said;
  readonly request: string | undefined;
}

export interface Turn {
  /** How many texts the agent wrote. */
  readonly texts: number;
  readonly model?: string;
  /** How many tokens the model was given for the turn's last message. */
  readonly context?: number;
  readonly usd?: number;
}

/**
 * The figures of each request.
 * @param items oldest first.
 * @param isWhole true if the conversation was read from its beginning: nothing was spent before the first item.
 */
export function turnsOf(items: readonly Placed[], isWhole: boolean): ReadonlyMap<string, Turn> {
  const turns = new Map<string, Turn>();
  /** The cost reported when the turn before this one ended, and the cost reported last; undefined if not known. */
  let [before, spent]: readonly (number | undefined)[] = isWhole ? [0, undefined] : [];
  let isFirst = true;
  for (const { said, request } of items) {
    if (said.kind === "prompt") {
      if (!isFirst) [before, spent] = [spent, undefined];
      isFirst = false;
    }
    if (said.kind === "cost") spent = said.usd;
    if (request === undefined) continue;
    const turn = turns.get(request) ?? { texts: 0 };
    const usd = before !== undefined && spent !== undefined && spent >= before ? spent - before : undefined;
    turns.set(request, {
      ...turn,
      texts: turn.texts + (said.kind === "words" ? 1 : 0),
      ...defined({ model: said.model, context: said.context }),
      ...(said.kind === "cost" && defined({ usd })),
    });
  }
  return turns;
}
