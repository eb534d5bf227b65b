// Batch
// The calls that the agent made in one go with a call: which step it is, and what comes after it.
//
//   Owns:          asking for them.
//   Does not own:  the words (whole.tsx, consequence.tsx).

import { useEffect, useState } from "preact/hooks";
import type { CallAnswer } from "../../../../../runtime/reading/queries.ts";
import type { CallView } from "../../../../../runtime/rows/views.ts";
import type { Page } from "../../../../../runtime/reading/paging.ts";
import { useAsked } from "../../engine/asked.ts";
import { ask } from "../../engine/api.ts";

const CALLS_MAX = 100;
/** Longer than a key is held down from one approval to the next. */
const LINGER_MS = 150;

export interface Batch {
  /** In order. */
  readonly calls: readonly CallView[];
  /** False where a request has more calls than were asked for. */
  readonly isWhole: boolean;
}

/** @returns undefined until they are known. */
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

/** Whether somebody stays with it: of an approval that is only passed by, nothing is asked. */
export function useLinger(): boolean {
  const [isRead, setRead] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setRead(true), LINGER_MS);
    return () => clearTimeout(timer);
  }, []);
  return isRead;
}
