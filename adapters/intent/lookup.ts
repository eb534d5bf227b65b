// Lookup
// Makes a single lookup in a transcript, and caches nothing for the next one.
//
//   Owns:          the library's function for a lookup, the list of a transcript's calls.
//   Does not own:  how words are found (extractor).

import { callsIn } from "./call.ts";
import { IntentExtractor, openFor, scopeOf } from "./extractor.ts";
import { History } from "./history.ts";
import type { ExtractedIntent, IntentQuery } from "./query.ts";

/**
 * Finds why a call was made. Never throws. For many lookups use an `IntentExtractor`, which is faster and counts them.
 * @param path the session's transcript, as hooks name it.
 * @returns the words, or an empty text and the reason: words that may be wrong are not returned.
 */
export async function extractIntent(path: string, query: IntentQuery): Promise<ExtractedIntent> {
  return new IntentExtractor({ cachedFiles: 0 }).extract(path, query);
}

export interface ListedCall {
  readonly toolUseId: string;
  readonly tool: string;
  /** When the call's line was written, ms. */
  readonly at: number | undefined;
}

/** The calls among the newest entries of a transcript, in the order of its lines. @throws UnreadableTranscript */
export async function listedCalls(
  path: string,
  { maxEntries, agentId }: { readonly maxEntries: number; readonly agentId?: string },
): Promise<readonly ListedCall[]> {
  const file = await openFor(path, agentId);
  try {
    const history = new History(file);
    const scope = scopeOf(history.path, agentId === undefined ? {} : { agentId });
    await history.at(maxEntries - 1);
    return history.entries
      .slice(0, maxEntries)
      .filter(scope)
      .flatMap((entry) => callsIn(entry))
      .flatMap(({ entry, call }) =>
        call.id === undefined ? [] : [{ toolUseId: call.id, tool: call.tool, at: entry.at }],
      )
      .reverse();
  } finally {
    await file.close();
  }
}
