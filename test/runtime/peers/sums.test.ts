// Sums
// What several engines answer to one search, and the counts of all.

import { describe, expect, it } from "vitest";
import { countedAll, searchedAll } from "../../../runtime/peers/sums.ts";
import type { SearchAnswer } from "../../../runtime/reading/search/search.ts";

const hit = (kind: "session" | "request" | "call", id: string, at: number) => ({
  ...{ kind, id, at, workspace: "w", sessionId: "s", state: "running", title: id },
});
const found = (items: SearchAnswer["items"], isWhole = true): SearchAnswer => ({
  ...{ items, more: [], searched: items.length, isWhole },
});

describe("sums", () => {
  it("PEERS-SUMS-1: hits of all engines are in one order, and the search is whole only if each one is", () => {
    const own = found([hit("session", "s-own", 5), hit("call", "c-own", 9)]);
    const peers = [
      { engine: "a", body: found([hit("call", "deploy", 1), hit("session", "s-a", 7)]) },
      { engine: "b", body: { ...found([hit("request", "r-b", 3)], false), since: 4, more: ["call"] } },
      { engine: "liar", body: "nonsense" },
    ];
    const { items, ...rest } = searchedAll(own, peers, { text: "deploy" });
    expect(items.map(({ id }) => id)).toEqual(["deploy", "s-a", "s-own", "r-b", "c-own"]);
    expect(items[0]).toMatchObject({ engine: "a" });
    expect(rest).toEqual({ more: ["call"], searched: 5, isWhole: false, since: 4 });
  });

  it("PEERS-SUMS-2: a search shows the newest hits of all engines, as many of each kind as were asked for", () => {
    const peers = [1, 2, 3].map((n) => ({
      engine: `e${n}`,
      body: found([hit("call", `c-${n}`, n), hit("session", `s-${n}`, n), hit("call", `c-${n + 3}`, n + 3)]),
    }));
    const { items, more } = searchedAll(found([hit("request", "r", 1)]), peers, { text: "c-1", limit: 3 });
    expect(items.map(({ id }) => id)).toEqual(["c-1", "s-3", "s-2", "s-1", "r", "c-6", "c-5", "c-4"]);
    expect(more).toEqual(["call"]);
  });

  it("PEERS-SUMS-1: counts are added, whatever a peer sends", () => {
    const own = { counts: { sessions: { running: 2 }, requests: {}, approvals: { pending: 1 }, alarms: {} } };
    const peers = [{ counts: { approvals: { pending: 3 }, sessions: { running: "many" } } }, undefined, []];
    const { counts } = countedAll({ ...own, epoch: 1, incarnation: "i", at: 0 }, peers);
    expect(counts).toMatchObject({ sessions: { running: 2 }, approvals: { pending: 4 } });
  });
});
