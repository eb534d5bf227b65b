// Search rows
// Reads everything that a search can find: first from the store, later from changes.
//
//   Owns:          the order of reading, which parts of a row or a change are searched.
//   Does not own:  how far to read (search), extracting the words (search-words).
//
// SEARCH-ROWS-1. The newest session is read first, with its requests and calls. So a search that stops early lacks only the
//     oldest sessions.
// SEARCH-ROWS-2. No iterator of the store stays open between two actors, because the engine writes to the store meanwhile.

import { type Address, parseAddress } from "../../../machines/index.ts";
import { glimpse } from "../../rows/actors/actors.ts";
import type { StateChange } from "../../rows/changes.ts";
import { after, keys } from "../../rows/keys.ts";
import { listBy } from "../../rows/listing.ts";
import { rowPages, type StoredRows } from "../../rows/row-pages.ts";
import {
  callView,
  type CallView,
  requestView,
  type RequestView,
  sessionView,
  type SessionView,
} from "../../rows/views.ts";
import type { FoundKind, Indexed } from "./search-index.ts";
import { wordsOfCall, wordsOfRequest, wordsOfSession } from "./search-words.ts";

const ROWS_AT_ONCE = 100;

type Broken = (key: string, error: unknown) => void;

/** Yields what is searched of every stored session, request and call; undefined for a row that was removed or cannot be read. */
export function* everything(store: StoredRows, broken: Broken): Generator<Indexed | undefined, undefined> {
  const prefix = keys.list(listBy("session", {}));
  for (const [, row] of rowsIn(store, prefix, true)) {
    const home = JSON.parse(row) as Address;
    const key = keys.actor(home);
    yield read(home, store.get(key), broken);
    for (const kind of ["request", "call"] as const) {
      const children = keys.children(home, kind);
      for (const [id, text] of rowsIn(store, children, false))
        yield read(`${home}/${kind}/${id}` as Address, text, broken);
    }
  }
  return undefined;
}

function read(address: Address, text: string | undefined, broken: Broken): Indexed | undefined {
  if (text === undefined) return undefined;
  try {
    const { workspace, session, kind } = parseAddress(address);
    const stored = glimpse(kind, address, text);
    if (kind === "session") return ofSession(address, sessionView(stored));
    if (kind === "request") return ofRequest(address, requestView(workspace, session, stored));
    return kind === "call" ? ofCall(address, callView(session, stored, undefined)) : undefined;
  } catch (error) {
    broken(keys.actor(address), error);
    return undefined;
  }
}

/** What the index stores of a changed actor; undefined if actors of its kind are not searched. */
export function indexed({ entity, id, workspace, sessionId, view }: StateChange): Indexed | undefined {
  const home = `${workspace}/${sessionId}` as Address;
  // The casts are safe: a change holds the view of its own actor (rows/changes).
  switch (entity) {
    case "session":
      return ofSession(home, view as SessionView);
    case "request":
      return ofRequest(`${home}/request/${id}` as Address, view as RequestView);
    case "toolcall":
      return ofCall(`${home}/call/${id}` as Address, view as CallView);
    case "approval":
    case "alarm":
    case "callback":
      return undefined;
  }
}

const indexedAs =
  <View extends { readonly createdAt: number }>(kind: FoundKind, words: (view: View) => string) =>
  (address: Address, view: View): Indexed => ({
    ...{ address, kind, at: view.createdAt },
    text: words(view).toLowerCase(),
  });

const ofSession = indexedAs("session", wordsOfSession);
const ofRequest = indexedAs("request", wordsOfRequest);
const ofCall = indexedAs("call", wordsOfCall);

/** Yields each row under a prefix, with the rest of the row's key after the prefix. */
function* rowsIn(
  store: StoredRows,
  prefix: string,
  reverse: boolean,
): Generator<readonly [name: string, value: string]> {
  const range = { gte: prefix, lt: after(prefix), limit: ROWS_AT_ONCE, reverse };
  for (const rows of rowPages(store, range))
    for (const [key, value] of rows) yield [key.slice(prefix.length), value];
}
