// Talk
// The conversation around the calls of a session: which call or request each text belongs to.
//
//   Owns:          reading the conversation, page by page; where each text is shown.
//   Does not own:  how a text looks (said.tsx), reading transcripts (the engine).
//
// TALK-1. A text is shown before the call that followed it, or after the last call of its request. If that call is not
//     on the page, the text is not shown.

import { useEffect, useMemo, useState } from "preact/hooks";
import type { Conversation, Said, ToldCost } from "../../../../../runtime/reading/conversation.ts";
import { ApiError, ask } from "../../engine/api.ts";
import type { RequestRow } from "../model.ts";
import { type Placed, type Turn, turnsOf } from "./turns.ts";

export interface Talk {
  /** The agent's words before each call. */
  readonly before: ReadonlyMap<string, readonly string[]>;
  /** For each request, the prompt as it was written and what was said after its last call. */
  readonly prompts: ReadonlyMap<string, string>;
  readonly after: ReadonlyMap<string, readonly string[]>;
  /** What the client's transcript tells of each request in figures. */
  readonly turns: ReadonlyMap<string, Turn>;
}

export interface Told {
  /** The conversation; undefined if no transcript is known. */
  readonly talk: Talk | undefined;
  readonly cost: ToldCost | undefined;
  readonly hasMore: boolean;
  readonly more: () => void;
}

const PAGE = 300;
/** How long after a change the conversation is read again, ms: the transcript is still being written. */
const PAUSE_MS = 1_000;
const NONE: Conversation = { isKnown: false, items: [] };

/** Reads the conversation, and places its texts. @param beat changes when the conversation may have grown; first 0. */
export function useTalk(
  workspace: string,
  session: string,
  requests: readonly RequestRow[],
  beat: number,
): Told {
  const [found, show] = useState(NONE);
  const [pages, setPages] = useState(1);
  useEffect(() => {
    // The page still reads the changes. If it read the conversation now, it would read it again after the changes.
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
  // `before` depends on the texts alone: a change of a call then does not have the rows of other calls drawn anew.
  const before = useMemo(() => wordsBefore(items), [items]);
  const talk = useMemo(
    () => (found.isKnown ? talkOf(items, before, requests, found.nextCursor === undefined) : undefined),
    [found, before, requests],
  );
  return { talk, cost: found.cost, hasMore: found.nextCursor !== undefined, more: () => setPages(pages + 1) };
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

function talkOf(
  items: readonly Said[],
  before: Talk["before"],
  requests: readonly RequestRow[],
  isWhole: boolean,
): Talk {
  const all = withRequests(items, requests);
  return { before, ...placed(all), turns: turnsOf(all, isWhole) };
}

/** Finds the agent's words before each call (TALK-1). @param items oldest first. */
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

/** Finds the prompt of each request, and the words after its last call (TALK-1). */
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
  const requestOf = new Map(requests.flatMap((row) => idsIn(row).map((id) => [id, idOf(row)] as const)));
  const asked = new Set<string>();
  let request: string | undefined;
  return items.map((said) => {
    const { kind, text = "", callId = "" } = said;
    if (kind === "call") request = requestOf.get(callId);
    if (kind === "prompt") {
      request = requests.map(requestAsking(text)).find((id) => id !== undefined && !asked.has(id));
      if (request !== undefined) asked.add(request);
    }
    return { said, request };
  });
}

const idOf = ({ request }: RequestRow): string => request.requestId;
const idsIn = ({ batches }: RequestRow): readonly string[] =>
  batches.flatMap(({ rows }) => rows.map(({ call }) => String(call.id)));

/** Finds the request of a prompt: a request has its whole prompt, or the beginning of it. */
const requestAsking =
  (text: string) =>
  ({ request: { prompt, requestId } }: RequestRow): string | undefined => {
    const begun = prompt?.trim().replace(/…$/, "") ?? "";
    return begun !== "" && text.trim().startsWith(begun) ? requestId : undefined;
  };
