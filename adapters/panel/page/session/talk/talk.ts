// Talk
// Reads the conversation around a session's calls, and finds the call or request that each text belongs to.
//
//   Owns:          reading the conversation page by page; deciding where each text is shown.
//   Does not own:  how a text looks (said.tsx), reading transcripts (the engine).
//
// TALK-1. A text is shown before the call that followed it; a text without a following call is shown after the last call of its
//     request. If that call is not on the page, the text is not shown either.

import { useEffect, useMemo, useState } from "preact/hooks";
import type { Conversation, Said } from "../../../../../runtime/reading/conversation.ts";
import { ApiError, ask } from "../../engine/api.ts";
import { type RequestRow, rowsOf } from "../model.ts";
import { type Placed, type Turn, turnsOf } from "./turns.ts";

export interface Talk {
  /** The agent's words before each call. */
  readonly before: ReadonlyMap<string, readonly string[]>;
  /** The whole prompt of each request. */
  readonly prompts: ReadonlyMap<string, string>;
  /** The agent's words after the last call of each request. */
  readonly after: ReadonlyMap<string, readonly string[]>;
  /** The figures of each request. */
  readonly turns: ReadonlyMap<string, Turn>;
}

const PAGE = 300;
/** How long after a change the conversation is read again, ms: the client needs a moment to write its transcript. */
const PAUSE_MS = 1_000;
const NONE: Conversation = { isKnown: false, items: [] };

/** @param beat a number that changes when the conversation may have grown; 0 until the changes of the session are read. */
export function useTalk(workspace: string, session: string, requests: readonly RequestRow[], beat: number) {
  const [found, show] = useState(NONE);
  const [pages, setPages] = useState(1);
  useEffect(() => {
    // Nothing is read before the session's changes: they change `beat`, so an earlier reading would only have to be repeated.
    if (beat === 0) return undefined;
    const leaving = new AbortController();
    const read = (): void => {
      readPages(workspace, session, pages, leaving.signal).then(
        (all) => !leaving.signal.aborted && show(all),
        (error: unknown) => {
          // If the conversation cannot be read, the calls are still shown.
          if (!leaving.signal.aborted && !(error instanceof ApiError)) throw error;
        },
      );
    };
    const timer = setTimeout(read, found.isKnown ? PAUSE_MS : 0);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [workspace, session, pages, beat]);
  const items = useMemo(() => found.items.toReversed(), [found]);
  // `before` depends on the texts alone, so that a change of one call does not redraw the rows of other calls.
  const before = useMemo(() => wordsBefore(items), [items]);
  /** What is drawn of the conversation; undefined if no transcript is known. */
  const talk = useMemo((): Talk | undefined => {
    if (!found.isKnown) return undefined;
    const all = withRequests(items, requests);
    return { before, ...placed(all), turns: turnsOf(all, found.nextCursor === undefined) };
  }, [found, before, requests]);
  const hasMore = found.isKnown && found.nextCursor !== undefined;
  return { talk, cost: found.cost, more: hasMore ? (): void => setPages(pages + 1) : undefined };
}

async function readPages(
  workspace: string,
  session: string,
  pages: number,
  signal: AbortSignal,
): Promise<Conversation> {
  const path = `/v1/sessions/${session}/conversation`;
  let all = await ask<Conversation>(path, { workspace, limit: PAGE }, signal);
  for (let n = 1; n < pages && all.nextCursor !== undefined; n += 1) {
    const next = await ask<Conversation>(path, { workspace, limit: PAGE, cursor: all.nextCursor }, signal);
    all = { ...next, ...(all.cost && { cost: all.cost }), items: [...all.items, ...next.items] };
  }
  return all;
}

/** The agent's words before each call (TALK-1). @param items oldest first. */
function wordsBefore(items: readonly Said[]): Talk["before"] {
  const before = new Map<string, readonly string[]>();
  let said: string[] = [];
  for (const { kind, text = "", callId = "" } of items) {
    if (kind === "words") said.push(text);
    else if (kind !== "cost") {
      if (kind === "call" && said.length > 0) before.set(callId, said);
      said = [];
    }
  }
  return before;
}

/** The prompt of each request, and the words after its last call (TALK-1). */
function placed(items: readonly Placed[]): Pick<Talk, "prompts" | "after"> {
  const prompts = new Map<string, string>();
  const after = new Map<string, readonly string[]>();
  let said: string[] = [];
  let current: string | undefined;
  const end = (): void => {
    if (current !== undefined && said.length > 0)
      after.set(current, [...(after.get(current) ?? []), ...said]);
    said = [];
  };
  for (const {
    said: { kind, text = "" },
    request,
  } of items) {
    if (kind === "words") said.push(text);
    if (kind === "prompt") end();
    if (kind === "call") said = [];
    if (kind === "words" || kind === "cost") continue;
    current = request;
    if (kind === "prompt" && request !== undefined) prompts.set(request, text);
  }
  end();
  return { prompts, after };
}

/** Each item with the request that it belongs to, if that is on the page. @param items oldest first. */
function withRequests(items: readonly Said[], requests: readonly RequestRow[]): readonly Placed[] {
  const requestOf = new Map(
    requests.flatMap((row) =>
      rowsOf(row).map(({ call }) => [String(call.id), row.request.requestId] as const),
    ),
  );
  const asked = new Set<string>();
  let request: string | undefined;
  return items.map((said) => {
    const { kind, text = "", callId = "" } = said;
    if (kind === "call") request = requestOf.get(callId);
    if (kind === "prompt") {
      request = requests
        .filter(({ request: { requestId } }) => !asked.has(requestId))
        .find((row) => isPromptOf(row, text))?.request.requestId;
      if (request !== undefined) asked.add(request);
    }
    return { said, request };
  });
}

/** True if the text is the request's prompt. A request holds its whole prompt, or only the prompt's beginning. */
function isPromptOf({ request: { prompt = "" } }: RequestRow, text: string): boolean {
  const begun = prompt.trim().replace(/…$/, "");
  return begun !== "" && text.trim().startsWith(begun);
}
