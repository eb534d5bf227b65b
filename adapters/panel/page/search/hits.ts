// Hits
// What the engine finds for a text, while a person types it.
//
//   Owns:          when to ask the engine, and asking again until it has searched everything.
//   Does not own:  finding (runtime/reading/search), showing the results (palette.tsx).

import { useEffect, useState } from "preact/hooks";
import type { SearchAnswer } from "../../../../runtime/reading/search/search.ts";
import { type ApiError, ask, refusal } from "../engine/api.ts";

export interface Hits {
  /** The engine's answer for the last text that was searched for. */
  readonly answer?: SearchAnswer;
  readonly isSearching: boolean;
  readonly failure?: ApiError;
}

const TYPING_MS = 80;
const LIMIT = 8;
const TEXT_MAX = 200;

export function useHits(text: string): Hits {
  const [hits, show] = useState<Hits>({ isSearching: true });
  useEffect(() => {
    const leaving = new AbortController();
    show(({ answer }) => ({ ...(answer && { answer }), isSearching: true }));
    const timer = setTimeout(() => {
      search(text, leaving.signal, show).catch((error: unknown) => {
        if (leaving.signal.aborted) return;
        show({ isSearching: false, failure: refusal(error) });
      });
    }, TYPING_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [text]);
  return hits;
}

/** Searches step by step, each time further back, until everything was searched or the results fill the list. */
async function search(text: string, signal: AbortSignal, show: (hits: Hits) => void): Promise<void> {
  const wish = { text: text.trim().slice(0, TEXT_MAX) || undefined, limit: LIMIT };
  for (let isSearching = true; isSearching;) {
    const answer = await ask<SearchAnswer>("/v1/search", wish, signal);
    if (signal.aborted) return;
    isSearching = !answer.isWhole && answer.since === undefined;
    show({ answer, isSearching });
  }
}
