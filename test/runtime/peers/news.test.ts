// News
// What comes over the streams of two peers of which only the change log is real.

import { afterEach, describe, expect, it } from "vitest";
import { PeerNews } from "../../../runtime/peers/news.ts";
import { Peers } from "../../../runtime/peers/peers.ts";
import { ManualClock } from "../../support/engine/manual-clock.ts";
import { settled } from "../../support/peers/reader.ts";
import { StreamingPeer } from "../../support/peers/streaming.ts";

const clock = new ManualClock(1_000);
let news: PeerNews | undefined;
afterEach(() => news?.stop());

async function heardFrom(...streams: readonly StreamingPeer[]) {
  const all = streams.map(({ exchange }, n) => ({ name: `p${n}`, exchange }));
  const peers = new Peers(all, clock);
  news = new PeerNews(peers, clock);
  news.start();
  await settled();
  return { peers, news };
}

describe("news", () => {
  it("PEERS-NEWS-1: has each change once, with the name of its engine, and goes on after a break", async () => {
    const [one, other] = [new StreamingPeer(), new StreamingPeer()];
    const { news, peers } = await heardFrom(one, other);
    const heard = news.heard(0);
    one.change("w");
    await settled();
    other.change("w");
    one.cut();
    await settled();
    one.change("w");
    expect(peers.troubles()).toMatchObject([{ code: "PEERS_SILENT" }]);
    clock.advance(1_000);
    await settled();
    expect(peers.troubles()).toEqual([]);
    const kept = Array.from({ length: news.count }, (_, seq) => news.kept(seq)?.change);
    expect(kept.map((change) => [change?.engine, change?.["n"], change?.["view"]])).toEqual([
      ["p0", 1, { n: 1, engine: "p0" }],
      ["p1", 1, { n: 1, engine: "p1" }],
      ["p0", 2, { n: 2, engine: "p0" }],
    ]);
    expect(news.heard(0)).toBe(heard);
    expect(news.awaySince(0)).toBeUndefined();
  });

  it("PEERS-STREAM-1: a stream that says nothing for 40 seconds is given up", async () => {
    const one = new StreamingPeer();
    await heardFrom(one);
    const times = one.asked.length;
    clock.advance(40_000);
    await settled();
    clock.advance(1_000);
    await settled();
    expect(one.asked).toHaveLength(times + 1);
  });

  it("PEERS-NEWS-1: Node has nothing to warn of when many engines are followed", async () => {
    const warned: Error[] = [];
    const hear = (warning: Error): void => void warned.push(warning);
    process.on("warning", hear);
    await heardFrom(...Array.from({ length: 20 }, () => new StreamingPeer()));
    process.off("warning", hear);
    expect(warned).toEqual([]);
  });

  it("PEERS-NEWS-3: a peer is away once it cannot be reached twice in a row, and until its stream goes on", async () => {
    const one = new StreamingPeer();
    const { news } = await heardFrom(one);
    one.isAway = true;
    one.cut();
    await settled();
    const since: (number | undefined)[] = [];
    for (let n = 0; n < 4; n += 1) {
      clock.advance(1_000);
      await settled();
      since.push(news.awaySince(0));
    }
    expect(since).toEqual([undefined, clock.now() - 2_000, clock.now() - 2_000, clock.now() - 2_000]);
    one.isAway = false;
    clock.advance(30_000);
    await settled();
    expect(news.awaySince(0)).toBeUndefined();
  });

  it("PEERS-NEWS-2: however many changes come, a bounded number is kept, and it is known from where on", async () => {
    const one = new StreamingPeer();
    const { news } = await heardFrom(one);
    for (let n = 0; n < 4_000; n += 1) one.change("w");
    while (news.count < 4_000) await settled();
    expect(news.count - news.oldest).toBeLessThanOrEqual(2_048);
    expect(news.kept(news.oldest)?.n).toBe((news.heard(0)?.from ?? 0) + 1);
    expect(news.kept(news.oldest - 1)).toBeUndefined();
  });
});
