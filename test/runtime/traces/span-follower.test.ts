// The log read on over kills, over a queue that is full, and after an hour: beside the spans of the whole log.

import { setImmediate as nextTick } from "node:timers/promises";
import { expect, test } from "vitest";
import { Bell } from "../../../runtime/bell.ts";
import { endedBy } from "../../../runtime/traces/spans-of.ts";
import { OLDEST_MS, SpanFollower, type SpanQueue } from "../../../runtime/traces/span-follower.ts";
import { Rig } from "../../support/engine/rig.ts";
import { call, said } from "../../support/sessions/said.ts";

/** Takes up to `max` spans, and tells what it was told. */
class Queue implements SpanQueue {
  readonly room = new Bell();
  readonly ids: string[] = [];
  max = Infinity;
  place = 0;
  skips = 0;

  get isFull(): boolean {
    return this.ids.length >= this.max;
  }
  add(span: { readonly spanId: string }): void {
    this.ids.push(span.spanId);
  }
  reached(n: number): void {
    this.place = n;
  }
  skipped(count: number): void {
    this.skips += count;
  }
}

const follow = (rig: Rig, queue: Queue, place?: string): SpanFollower => {
  const follower = new SpanFollower({
    ...{ engine: rig.engine, clock: rig.clock, queue },
    onError: (error) => {
      throw error;
    },
  });
  follower.start(place);
  return follower;
};

async function settled(rig: Rig): Promise<void> {
  await rig.quiet();
  for (let n = 0; n < 20; n += 1) await nextTick();
}

async function work(rig: Rig, from: number, to: number): Promise<void> {
  for (let n = from; n < to; n += 1) await rig.tell("s", said.pre(call(`c${n}`)), said.post(call(`c${n}`)));
}

/** The spans of the whole log, in its order. */
const inLog = (rig: Rig): readonly string[] => rig.log().flatMap((change) => endedBy(change)?.spanId ?? []);

test("SPAN-FOLLOWER-1, SPANS-OF-5: over kills each span is there once, under the same id, from the place that was kept", async () => {
  let rig = await Rig.start();
  const all: string[] = [];
  let place: string | undefined;
  for (let life = 0; life < 4; life += 1) {
    const queue = new Queue();
    const follower = follow(rig, queue, place);
    await work(rig, life * 10, life * 10 + 10);
    await settled(rig);
    all.push(...queue.ids);
    place = follower.placeOf(queue.place);
    rig.kill();
    // Nothing of this one is told to the follower: its process is gone.
    await follower.stop();
    rig = await rig.restart();
    await work(rig, 100 + life, 101 + life);
  }
  const queue = new Queue();
  const follower = follow(rig, queue, place);
  await settled(rig);
  await follower.stop();
  expect([...all, ...queue.ids]).toEqual(inLog(rig));
  expect(queue.skips).toBe(0);
});

test("SPAN-FOLLOWER-1: what a full queue does not take is read from the log once there is room", async () => {
  const rig = await Rig.start();
  const queue = new Queue();
  queue.max = 5;
  const follower = follow(rig, queue);
  await settled(rig);
  await work(rig, 0, 40);
  await settled(rig);
  expect(queue.ids.length).toBe(5);
  queue.max = Infinity;
  queue.room.ring();
  await settled(rig);
  await work(rig, 40, 50);
  expect(queue.ids).toEqual(inLog(rig));
  expect(queue.ids.length).toBe(50);
  await follower.stop();
});

test("SPAN-FOLLOWER-3: what ended more than an hour ago is skipped and counted, and no more", async () => {
  const rig = await Rig.start();
  const start = `${rig.engine.incarnation}-${rig.engine.meta().changes}`;
  await work(rig, 0, 7);
  rig.clock.advance(OLDEST_MS);
  await work(rig, 7, 10);
  rig.clock.advance(1);
  const queue = new Queue();
  const follower = follow(rig, queue, start);
  await settled(rig);
  await follower.stop();
  const young = rig.log().filter(({ at }) => at >= rig.clock.now() - OLDEST_MS);
  expect(queue.ids).toEqual(young.flatMap((change) => endedBy(change)?.spanId ?? []));
  // The request of the first seven timed out meanwhile.
  expect([queue.skips, queue.ids.length]).toEqual([7, 1 + 3]);
});
