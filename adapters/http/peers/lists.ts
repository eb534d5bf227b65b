// Lists
// The routes of the lists, the search, the counts and the figures, whose answers cover this engine and its peers.
//
//   Owns:          which routes also ask the peers; this engine's part of each answer; reporting which peers did not answer.
//   Does not own:  merging (runtime/peers), how much each peer is asked for (shares).
//   Decided in:    docs/decisions/0101-one-inbox-over-several-engines.md.
//
// PEERS-LISTS-1. An answer without the part of a peer names that peer in `partial`. The answer comes within 300 ms of this
//     engine's own part. The figures about answers, which take longer to count, come within five seconds.

import type { Context, Hono } from "hono";
import { inTime } from "../../../runtime/in-time.ts";
import { answeredAll, seriesAll } from "../../../runtime/peers/figures.ts";
import { mergeNumbered, NUMBERED, type NumberedList, readCursors } from "../../../runtime/peers/numbered.ts";
import { mergePages, type MergedList, PLACES } from "../../../runtime/peers/pages.ts";
import { type Asked, FIND_MS, LIST_MS, type PeerAnswer, type Peers } from "../../../runtime/peers/peers.ts";
import { isPartOf } from "../../../runtime/peers/told.ts";
import { countedAll, type PeerBody, searchedAll } from "../../../runtime/peers/sums.ts";
import type { Answers } from "../../../runtime/reading/figures/answers.ts";
import type { SeriesAnswer } from "../../../runtime/reading/figures/series.ts";
import type { Stats } from "../../../runtime/reading/figures/stats.ts";
import { limitOf } from "../../../runtime/reading/paging.ts";
import { sliceOf } from "../../../runtime/reading/parameters.ts";
import { ask, type Op } from "../../../runtime/reading/query-table.ts";
import type { SearchAnswer } from "../../../runtime/reading/search/search.ts";
import { type Heads, ownHeads, ownSeries } from "../computed.ts";
import { answer, type Env, givenIn, reachOf, type Serving } from "../context.ts";
import { QUERY_ROUTES } from "../reading.ts";
import { userQueryOf, requestOf } from "./passing.ts";
import { askShares, goodOf, partIn, partOf, wantedOf } from "./shares.ts";

type Given = URLSearchParams;

interface Merging {
  readonly path: string;
  readonly own: (
    serving: Serving,
    given: Given,
    c: Context<Env>,
  ) => Promise<{ readonly body: object; readonly change?: string }>;
  readonly merge: (own: object, answers: readonly PeerAnswer[], given: Given) => object;
  /**
   * @returns the query for `engine` (default: this one); undefined if that engine has no more items. The function is absent if
   * all engines get the query that the caller sent.
   */
  readonly queryOf?: (given: Given, engine?: string) => Given | undefined;
  /** The list's name, if each peer is first asked for only a share of the page (shares.ts). */
  readonly list?: MergedList;
  readonly withinMs?: number;
}

const ofQuery = (op: Op, merge: Merging["merge"], other: Partial<Merging> = {}): Merging => ({
  path: QUERY_ROUTES[op]?.[0] ?? "",
  own: (serving, given, c) => ask(serving, op, given, reachOf(c)),
  merge,
  ...other,
});

const namesOf = <T extends string>(table: Readonly<Record<T, unknown>>): readonly T[] =>
  Object.keys(table) as T[];

const MERGED: readonly Merging[] = [
  ...namesOf(PLACES).map((list) => ofQuery(list, pageOf(list), { list })),
  ...namesOf(NUMBERED).map((list) => ofQuery(list, numberedOf(list), { queryOf })),
  // The casts are safe: in each entry, `own` is this engine's own answer to the query that the entry names.
  ofQuery("search", (own, answers, given) =>
    searchedAll(own as SearchAnswer, bodiesOf(answers), {
      text: given.get("text") ?? "",
      limit: sliceOf(Object.fromEntries(given)).limit,
    }),
  ),
  ofQuery("stats", (own, answers) =>
    countedAll(
      own as Stats,
      answers.map(({ body }) => body),
    ),
  ),
  ofQuery(
    "answers",
    (own, answers, given) => answeredAll(own as Answers, bodiesOf(answers), Number(given.get("limit"))),
    { withinMs: FIND_MS },
  ),
  {
    path: "/v1/stats/series",
    own: async (serving, given) => ({ body: await ownSeries(serving, given) }),
    merge: (own, answers) => seriesAll(own as SeriesAnswer, bodiesOf(answers)),
  },
  {
    path: "/v1/audit/heads",
    own: async (serving, given) => ({ body: await ownHeads(serving, given) }),
    merge: (own, answers) => ({
      items: [
        ...(own as Heads).items,
        ...answers.map(partOf).flatMap(({ engine, items }) => items.map((item) => ({ ...item, engine }))),
      ],
    }),
  },
];

