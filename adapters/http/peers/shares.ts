// Shares
// Asks the peers for their parts of one page of a list.
//
//   Owns:          how many items each peer is asked for; asking a peer again if its part ends too early.
//   Does not own:  merging the parts (runtime/peers/pages), asking a peer (runtime/peers/peers).
//   Decided in:    docs/decisions/0101-one-inbox-over-several-engines.md.
//
// PEERS-SHARES-1. Each peer is first asked for its share of a page, which is about twice what it would contribute if all
//     engines had equally many items. Only a peer that may have more items for this page is then asked again, for a whole page.

import type { Context } from "hono";
import { isFields } from "../../../machines/json.ts";
import { type MergedList, type Part, shortParts } from "../../../runtime/peers/pages.ts";
import { type Asked, LIST_MS, type PeerAnswer, type Peers } from "../../../runtime/peers/peers.ts";
import { isPartOf } from "../../../runtime/peers/told.ts";
import { limitOf } from "../../../runtime/reading/paging.ts";
import { sliceOf } from "../../../runtime/reading/parameters.ts";
import type { Env, Serving } from "../context.ts";
import { requestOf } from "./passing.ts";

interface Page {
  readonly list: MergedList;
  readonly given: URLSearchParams;
  readonly own: Promise<{ readonly body: object }>;
}

/**
 * Asks all peers for their shares, then asks those again that may have more items for this page. Both rounds together take no
 * longer than one list may take.
 */
export async function askShares(
  c: Context<Env>,
  { clock }: Pick<Serving, "clock">,
  peers: Peers,
  { list, given, own }: Page,
): Promise<Asked> {
  const wanted = wantedOf(given);
  const share = shareOf(wanted.limit, peers.all.length);
  const whole = requestOf(c, given);
  const isPart = (told: PeerAnswer): boolean => isPartOf(list, told);
  if (share >= wanted.limit) return peers.ask(whole, LIST_MS, isPart);
  const until = clock.monotonic() + LIST_MS;
  const first = await peers.ask(requestOf(c, withLimit(given, share)), LIST_MS, isPart);
  const parts = [partIn((await own).body), ...goodOf(first).map(partOf)];
  const short = new Set(shortParts(list, parts, wanted).map(({ engine }) => engine));
  const leftMs = Math.max(1, until - clock.monotonic());
  const again = await peers.ask((peer) => (short.has(peer) ? whole : undefined), leftMs, isPart);
  const found = new Map(goodOf(again).map((each) => [each.peer, each]));
  return { ...first, answers: first.answers.map((each) => found.get(each.peer) ?? each) };
}

/** The answers that contain a page (status 200): a peer may also refuse the user. */
export const goodOf = ({ answers }: Asked): readonly PeerAnswer[] =>
  answers.filter(({ status }) => status === 200);

export const wantedOf = (given: URLSearchParams) => ({
  limit: limitOf(sliceOf(Object.fromEntries(given))),
  order: given.get("order") === "oldest" ? ("oldest" as const) : ("newest" as const),
});

/** How many items a peer is asked for: twice its average part, as items are spread unevenly, and 8 more for small pages. */
const shareOf = (limit: number, peers: number): number => Math.ceil((2 * limit) / (peers + 1)) + 8;

function withLimit(given: URLSearchParams, limit: number): URLSearchParams {
  const query = new URLSearchParams(given);
  query.set("limit", String(limit));
  return query;
}

export const partOf = ({ peer, body }: PeerAnswer): Part & { readonly engine: string } => ({
  engine: peer,
  ...partIn(body),
});

export function partIn(body: unknown): Part {
  const { items, nextCursor } = isFields(body) ? body : {};
  return {
    items: Array.isArray(items) ? items.filter(isFields) : [],
    ...(typeof nextCursor === "string" && { nextCursor }),
  };
}
