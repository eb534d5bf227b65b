// Ways
// In how many ways a recording is told to an engine: by which sources, in which order, and how much of it arrives.
//
//   Owns:          the rows of the table; which lines are lost.
//   Does not own:  what each way comes to (score).

import { MemoryDisk } from "../../adapters/memory/index.ts";
import type { SourceMessage } from "../../runtime/message.ts";
import { memoryEngine } from "../support/engine/memory-engine.ts";
import {
  asItHappened,
  messages,
  ORDERS,
  type Part,
  play,
  type PlayedCall,
  playedCalls,
} from "../support/sessions/play.ts";
import type { Recording } from "../support/sessions/recording.ts";
import { stripIds } from "../support/sessions/strip-ids.ts";

export interface Way {
  readonly name: string;
  /** Whether requested approvals are among what is told. */
  readonly asks: boolean;
  readonly hasIds: boolean;
  /** How often it is told: more than once where chance has a part in it, each time with the next seed. */
  readonly times: number;
  readonly hear: (recording: Recording, seed: number) => Promise<readonly PlayedCall[]>;
}

type Told = (recording: Recording, seed: number) => readonly SourceMessage[];

const HOOKS: readonly Part[] = ["hooks"];
const ALL: readonly Part[] = ["hooks", "stream", "transcript"];

const happened: Told = (recording) => [...asItHappened(recording), ...messages(recording, ["transcript"])];
const of =
  (parts: readonly Part[]): Told =>
  (recording) =>
    messages(recording, parts);
const reversed =
  (told: Told): Told =>
  (recording, seed) =>
    told(recording, seed).toReversed();
const nameless =
  (told: Told): Told =>
  (recording, seed) =>
    told(stripIds(recording), seed);
const thinned =
  (told: Told): Told =>
  (recording, seed) => {
    const next = random(seed, recording.name);
    return told(recording, seed).filter(() => next() >= 1 / 3);
  };

const once = (told: Told) => async (recording: Recording, seed: number) => {
  const { engine, clock } = await memoryEngine();
  await play(engine, clock, told(recording, seed));
  const calls = playedCalls(engine);
  await engine.stop();
  return calls;
};

/** The engine is away for a fifth of the lines, in the middle: nobody sends these again. */
const restarted = (told: Told) => async (recording: Recording, seed: number) => {
  const list = told(recording, seed);
  const disk = new MemoryDisk("test");
  const first = await memoryEngine(disk);
  await play(first.engine, first.clock, list.slice(0, Math.floor(list.length * 0.4)));
  await first.engine.stop();
  const second = await memoryEngine(disk);
  second.clock.advance(first.clock.now() - second.clock.now());
  await play(second.engine, second.clock, list.slice(Math.floor(list.length * 0.6)));
  const calls = playedCalls(second.engine);
  await second.engine.stop();
  return calls;
};

const SEEDS = 7;

const way = (name: string, told: Told, more: Partial<Way> = {}): Way => ({
  name,
  asks: true,
  hasIds: true,
  times: 1,
  hear: once(told),
  ...more,
});

export const WAYS: readonly Way[] = [
  way("hooks", of(HOOKS)),
  way("hooks, reversed", reversed(of(HOOKS))),
  way("hooks, without ids", nameless(of(HOOKS)), { hasIds: false }),
  way("hooks, a third of the messages lost", thinned(of(HOOKS)), { times: SEEDS }),
  way("hooks, engine stopped for the middle fifth", of(HOOKS), { hear: restarted(of(HOOKS)) }),
  way("stream", of(["stream"]), { asks: false }),
  way("transcript", of(["transcript"]), { asks: false }),
  way("hooks, then transcript", of(["hooks", "transcript"])),
  way("all, as it happened", happened),
  ...ORDERS.map((order) => way(`all: ${order.join(", ")}`, of(order))),
  way("all, reversed", reversed(of(ALL))),
  way("all, without ids", nameless(of(ALL)), { hasIds: false }),
  way("all, a third of the messages lost", thinned(happened), { times: SEEDS }),
  way("all, engine stopped for the middle fifth", happened, { hear: restarted(happened) }),
];

/** Numbers from 0 to 1 that depend on the seed and the name alone (mulberry32). */
function random(seed: number, name: string): () => number {
  let state = seed | 0;
  for (let at = 0; at < name.length; at++) state = (state * 31 + name.charCodeAt(at)) | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
