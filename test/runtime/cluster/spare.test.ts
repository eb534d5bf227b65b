// Spare: when it asks, when a silence is long enough, what becomes of a lost race. Time is a number.

import { setImmediate as nextTick } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Compared } from "../../../runtime/cluster/standing.ts";
import { type OwnerLine, Spare } from "../../../runtime/cluster/spare.ts";
import type { OwnerHeard } from "../../../runtime/cluster/standing.ts";
import { ManualClock } from "../../support/engine/manual-clock.ts";

const OWNER: OwnerHeard = {
  node: "http://a",
  term: 1,
  applied: 7,
  log: "l",
  published: 3,
  posted: 0,
  isProven: true,
};
type Answer = Awaited<ReturnType<OwnerLine["ask"]>>;

function standingBy(
  lead: () => Promise<boolean> = () => Promise.resolve(true),
  answered: (answer: Answer) => Promise<Answer> = (answer) => Promise.resolve(answer),
) {
  const clock = new ManualClock();
  const seen = {
    answer: OWNER as Answer,
    heard: 0,
    tried: 0,
    led: 0,
    leave: (): void => undefined,
    isReady: true,
    breaks: false,
  };
  const compared = { word: "even" as Compared, asked: [] as unknown[], differs: [] as unknown[] };
  const wanted = [{ of: "changes", after: 1, upTo: 2, since: 0 }] as const;
  const [errors, fatals]: [unknown[], unknown[]] = [[], []];
  const held = { upTo: [] as number[], early: (): void => undefined };
  const hold = {
    allow: (position: number) => void held.upTo.push(position),
    onEarly: (callback: () => void) => void (held.early = callback),
  };
  const spare = new Spare(
    {
      mandate: {
        heard: () => {
          seen.heard += 1;
          return compared.word;
        },
        differ: (difference) => compared.differs.push(difference),
        patienceMs: 3_000,
        agreement: { wanted: () => wanted, held: 5 },
      },
      get isReady() {
        return seen.isReady;
      },
      lead: () => {
        seen.tried += 1;
        return lead();
      },
    },
    {
      clock,
      hold,
      line: {
        ask: (asked) => {
          compared.asked.push(asked);
          return answered(seen.answer);
        },
        onLeaving: (callback) => {
          seen.leave = callback;
          return () => undefined;
        },
      },
      onLead: () => {
        seen.led += 1;
        return seen.breaks ? Promise.reject(new Error("the server is away")) : undefined;
      },
      onError: (error) => errors.push(error),
      onFatal: (error) => fatals.push(error),
    },
  );
  spare.start();
  const pass = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= 100) {
      for (let n = 0; n < 5; n += 1) await nextTick();
      clock.advance(100);
    }
    for (let n = 0; n < 5; n += 1) await nextTick();
  };
  return { seen, errors, fatals, spare, pass, compared, held };
}

test("CLUSTER-SPARE-1: it takes over after 3 s without an answer, and not before; at once where an owner leaves", async () => {
  const { seen, pass } = standingBy();
  await pass(60_000);
  expect(seen).toMatchObject({ tried: 0, led: 0 });
  seen.answer = "nobody";
  await pass(2_400);
  expect(seen.tried).toBe(0);
  await pass(1_200);
  expect(seen).toMatchObject({ tried: 1, led: 1 });
  await pass(10_000);
  expect(seen.tried).toBe(1);

  const other = standingBy();
  await other.pass(1_000);
  other.seen.answer = "nobody";
  other.seen.leave();
  await other.pass(600);
  expect(other.seen).toMatchObject({ tried: 1, led: 1 });
});

test("CLUSTER-SPARE-2: an answer counts once: one long ago does not put off a take-over", async () => {
  const { seen, pass } = standingBy();
  await pass(1_000);
  const { heard } = seen;
  seen.answer = "nobody";
  await pass(2_000);
  seen.answer = OWNER;
  await pass(600);
  expect(seen.heard).toBeGreaterThan(heard);
  seen.answer = "nobody";
  await pass(2_400);
  expect(seen.tried).toBe(0);
  const before = seen.heard;
  await pass(1_200);
  expect(seen).toMatchObject({ tried: 1, heard: before });
});

