// Before
// Reads what the agent said and did before a call: a few lines of its words, and a few earlier calls.
//
//   Owns:          which words and calls are read, and how many are shown.
//   Does not own:  how the words and calls look (background.tsx), the whole conversation and all calls (session/).
//
// BACKGROUND-BEFORE-1. If it is known which call an approval is about, the background shows nothing that came after that call.

import type { Conversation } from "../../../../../runtime/reading/conversation.ts";
import type { Page } from "../../../../../runtime/reading/paging.ts";
import type { CallView } from "../../../../../runtime/rows/views.ts";
import { useAsked } from "../../engine/asked.ts";
import { ask } from "../../engine/api.ts";
import type { Card } from "../card/card.ts";

const SAID_MAX = 3;
const SAID_ASKED = 60;
const CALLS_MAX = 5;
const CALLS_ASKED = 30;

/** @returns the agent's words, oldest first; undefined until they are read. */
export function useSaid({ approval }: Card, isRead: boolean): readonly string[] | undefined {
  const { workspace, sessionId, callId } = approval;
  return useAsked([workspace, sessionId, callId, isRead], async (signal) => {
    if (!isRead) return undefined;
    const path = `/v1/sessions/${sessionId}/conversation`;
    const { items } = await ask<Conversation>(path, { workspace, limit: SAID_ASKED }, signal);
    return behind(items, ({ callId: id }) => id !== undefined && id === callId)
      .flatMap(({ kind, text }) => (kind === "call" || text === undefined ? [] : [text]))
      .slice(0, SAID_MAX)
      .toReversed();
  });
}

/** @returns the earlier calls, oldest first; undefined until they are read. */
export function useCallsBefore({ approval }: Card, isRead: boolean): readonly CallView[] | undefined {
  const { workspace, sessionId, callId, askedAt } = approval;
  return useAsked([workspace, sessionId, callId, askedAt, isRead], async (signal) => {
    if (!isRead) return undefined;
    const path = `/v1/sessions/${sessionId}/tool-calls`;
    const { items } = await ask<Page<CallView>>(path, { workspace, limit: CALLS_ASKED }, signal);
    return behind(items, ({ id }) => id === callId)
      .filter(({ createdAt }) => createdAt <= askedAt)
      .slice(0, CALLS_MAX)
      .toReversed();
  });
}

/**
 * BACKGROUND-BEFORE-1. @param items the items, newest first. @returns the items older than the one that `isIt` finds; all items
 * if it finds none.
 */
function behind<T>(items: readonly T[], isIt: (item: T) => boolean): readonly T[] {
  return items.slice(items.findIndex(isIt) + 1);
}
