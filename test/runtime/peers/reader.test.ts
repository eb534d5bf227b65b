// Reader
// One reader of the streams of several peers, through breaks of any kind.

import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { Inbox, settled } from "../../support/peers/reader.ts";
import { StreamingPeer } from "../../support/peers/streaming.ts";

const PEERS = 3;
const peer = fc.nat(PEERS - 1);
const change = fc.record({ do: fc.constant("change"), peer, in: fc.constantFrom("shop", "web") } as const);
const of = <Do extends string>(name: Do) => fc.record({ do: fc.constant(name), peer });
const alone = <Do extends string>(name: Do) => fc.record({ do: fc.constant(name) });
/** What breaks nothing for long: no reader is told anything. */
const harmless = [
  { weight: 6, arbitrary: change },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("take"), most: fc.constantFrom(1, 2, 99) } as const) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("leave"), lost: fc.nat(3) } as const) },
  { weight: 2, arbitrary: of("cut") },
  { weight: 2, arbitrary: alone("restart") },
  { weight: 1, arbitrary: of("slow") },
  { weight: 1, arbitrary: of("quick") },
  { weight: 2, arbitrary: alone("wait") },
];
const harmful = [
  { weight: 1, arbitrary: of("anew") },
  { weight: 2, arbitrary: of("trim") },
  { weight: 1, arbitrary: of("rollBack") },
  { weight: 2, arbitrary: of("away") },
  { weight: 2, arbitrary: of("back") },
  { weight: 1, arbitrary: alone("list") },
];
type Step =
  | { readonly do: "change"; readonly peer: number; readonly in: string }
  | { readonly do: "take"; readonly most: number }
  | { readonly do: "leave"; readonly lost: number }
  | {
      readonly do: "cut" | "slow" | "quick" | "anew" | "rollBack" | "trim" | "away" | "back";
      readonly peer: number;
    }
  | { readonly do: "restart" | "wait" | "list" };

let inbox: Inbox | undefined;
afterEach(() => inbox?.stop());

async function begun(workspaces: readonly string[] = [], tokenSees?: readonly string[]) {
  inbox?.stop();
  const peers = Array.from({ length: PEERS }, () => new StreamingPeer());
  for (const each of peers) each.tokenSees = tokenSees;
  inbox = new Inbox(peers, workspaces);
  await inbox.take();
  return { inbox, peers };
}

async function done(inbox: Inbox, step: Step): Promise<void> {
  const peer = "peer" in step ? inbox.peers[step.peer] : undefined;
  switch (step.do) {
    case "change":
      peer?.change(step.in);
      return;
    case "take":
      await inbox.take(step.most);
      return;
    case "leave":
      inbox.cut(step.lost);
      return;
    case "slow":
      if (peer) peer.isSlow = true;
      return;
    case "cut":
    case "quick":
    case "anew":
    case "rollBack":
      return peer?.[step.do]();
    case "trim":
      if (peer) peer.trimmed = peer.changes.length;
      return;
    case "away":
      if (peer) peer.isAway = true;
      return peer?.cut();
    case "back":
      if (peer) peer.isAway = false;
      return;
    case "restart":
      inbox.start();
      return settled();
    case "wait":
      inbox.clock.advance(1_000);
      return settled();
    case "list":
      return inbox.list();
  }
}

/** All peers are there, and everything is taken. */
async function atRest(inbox: Inbox): Promise<void> {
  for (const each of inbox.peers) {
    each.isAway = false;
    each.quick();
  }
  for (let n = 0; n < 6; n += 1) {
    inbox.clock.advance(30_000);
    await inbox.take();
  }
  inbox.expectWhole();
}

