// Bounds
// How fast transcripts are read, how long refused paths are reported, and when a watched file is let go.

import { fc, test as property } from "@fast-check/vitest";
import { expect, test } from "vitest";
import { ManualClock } from "../../support/engine/manual-clock.ts";
import { Counts } from "../../../adapters/transcripts/counts.ts";
import { Pace } from "../../../adapters/transcripts/pace.ts";
import { Refused } from "../../../adapters/transcripts/refused.ts";
import { type Watched, WatchList } from "../../../adapters/transcripts/watch-list.ts";
import { RefusedError } from "../../../runtime/errors/errors.ts";

const SECONDS = 60;
const MINUTE_MS = 60_000;

property.prop([fc.integer({ min: 200_000, max: 4_000_000 }), fc.integer({ min: 1, max: 16 })])(
  "TRANSCRIPTS-PACE-1: a reader that waits as it is told takes at most half of its workspace's quota",
  (bytesAllowed, pieces) => {
    const clock = new ManualClock(0);
    const pace = new Pace(clock, () => ({ messages: "off", bytes: bytesAllowed, kept: "off" }));
    const piece = Math.ceil(bytesAllowed / pieces / 4);
    // A full bucket is drained first.
    while (pace.spend("w", { messages: 0, bytes: piece }) === 0);
    const from = clock.monotonic();
    let read = 0;
    while (clock.monotonic() - from < SECONDS * 1000) {
      const waitMs = pace.spend("w", { messages: 1, bytes: piece });
      read += piece;
      clock.advance(Math.max(1, Math.ceil(waitMs)));
    }
    expect(read).toBeLessThanOrEqual((SECONDS * bytesAllowed) / 2 + 2 * piece + bytesAllowed / 100);
  },
);

test("TRANSCRIPTS-REFUSED-2: a refused path is a trouble until none was named for ten minutes", async () => {
  const clock = new ManualClock(1_000);
  const recorded: string[] = [];
  const door = {
    refusals: { record: (why: RefusedError) => Promise.resolve(void recorded.push(why.code)) },
  };
  const refused = new Refused({ door: door as never, clock, counts: new Counts() });
  const tell = () =>
    refused.tell("k", "/etc/x", new RefusedError("TRANSCRIPT_LINK", "a link", "Name a file."));
  expect(refused.trouble).toBeUndefined();
  await tell();
  clock.advance(9 * MINUTE_MS);
  await tell();
  clock.advance(10 * MINUTE_MS);
  expect(refused.trouble).toMatchObject({ code: "TRANSCRIPT_LINK", count: 2, since: 1_000 });
  clock.advance(1);
  expect([refused.trouble, recorded]).toEqual([undefined, ["TRANSCRIPT_LINK"]]);
});

/** A file as the list looks at it. */
const watched = (session: string, heardAt: number, state: { isEnded?: boolean; isGone?: boolean } = {}) =>
  ({
    file: { named: { workspace: "w", session }, isEnded: state.isEnded ?? false },
    bell: { close: () => undefined },
    heardAt,
    isGone: state.isGone ?? false,
    isLooking: false,
  }) as unknown as Watched;

test.each([
  ["one that may still be written to", {}, 24 * 60],
  ["one whose session has ended", { isEnded: true }, 10],
  ["one that is gone", { isGone: true }, 10],
] as const)(
  "TRANSCRIPTS-WATCH-LIST-2: %s is let go once it was quiet long enough, not before",
  (_, state, minutes) => {
    const list = new WatchList();
    list.add("f", watched("s", 0, state), 0);
    list.prune(minutes * MINUTE_MS);
    expect(list.size).toBe(1);
    list.prune(minutes * MINUTE_MS + 1);
    expect(list.size).toBe(0);
  },
);