test("CLUSTER-SPARE-3: without a connection it hears nobody and takes nothing over; the silence begins behind it", async () => {
  const { seen, pass } = standingBy();
  seen.answer = "cut";
  await pass(60_000);
  seen.answer = "nobody";
  await pass(2_400);
  expect(seen.tried).toBe(0);
  await pass(1_200);
  expect(seen.tried).toBe(1);
});

test("CLUSTER-SPARE-4: where another was first, or its term was not taken, it stands by again, and says why", async () => {
  const lost = standingBy(() => Promise.resolve(false));
  lost.seen.answer = "nobody";
  await lost.pass(3_600);
  expect(lost.seen).toMatchObject({ tried: 1, led: 0 });
  lost.seen.answer = OWNER;
  await lost.pass(60_000);
  expect(lost.seen.tried).toBe(1);

  const failed = standingBy(() => Promise.reject(new Error("away")));
  failed.seen.answer = "nobody";
  await failed.pass(8_400);
  expect(failed.seen).toMatchObject({ tried: 2, led: 0 });
  expect(failed.errors).toHaveLength(2);
});

test("CLUSTER-SPARE-2: an answer that was on its way when the owner left puts nothing off", async () => {
  let leave = (): void => undefined;
  const { seen, pass } = standingBy(undefined, (answer) => {
    leave();
    return Promise.resolve(answer);
  });
  await pass(1_000);
  leave = () => {
    leave = () => undefined;
    seen.leave();
    queueMicrotask(() => (seen.answer = "nobody"));
  };
  await pass(1_200);
  expect(seen).toMatchObject({ tried: 1, led: 1 });
});

test("CLUSTER-SPARE-5: every question asks to compare, more often while there is more; a difference is told once, and ends it", async () => {
  const { seen, compared, pass } = standingBy();
  await pass(10_000);
  const even = compared.asked.length;
  expect(compared.asked[0]).toEqual({
    compare: [{ of: "changes", after: 1, upTo: 2, since: 0 }],
    holds: 5,
  });
  compared.word = "more";
  await pass(10_000);
  expect(compared.asked.length - even).toBeGreaterThan(3 * even);
  const difference = { of: "changes", n: 7, position: 3 } as const;
  compared.word = difference;
  await pass(1_000);
  const all = compared.asked.length;
  seen.answer = "nobody";
  await pass(60_000);
  expect(compared.differs).toEqual([difference]);
  expect(compared.asked.at(-1)).toEqual({ compare: [], differs: difference });
  expect([compared.asked.length, seen.tried]).toEqual([all, 0]);
});

test("CLUSTER-SPARE-6: an entry that waits for the owner has it asked at once, then each 50 ms, and calm again afterwards", async () => {
  const { compared, pass, held } = standingBy();
  await pass(10_000);
  const calm = compared.asked.length;
  for (let n = 0; n < 10; n += 1) {
    held.early();
    await pass(100);
  }
  expect(compared.asked.length - calm).toBeGreaterThanOrEqual(10);
  const busy = compared.asked.length;
  await pass(10_000);
  expect(compared.asked.length - busy).toBeLessThanOrEqual(calm);
});

test("CLUSTER-SPARE-6: without an owner it first reads on, and takes over once it has caught up", async () => {
  const { seen, pass, held } = standingBy();
  seen.isReady = false;
  seen.answer = "nobody";
  await pass(2_400);
  expect([held.upTo, seen.tried]).toEqual([[], 0]);
  await pass(1_200);
  expect([held.upTo[0], seen.tried]).toEqual([Infinity, 0]);
  seen.isReady = true;
  await pass(600);
  expect(seen).toMatchObject({ tried: 1, led: 1 });
});

test("CLUSTER-SPARE-7: an owner that cannot begin its work ends", async () => {
  const { seen, fatals, errors, pass } = standingBy();
  seen.answer = "nobody";
  seen.breaks = true;
  await pass(4_000);
  expect([seen.led, fatals, errors]).toEqual([1, [new Error("the server is away")], []]);
});
