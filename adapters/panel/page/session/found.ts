// Found
// Finds calls in the whole history of a session: the engine searches, and the page collects the results.
//
//   Owns:          querying the engine, page by page, until there are no more results or 400 are found.
//   Does not own:  which calls match a search (runtime/reading/filters), showing the calls (timeline.tsx).

import { useEffect, useState } from "preact/hooks";
import type { CallAnswer } from "../../../../runtime/reading/queries.ts";
import type { StateChange } from "../../../../runtime/rows/changes.ts";
import type { Page } from "../../../../runtime/reading/paging.ts";
import { ApiError, ask } from "../engine/api.ts";
import { type Begun, callNow, requestsNow } from "../history/before.ts";
import type { Wanted } from "./model.ts";

export interface Found {
  readonly calls: readonly StateChange[];
  readonly requests: readonly Begun[];
  readonly isSearching: boolean;
  /** True if more calls match than are shown. */
  readonly isPart: boolean;
}

const NOTHING: Found = { calls: [], requests: [], isSearching: false, isPart: false };
/** How long typing must pause before the engine is asked, ms. */
const TYPING_MS = 200;
const PAGE = 200;
const FOUND_MAX = 400;

/** @param isNeeded false if all calls are on the page, which then searches them itself. */
export function useFound(workspace: string, session: string, wanted: Wanted, isNeeded: boolean): Found {
  const [found, show] = useState(NOTHING);
  const { text, states } = wanted;
  const isSought = isNeeded && (text !== "" || states.size > 0);
  useEffect(() => {
    if (!isSought) {
      show(NOTHING);
      return;
    }
    const leaving = new AbortController();
    show((before) => ({ ...before, isSearching: true }));
    const timer = setTimeout(() => {
      search(workspace, session, wanted, leaving.signal).then(
        (all) => !leaving.signal.aborted && show(all),
        (error: unknown) => {
          if (leaving.signal.aborted) return;
          if (!(error instanceof ApiError)) throw error;
          show({ ...NOTHING, isPart: true });
        },
      );
    }, TYPING_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [workspace, session, wanted, isSought]);
  return found;
}

async function search(
  workspace: string,
  session: string,
  { text, states }: Wanted,
  signal: AbortSignal,
): Promise<Found> {
  const calls: CallAnswer[] = [];
  let isPart = false;
  for (const state of states.size === 0 ? [undefined] : states) {
    let cursor: string | undefined;
    do {
      const wish = { workspace, state, text: text === "" ? undefined : text, limit: PAGE, cursor };
      const page: Page<CallAnswer> = await ask(`/v1/sessions/${session}/tool-calls`, wish, signal);
      calls.push(...page.items);
      cursor = page.nextCursor;
    } while (cursor !== undefined && calls.length < FOUND_MAX);
    isPart ||= cursor !== undefined;
  }
  const requests = await requestsNow(workspace, [
    ...new Set(calls.map(({ requestId }) => String(requestId))),
  ]);
  const inOrder = calls.toSorted((a, b) => a.createdAt - b.createdAt || a.index - b.index);
  return { calls: inOrder.map(callNow), requests, isSearching: false, isPart };
}
