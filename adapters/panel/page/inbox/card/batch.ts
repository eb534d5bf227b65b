// Batch
// The batch of a call: which of its calls this one is, and which come after it.
//
//   Owns:          reading the batch.
//   Does not own:  how the batch is described (whole.tsx, consequence.tsx).

import { useEffect, useState } from "preact/hooks";
import type { CallAnswer } from "../../../../../runtime/reading/queries.ts";
import type { CallView } from "../../../../../runtime/rows/views.ts";
import type { Page } from "../../../../../runtime/reading/paging.ts";
import { useAsked } from "../../engine/asked.ts";
import { ask } from "../../engine/api.ts";

const CALLS_MAX = 100;
/** Longer than a person who holds a key down stays at one approval, ms. */
const LINGER_MS = 150;

export interface Batch {
  /** The calls of the batch, in order. */
  readonly calls: readonly CallView[];
  /** False if the request has more calls than were read. */
  readonly isWhole: boolean;
}

/** @returns the batch of a call; undefined until it is read. */
export function useBatch(call: CallAnswer | undefined): Batch | undefined {
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

/** True once a card has been chosen for a moment: for a card that is only passed by, nothing is read. */
export function useLinger(): boolean {
  const [isRead, setRead] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setRead(true), LINGER_MS);
    return () => clearTimeout(timer);
  }, []);
  return isRead;
}
