// Before
// What a window of the log presupposes: the state of the session and of each request when the window began.
//
//   Owns:          finding out which of them the window says nothing about; requesting those.
//   Does not own:  the window (history.ts).
//
// BEFORE-1. Each result is a change of the log, the last one before the window: no moment is made up.

import type { StateChange } from "../../../../runtime/rows/changes.ts";
import { ask } from "../engine/api.ts";

interface Page {
  readonly items: readonly StateChange[];
  readonly nextCursor?: string;
}

/** One that changed last longer ago than so many pages is shown by its id. */
const PAGES_MAX = 5;
/** Asked about at once. */
const ASKED_MAX = 20;

/** Requests, by id, that are spoken of before they say anything themselves. */
function silentIn(window: readonly StateChange[]): readonly string[] {
  const told = new Set<string>();
  const silent = new Set<string>();
  for (const { entity, id, requestId } of window) {
    if (entity === "request" || entity === "callback") told.add(id);
    else if (requestId !== undefined && !told.has(requestId)) silent.add(requestId);
  }
  return [...silent];
}

/**
 * @param window changes of one session without a gap, by version.
 * @param cursor where the log goes on before them.
 * @returns the last change before the window of each that it says too little of. @throws ApiError
 */
export async function changesBefore(
  workspace: string,
  session: string,
  window: readonly StateChange[],
  cursor: string,
): Promise<readonly StateChange[]> {
  const asked = [
    ...(window[0]?.entity === "session" ? [] : [["session", session] as const]),
    ...silentIn(window)
      .slice(-ASKED_MAX)
      .map((id) => ["request", id] as const),
  ];
  const found = await Promise.all(
    asked.map(([entity, id]) =>
      lastBefore(`/v1/sessions/${session}/history`, { workspace, entity, id }, cursor),
    ),
  );
  return found.flatMap((change) => (change ? [change] : [])).sort((a, b) => a.version - b.version);
}

async function lastBefore(
  path: string,
  wish: Readonly<Record<"workspace" | "entity" | "id", string>>,
  from: string,
): Promise<StateChange | undefined> {
  let cursor: string | undefined = from;
  for (let page = 0; page < PAGES_MAX && cursor !== undefined; page += 1) {
    const answer: Page = await ask(path, { ...wish, cursor, limit: 1 });
    if (answer.items[0]) return answer.items[0];
    cursor = answer.nextCursor;
  }
  return undefined;
}
