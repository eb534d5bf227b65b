// Batch
// The calls that the agent made in one go with a call: which step it is, and what comes after it.
//
//   Owns:          asking for them.
//   Does not own:  the words (whole.tsx, consequence.tsx).

import { useEffect, useState } from "preact/hooks";
import type { CallAnswer } from "../../../../../runtime/reading/queries.ts";
import type { CallView } from "../../../../../runtime/rows/views.ts";
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

interface Page {
  readonly items: readonly CallView[];
  readonly nextCursor?: string;
}

/** @returns undefined until they are known. */
export function useBatch(call: CallAnswer | undefined): Batch | undefined {
  const [batch, show] = useState<Batch>();
  const { id, workspace, sessionId, requestId: request, batchId } = call ?? {};
  useEffect(() => {
    if (sessionId === undefined || request === undefined) return;
    const leaving = new AbortController();
    const path = `/v1/sessions/${sessionId}/tool-calls`;
    ask<Page>(path, { workspace, request, limit: CALLS_MAX }, leaving.signal).then(
      ({ items, nextCursor }) => {
        const calls = items.filter((each) => each.batchId === batchId);
        show({ calls: calls.toSorted((a, b) => a.index - b.index), isWhole: nextCursor === undefined });
      },
      () => show(undefined),
    );
    return () => leaving.abort();
  }, [id, workspace, sessionId, request, batchId]);
  return batch;
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
