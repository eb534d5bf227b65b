// Told
// Distinguishes the answers of an engine from the answers of a program in its place, such as a proxy.
//
//   Owns:          which answers count as an engine's; which of an engine's answers give a part of a list.
//   Does not own:  asking the engines (peers), merging their answers (pages, numbered, sums, figures).
//   Decided in:    docs/decisions/0101-one-inbox-over-several-engines.md.
//
// PEERS-TOLD-1. Only an answer that has the form of an engine's answers counts. These do not count: a proxy's page, an error in
//     another form, and a refusal that is about the asking engine and not about its user.
// PEERS-TOLD-2. A peer's answer to a query for a list counts if it is a list in which every item has a place in the merged
//     list, or a refusal because the user may see nothing there. A peer that gives another answer counts as silent.

import { type Fields, isFields, tried } from "../../machines/json.ts";
import { readCursor, writeCursor } from "../reading/paging.ts";
import { FOR_HEADER } from "./on-behalf.ts";
import { type MergedList, PLACES } from "./pages.ts";

interface Told {
  readonly status: number;
  /** The parsed body; undefined if it is not JSON. */
  readonly body: unknown;
}

/**
 * If a peer reports an error in one of these headers, the error is not about the user's request, but about this engine, which
 * may not vouch, or about a proxy that sends to the wrong host.
 */
const ABOUT_ENGINE: readonly unknown[] = [FOR_HEADER, "Host"];
/** The most items of a page. */
const PAGE_MAX = 1_000;
/** The most items of a list of figures or hits; no engine returns more. */
const ITEMS_MAX = 10_000;

const errorIn = (body: Fields): Fields => (isFields(body["error"]) ? body["error"] : {});

/**
 * PEERS-TOLD-1. True for an answer that an engine gave. False also for the answer of an engine that is not ready, or does not
 * know the token.
 */
export function isEngines({ status, body }: Told): boolean {
  if (!isFields(body) || status === 401 || status >= 500) return false;
  if (status >= 200 && status < 300) return true;
  const { code, path } = errorIn(body);
  return status >= 400 && typeof code === "string" && !ABOUT_ENGINE.includes(path);
}

/** The reason for a refusal, as the engine, or another program in the engine's place, gave it. */
export const whyOf = ({ status, body }: Told): string => {
  const { code } = isFields(body) ? errorIn(body) : {};
  return typeof code === "string" && /^[A-Z_]{1,40}$/.test(code) ? code : `HTTP ${status}`;
};

/**
 * PEERS-TOLD-2. True for a well-formed answer, so that its items can be merged with this engine's.
 * @param list the list that was asked for, if it is one that is merged in pages (`PLACES`).
 */
export function isPartOf(list: MergedList | undefined, told: Told): boolean {
  const { status, body } = told;
  if (status === 403) return isFields(body) && errorIn(body)["code"] === "NOT_ALLOWED";
  if (status !== 200 || !isFields(body)) return false;
  const { items = [], tables, nextCursor = "" } = body;
  const lists = [items, ...(isFields(tables) ? Object.values(tables) : [])];
  if (!lists.every((each) => Array.isArray(each) && each.length <= ITEMS_MAX)) return false;
  return list === undefined || (isPage(list, items) && isCursor(nextCursor));
}

const isPage = (list: MergedList, items: unknown): boolean =>
  Array.isArray(items) &&
  items.length <= PAGE_MAX &&
  items.every((item) => isFields(item) && isCursor(writeCursor(PLACES[list](item))));

/** True for a valid cursor, and for the empty text, which stands for no cursor. */
const isCursor = (cursor: unknown): boolean =>
  cursor === "" || (typeof cursor === "string" && Boolean(tried(() => readCursor(cursor))));
