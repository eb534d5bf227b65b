// Batch
// Reads the batch of a call: which number the call has in the batch, and which calls come after it.
//
//   Owns:          reading the batch from the engine.
//   Does not own:  the words about the batch (whole.tsx, consequence.tsx).

import { useEffect, useState } from "preact/hooks";
import type { CallAnswer } from "../../../../../runtime/reading/queries.ts";
import type { CallView } from "../../../../../runtime/rows/views.ts";
import type { Page } from "../../../../../runtime/reading/paging.ts";
import { useAsked } from "../../engine/asked.ts";
import { ask } from "../../engine/api.ts";

const CALLS_MAX = 100;
/** How long a card must stay chosen before more is read for it, ms: longer than each card is while a person holds a key down. */
const LINGER_MS = 150;

/** @returns the batch's calls in order, and whether all calls of the request were read; undefined until the batch is read. */
export function useBatch(call: CallAnswer | undefined) {
  const { id, workspace, sessionId, requestId: request, batchId } = call ?? {};
  return useAsked([id, workspace, sessionId, request, batchId], async (signal) => {
    if (sessionId === undefined || request === undefined) return undefined;
    const path = `/v1/sessions/${sessionId}/tool-calls`;
    const { items, nextCursor } = await ask<Page<CallView>>(
      path,
      { workspace, request, limit: CALLS_MAX },
      signal,
    );
    const calls = items.filter((each) => each.batchId === batchId);
    return { calls: calls.toSorted((a, b) => a.index - b.index), isWhole: nextCursor === undefined };
  });
}

/** True once a card has been chosen for a moment: nothing is read for a card that is only passed by. */
export function useLinger(): boolean {
  const [isRead, setRead] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setRead(true), LINGER_MS);
    return () => clearTimeout(timer);
  }, []);
  return isRead;
}