export function peerLists(app: Hono<Env>, serving: Serving, peers: Peers): void {
  for (const merging of MERGED)
    app.get(merging.path, async (c, next) =>
      c.get("holder").isPassedOn ? next() : merged(c, serving, peers, merging),
    );
}

async function merged(
  c: Context<Env>,
  serving: Serving,
  peers: Peers,
  { own: ownOf, merge, list, queryOf: queryFor = (query) => query, withinMs = LIST_MS }: Merging,
): Promise<Response> {
  const given = givenIn(c);
  const ownQuery = queryFor(given);
  const ownPart = ownQuery
    ? inTime(serving.clock, ownOf(serving, ownQuery, c))
    : Promise.resolve({ body: { items: [] }, change: undefined });
  const request = (peer: string) => {
    const query = queryFor(given, peer);
    return query && requestOf(c, query);
  };
  const [{ body, change }, asked] = await Promise.all([
    ownPart,
    list
      ? askShares(c, serving, peers, { list, given, own: ownPart })
      : peers.ask(request, withinMs, (told) => isPartOf(undefined, told)),
  ]);
  const { silent } = asked;
  const own = list === "approval.list" ? withLastSeen(c, peers, body, asked) : body;
  const whole = { ...merge(own, goodOf(asked), given), ...(silent.length > 0 && { partial: silent }) };
  return answer(c, 200, whole, change === undefined ? {} : { "Signalbox-Change": change });
}

/** Adds the approvals that silent peers last reported, up to a quarter of a page, so that users still see that they wait. */
function withLastSeen(c: Context<Env>, peers: Peers, own: object, { answers, silent }: Asked): object {
  const asked = userQueryOf(c);
  const { query } = asked;
  if (query.get("state") !== "pending" || query.has("cursor")) return own;
  for (const each of answers) peers.lastSeen.list(each.peer, asked, partOf(each).items);
  const parts = silent.map((engine) => ({ engine, items: peers.lastSeenAt(engine, asked) }));
  const { limit, order } = wantedOf(query);
  const { items } = mergePages("approval.list", parts, { limit: Math.floor(limit / 4), order });
  return { ...own, items: [...partIn(own).items, ...items] };
}

const bodiesOf = (answers: readonly PeerAnswer[]): readonly PeerBody[] =>
  answers.map(({ peer, body }) => ({ engine: peer, body }));

function pageOf(list: MergedList): Merging["merge"] {
  return (own, answers, given) => ({
    ...own,
    ...mergePages(list, [partIn(own), ...answers.map(partOf)], wantedOf(given)),
  });
}

function numberedOf(list: NumberedList): Merging["merge"] {
  return (own, answers, given) => {
    const { cursor, ...slice } = sliceOf(Object.fromEntries(given));
    const { nextCursor: _, ...rest } = { nextCursor: undefined, ...own };
    const wish = { limit: limitOf(slice), before: readCursors(cursor) };
    return { ...rest, ...mergeNumbered(list, [partIn(own), ...answers.map(partOf)], wish) };
  };
}

/** The query with one engine's own cursor; undefined if that engine has no more items. @throws RefusedError BAD_CURSOR */
function queryOf(given: Given, engine = ""): Given | undefined {
  const cursors = readCursors(given.get("cursor") ?? undefined);
  if (cursors?.has(engine) === false) return undefined;
  const query = new URLSearchParams(given);
  query.delete("cursor");
  const cursor = cursors?.get(engine);
  if (cursor !== undefined) query.set("cursor", cursor);
  return query;
}