describe("a reader of the peers' changes", () => {
  const limits = fc.constantFrom([], ["shop"]);
  const tokens = fc.constantFrom(undefined, ["shop"]);

  it("PEERS-READER-1: gets each change once, through whatever breaks, or learns that some may be missing", async () => {
    const steps = fc.array(fc.oneof(...harmless, ...harmful), { maxLength: 50 });
    await fc.assert(
      fc.asyncProperty(steps, limits, tokens, async (steps, limit, token) => {
        const { inbox } = await begun(limit, token);
        for (const step of steps) await done(inbox, step);
        await atRest(inbox);
      }),
      { numRuns: 80 },
    );
  }, 60_000);

  it("PEERS-READER-1, PEERS-READER-2: goes on after broken streams and a restart, and is told nothing of them", async () => {
    const steps = fc.array(fc.oneof(...harmless), { maxLength: 50 });
    await fc.assert(
      fc.asyncProperty(steps, limits, tokens, async (steps, limit, token) => {
        const { inbox } = await begun(limit, token);
        expect(inbox.gaps).toBe(1);
        for (const step of steps) await done(inbox, step);
        await atRest(inbox);
        expect(inbox.gaps).toBe(1);
      }),
      { numRuns: 80 },
    );
  }, 60_000);

  it.each(["trim", "rollBack", "anew"] as const)(
    "PEERS-READER-2: is told so if a peer cannot go on at the place, since it was left: %s",
    async (what) => {
      const { inbox, peers } = await begun();
      const [one] = peers;
      one?.change("shop");
      one?.change("shop");
      await inbox.take(1);
      inbox.cut();
      if (what === "rollBack") one?.rollBack();
      await done(inbox, { do: what, peer: 0 });
      inbox.start();
      await inbox.take();
      await inbox.take();
      expect(inbox.gaps).toBe(2);
      await atRest(inbox);
    },
  );

  it("PEERS-READER-2, PEERS-NEWS-3: is told once that a peer is away, and again when it is back, as their list lacked its part", async () => {
    const { inbox } = await begun();
    await done(inbox, { do: "away", peer: 0 });
    await done(inbox, { do: "wait" });
    await inbox.take();
    expect(inbox.gaps).toBe(1);
    for (let n = 0; n < 10; n += 1) {
      await done(inbox, { do: "wait" });
      await inbox.take();
    }
    expect(inbox.gaps).toBe(2);
    await atRest(inbox);
    expect(inbox.gaps).toBe(3);
  });

  it("PEERS-READER-2: goes on at a peer that was away and is back, if no list lacked its part", async () => {
    const { inbox, peers } = await begun();
    inbox.cut();
    await done(inbox, { do: "away", peer: 0 });
    for (let n = 0; n < 10; n += 1) await done(inbox, { do: "wait" });
    for (const each of peers) each.change("shop");
    await done(inbox, { do: "back", peer: 0 });
    inbox.clock.advance(30_000);
    expect(await inbox.take()).toHaveLength(PEERS);
    expect(inbox.gaps).toBe(1);
  });

  it.each([[[]], [["restart"]]] as const)(
    "PEERS-READER-2, PEERS-NEWS-3: is told once if they come back while a peer is away, whoever was restarted: %j",
    async (before) => {
      const { inbox, peers } = await begun();
      const away = async (): Promise<void> => {
        inbox.cut();
        await done(inbox, { do: "away", peer: 0 });
        for (const step of before) await done(inbox, { do: step });
        for (let n = 0; n < 5; n += 1) await done(inbox, { do: "wait" });
      };
      await away();
      for (const each of peers) each.change("shop");
      expect(await inbox.take()).toHaveLength(PEERS - 1);
      expect(inbox.gaps).toBe(2);
      for (let n = 0; n < 5; n += 1) {
        inbox.cut();
        await done(inbox, { do: "wait" });
        expect(await inbox.take()).toEqual([]);
      }
      expect(inbox.gaps).toBe(2);
      await atRest(inbox);
      expect(inbox.gaps).toBe(3);
      await away();
      await inbox.take();
      expect(inbox.gaps).toBe(4);
    },
  );

  it("PEERS-READER-2: is told again if the peer came back unnoticed and went away again", async () => {
    const { inbox } = await begun();
    const away = async (): Promise<void> => {
      await done(inbox, { do: "away", peer: 0 });
      for (let n = 0; n < 5; n += 1) await done(inbox, { do: "wait" });
    };
    inbox.cut();
    await away();
    await inbox.take();
    expect(inbox.gaps).toBe(2);
    inbox.cut();
    await done(inbox, { do: "back", peer: 0 });
    inbox.clock.advance(30_000);
    await settled();
    await away();
    await inbox.take();
    expect(inbox.gaps).toBe(3);
  });

  it("PEERS-READER-1, PEERS-NEWS-2: gets thousands of changes that came meanwhile from the peer, without a pause in the others'", async () => {
    const { inbox, peers } = await begun();
    const [one, other] = peers;
    one?.change("shop");
    await inbox.take();
    inbox.cut();
    for (let n = 0; n < 4_000; n += 1) one?.change("shop");
    for (let n = 0; n < 300; n += 1) await settled();
    other?.change("shop");
    const first = await inbox.take();
    expect(first.map(({ engine }) => engine)).toContain("p1");
    for (let n = 0; n < 1_000 && inbox.id?.includes(".4001") === false; n += 1) await inbox.take();
    expect(inbox.gaps).toBe(1);
    await atRest(inbox);
  });

  it("PEERS-READER-2: misses nothing at a peer that refuses them", async () => {
    const { inbox, peers } = await begun();
    const [one] = peers;
    inbox.cut();
    one?.change("shop");
    if (one) one.refuses = true;
    inbox.start();
    expect(await inbox.take()).toEqual([]);
    expect(await inbox.take()).toEqual([]);
    expect(inbox.gaps).toBe(1);
    expect(one?.asked.length).toBeLessThan(6);
  });

  it("PEERS-READER-2: is told so if more is missing than they accept", async () => {
    inbox = new Inbox([new StreamingPeer()], [], 2);
    await inbox.take();
    inbox.cut();
    for (let n = 0; n < 2; n += 1) inbox.peers[0]?.change("shop");
    expect(await inbox.take()).toHaveLength(2);
    inbox.cut();
    for (let n = 0; n < 3; n += 1) inbox.peers[0]?.change("shop");
    expect(await inbox.take()).toEqual([]);
    expect(inbox.gaps).toBe(2);
  });

  it("PEERS-READER-3: whatever text comes as an id, the reader begins, and places that were given out count", async () => {
    const { inbox, peers } = await begun();
    const text = fc.oneof(
      fc.string({ maxLength: 300 }),
      fc
        .array(fc.constantFrom("~", ".", "0123456789", "abcdef", "-1", "9".repeat(15)))
        .map((all) => all.join("")),
    );
    await fc.assert(
      fc.asyncProperty(text, async (id) => {
        const before = inbox.gaps;
        inbox.id = id;
        await inbox.take();
        expect(inbox.gaps).toBe(before + 1);
        expect(inbox.id).toMatch(/^(~[0-9a-f]{10}\.\d+){3}$/);
        peers[0]?.change("shop");
        expect(await inbox.take()).toHaveLength(1);
      }),
      { numRuns: 50 },
    );
    expect(inbox.id).not.toContain("log-");
  }, 60_000);

  it("PEERS-READER-3: with 64 peers, an id has at most two thousand characters", async () => {
    inbox = new Inbox(Array.from({ length: 64 }, () => new StreamingPeer()));
    await inbox.take();
    expect(`${inbox.id}`.length).toBeLessThan(64 * 28);
  });
});
