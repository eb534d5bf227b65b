// Last seen
// What is shown of a peer that is away, against the whole history of what it told.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Item } from "../../../runtime/peers/pages.ts";
import { Peers } from "../../../runtime/peers/peers.ts";
import { ManualClock } from "../../support/engine/manual-clock.ts";
import { holds } from "../../support/properties/property.ts";

const FILE = "test/runtime/peers/last-seen.test.ts";
const DAY_MS = 24 * 3_600_000;
const PEERS = ["shop", "web"] as const;
const USERS = ["ann", "ben"] as const;
const LISTS = ["", "workspace=w1", "with=call"] as const;

const name = fc.record({
  peer: fc.constantFrom(...PEERS),
  user: fc.constantFrom(...USERS),
  list: fc.constantFrom(...LISTS),
});
const item = fc.record({
  id: fc.constantFrom("a", "b", "c"),
  workspace: fc.constantFrom("w1", "w2"),
  state: fc.constantFrom("pending", "approved"),
  /** What it said differs from answer to answer. */
  n: fc.nat({ max: 9 }),
});
const step = fc.oneof(
  fc.record({ does: fc.constant("list" as const), name, items: fc.array(item, { maxLength: 3 }) }),
  fc.record({ does: fc.constant("one" as const), name, item }),
  fc.record({ does: fc.constant("hear" as const), name, item }),
  fc.record({ does: fc.constant("away" as const), name }),
  fc.record({ does: fc.constant("back" as const), name }),
  fc.record({ does: fc.constant("leave" as const), name }),
  fc.record({ does: fc.constant("wait" as const), name, ms: fc.integer({ min: 0, max: DAY_MS }) }),
);
type Step = (typeof step extends fc.Arbitrary<infer T> ? T : never) & { readonly at: number };
type Name = Step["name"];

const isSame = (one: Item, other: Item): boolean =>
  one["id"] === other["id"] && one["workspace"] === other["workspace"];

/** What the peer told this user of this list, found out by going through the history from its beginning. */
function expected(history: readonly Step[], { peer, user, list }: Name, now: number): readonly Item[] {
  let [told, since]: [{ at: number; items: readonly Item[] } | undefined, number | undefined] = [
    undefined,
    undefined,
  ];
  for (const each of history) {
    const isPeer = each.name.peer === peer;
    const isUser = each.name.user === user;
    if (each.does === "leave" && isUser) told = undefined;
    if (!isPeer) continue;
    if (each.does === "away") since ??= each.at;
    if (each.does === "back") [told, since] = [undefined, undefined];
    if (each.does === "list" && isUser && each.name.list === list)
      told = { at: each.at, items: each.items.filter(({ state }) => state === "pending") };
    if (!told || (each.does !== "one" && each.does !== "hear")) continue;
    const { item } = each;
    const others = told.items.filter((other) => !isSame(other, item));
    const isOf = isUser && (each.name.list === "with=call") === (list === "with=call");
    const isIn = list !== "workspace=w1" || item.workspace === "w1";
    if (item.state !== "pending") told = { ...told, items: others };
    else if (each.does === "one" && isOf && isIn) told = { ...told, items: [...others, item] };
  }
  const { at = 0, items = [] } = told ?? {};
  if (since === undefined || now - at > DAY_MS) return [];
  return items.map((each) => ({ ...each, lastSeenAt: Math.max(since, at) }));
}

describe("last seen", () => {
  it("LAST-SEEN-1: what is shown of a peer is what it last told this user, less what it said was settled", () => {
    holds(FILE, 300, fc.array(step, { maxLength: 25, size: "max" }), (steps) => {
      const clock = new ManualClock(1_000);
      const peers = new Peers([], clock);
      const ends = new Map(USERS.map((user) => [user, new AbortController()]));
      const queryOf = ({ user, list }: Name) => {
        const { signal: gone } = ends.get(user) ?? new AbortController();
        return { user, gone, query: new URLSearchParams(`limit=9&state=pending&${list}`) };
      };
      const history: Step[] = [];
      for (const each of steps) {
        const { peer, user } = each.name;
        if (each.does === "list") {
          const items = each.items.filter(({ state }) => state === "pending");
          peers.lastSeen.list(peer, queryOf(each.name), items);
        }
        if (each.does === "one") peers.lastSeen.one(peer, queryOf(each.name), each.item);
        if (each.does === "hear") peers.lastSeen.hear(peer, { entity: "approval", view: each.item });
        if (each.does === "away" || each.does === "back") peers.note(peer, each.does === "back");
        if (each.does === "wait") clock.advance(each.ms);
        if (each.does === "leave") {
          ends.get(user)?.abort();
          ends.set(user, new AbortController());
        }
        history.push({ ...each, at: clock.now() });
        for (const peer of PEERS)
          for (const user of USERS)
            for (const list of LISTS) {
              const named = { peer, user, list };
              expect(peers.lastSeenAt(peer, queryOf(named))).toEqual(expected(history, named, clock.now()));
            }
      }
    });
  });

  it("LAST-SEEN-2: neither a list, a user nor all users together are remembered beyond their quota", () => {
    const peers = new Peers([], new ManualClock(1_000));
    const gone = new AbortController().signal;
    const queryBy = (user: string) => ({ user, gone, query: new URLSearchParams() });
    const items = Array.from({ length: 150 }, (_, n) => ({ workspace: "w", id: `a${n}`, state: "pending" }));
    const names = Array.from({ length: 20 }, (_, n) => `p${n}`);
    const users = Array.from({ length: 10 }, (_, n) => `u${n}`);
    for (const peer of names) peers.note(peer, false);
    const kept = (user: string): number =>
      names.reduce((sum, peer) => sum + peers.lastSeenAt(peer, queryBy(user)).length, 0);
    peers.lastSeen.list("p0", queryBy("u0"), items);
    expect(kept("u0")).toBe(100);
    for (const user of users) for (const peer of names) peers.lastSeen.list(peer, queryBy(user), items);
    expect(users.map(kept)).toEqual([0, 0, 0, 0, 0, 1_000, 1_000, 1_000, 1_000, 1_000]);
    // Lists begun without items count, and so do those that grow one by one.
    for (const peer of names) peers.lastSeen.list(peer, queryBy("u9"), []);
    for (const peer of names) for (const each of items) peers.lastSeen.one(peer, queryBy("u9"), each);
    expect(kept("u9")).toBeLessThanOrEqual(1_000);
  });
});
