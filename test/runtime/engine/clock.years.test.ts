// Clock, years wrong
// A clock that is years wrong, at a start and under a running engine: its effect on time, deadlines and kept data.

import { describe, expect, test } from "vitest";
import type { Journal, JournalEntry } from "../../../runtime/ports.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, Rig, type RigOptions, START_MS } from "../../support/engine/rig.ts";
import { call, said } from "../../support/sessions/said.ts";

const YEARS_MS = 10 * 365 * DAY_MS;
const SECOND_MS = 1_000;
const HALF_HOUR_MS = 30 * MINUTE_MS;

/** A request at work, one that is over, and an approval with half an hour left. */
async function busy(options?: RigOptions): Promise<Rig> {
  const rig = await Rig.start(options);
  await rig.tell("s1", said.prompt("open"), said.pre(call("c1")));
  await rig.tell("s2", said.prompt("done"));
  await rig.tell("s2", said.stop());
  await rig.tell("s3", said.prompt("asks"), said.pre(call("c3")));
  const deadlineAt = rig.clock.now() + HALF_HOUR_MS;
  await rig.tell("s3", said.ask("a1", call("c3"), { deadlineAt, onDeadline: "deny" }));
  return rig;
}

const states = (rig: Rig): unknown[] => [
  rig.state("s1/request/open"),
  rig.state("s2/request/done") !== undefined,
  rig.state("s3/approval/a1"),
];
const UNTOUCHED = [expect.objectContaining({ lifecycle: { processing: "running" } }), true, "pending"];

/** Stops it, sets the clock, starts it again. */
async function restartAt(rig: Rig, stepMs: number): Promise<Rig> {
  await rig.engine.stop();
  rig.clock.stepWall(stepMs);
  return rig.restart();
}

const timeOf = (rig: Rig): number => rig.engine.meta().at;

describe("a clock ten years ahead", () => {
  test("G21, JOURNAL-TIME-2: at a start it removes nothing, ends nothing and moves no time; once corrected, all goes on as if it had been right", async () => {
    const ahead = await restartAt(await busy(), YEARS_MS);
    await ahead.pass(10 * MINUTE_MS, 10 * SECOND_MS);
    await ahead.tell("s4", said.prompt("new"));
    expect(states(ahead)).toEqual(UNTOUCHED);
    expect(timeOf(ahead) - START_MS).toBeLessThanOrEqual(10 * MINUTE_MS);
    expect(timeOf(ahead) - START_MS).toBeGreaterThanOrEqual(9 * MINUTE_MS);

    const right = await restartAt(ahead, -YEARS_MS);
    await right.tell("s4", said.prompt("newer"));
    expect(timeOf(right)).toBe(right.clock.now());
    await right.pass(19 * MINUTE_MS, MINUTE_MS);
    expect(states(right)).toEqual(UNTOUCHED);
    await right.pass(2 * MINUTE_MS, MINUTE_MS);
    expect(right.state("s3/approval/a1")).toBe("expired");
    await right.pass(DAY_MS, HALF_HOUR_MS);
    expect(states(right)).toMatchObject([{ lifecycle: "timeout" }, false, "expired"]);
  });

  test("G21, JOURNAL-TIME-2, CLOCK-WATCH-1: under a running engine deadlines keep their pace, by the time that really passes", async () => {
    const rig = await busy();
    rig.clock.stepWall(YEARS_MS);
    await rig.pass(28 * MINUTE_MS, MINUTE_MS);
    expect(states(rig)).toEqual(UNTOUCHED);
    await rig.pass(4 * MINUTE_MS, MINUTE_MS);
    expect(rig.state("s3/approval/a1")).toBe("expired");
    await rig.pass(2 * HOUR_MS, MINUTE_MS);
    expect(rig.state("s1/request/open")).toMatchObject({ lifecycle: "timeout" });
    expect(timeOf(rig)).toBeLessThan(START_MS + 3 * HOUR_MS);
    rig.clock.stepWall(-YEARS_MS);
    await rig.pass(2 * MINUTE_MS, MINUTE_MS);
    expect(timeOf(rig)).toBeGreaterThan(rig.clock.now() - 2 * MINUTE_MS);
    expect(timeOf(rig)).toBeLessThanOrEqual(rig.clock.now());
  });

  test("G21: it is reported with what to do, until it is corrected, and the engine stays ready", async () => {
    const told: string[] = [];
    const rig = await restartAt(await busy({ onClock: ({ code }) => told.push(code) }), YEARS_MS);
    await rig.pass(10 * MINUTE_MS, MINUTE_MS);
    expect(told).toEqual(["CLOCK_AHEAD"]);
    const [trouble, ...more] = rig.engine.troubles();
    expect(trouble).toMatchObject({ code: "CLOCK_AHEAD", isEssential: false });
    expect(trouble?.next).toContain("--accept-clock");
    expect([more, rig.engine.isReady]).toEqual([[], true]);
    rig.clock.stepWall(-YEARS_MS);
    await rig.pass(2 * MINUTE_MS, MINUTE_MS);
    expect(rig.engine.troubles()).toEqual([]);
  });

  test("G21: a wrong clock of the NATS server is disbelieved just as a wrong local clock is", async () => {
    let serverMs = 0;
    const wrapJournal = (journal: Journal): Journal => stampedBy(journal, () => serverMs);
    const rig = await busy({ wrapJournal });
    serverMs = YEARS_MS;
    await rig.tell("s4", said.prompt("new"));
    await rig.pass(28 * MINUTE_MS, MINUTE_MS);
    expect(states(rig)).toEqual(UNTOUCHED);
    expect(rig.engine.troubles()).toMatchObject([{ code: "CLOCK_AHEAD" }]);
    await rig.pass(4 * MINUTE_MS, MINUTE_MS);
    expect(rig.state("s3/approval/a1")).toBe("expired");
    serverMs = 0;
    await rig.tell("s4", said.prompt("newer"));
    expect([timeOf(rig), rig.engine.troubles()]).toEqual([rig.clock.now(), []]);
  });
});

/** A journal whose server's clock is off by the given time at each entry. */
function stampedBy(journal: Journal, offMs: () => number): Journal {
  const off = new Map<number, number>();
  const stamped = (entry: JournalEntry): JournalEntry => ({
    ...entry,
    at: entry.at + (off.get(entry.position) ?? 0),
  });
  return Object.assign(Object.create(journal) as Journal, {
    open: journal.open.bind(journal),
    fill: journal.fill.bind(journal),
    tail: journal.tail.bind(journal),
    trim: journal.trim.bind(journal),
    close: journal.close.bind(journal),
    append(...given: Parameters<Journal["append"]>) {
      off.set(journal.tail() + 1, offMs());
      return journal.append(...given);
    },
    async read(...given: Parameters<Journal["read"]>) {
      return (await journal.read(...given)).map(stamped);
    },
    async entry(position: number) {
      const entry = await journal.entry(position);
      return entry && stamped(entry);
    },
  });
}

describe("a machine that was off for a hundred days", () => {
  async function monthsLater(options?: RigOptions): Promise<Rig> {
    const rig = await busy();
    await rig.engine.stop();
    rig.clock.advance(100 * DAY_MS);
    return rig.restart(options);
  }

  test("G21, JOURNAL-TIME-2: its clock is not believed until an operator accepts it; until then nothing is removed or ended", async () => {
    const rig = await monthsLater();
    await rig.pass(20 * MINUTE_MS, MINUTE_MS);
    expect(states(rig)).toEqual(UNTOUCHED);
    expect(rig.engine.troubles()).toMatchObject([{ code: "CLOCK_AHEAD" }]);
  });

  test("G21, JOURNAL-TIME-4, ALARMS-2: once accepted, time is the clock's, and each deadline keeps the time it had left", async () => {
    const rig = await monthsLater({ acceptClock: true });
    expect(rig.engine.troubles()).toEqual([]);
    await rig.tell("s4", said.prompt("new"));
    expect(timeOf(rig)).toBe(rig.clock.now());
    await rig.pass(29 * MINUTE_MS, MINUTE_MS);
    expect(states(rig)).toEqual(UNTOUCHED);
    await rig.pass(2 * MINUTE_MS, MINUTE_MS);
    expect(rig.state("s3/approval/a1")).toBe("expired");
    // Deadlines set since then count from the clock as it is now.
    const before = rig.clock.now();
    await rig.tell("s5", said.prompt("late"));
    await rig.pass(HOUR_MS - MINUTE_MS, MINUTE_MS);
    expect(rig.state("s5/request/late")).toMatchObject({ lifecycle: { processing: "running" } });
    await rig.pass(2 * MINUTE_MS, MINUTE_MS);
    expect(rig.row("actor/w/s5/request/late")).toMatchObject({ context: { completedAt: before + HOUR_MS } });
    const next = await restartAt(rig, 0);
    expect(next.engine.troubles()).toEqual([]);
    await next.tell("s4", said.prompt("newer"));
    expect(timeOf(next)).toBe(next.clock.now());
  });

  test("JOURNAL-TIME-4: a clock that is believed is accepted as it is", async () => {
    const rig = await restartAt(await busy(), HOUR_MS);
    await rig.engine.stop();
    const next = await rig.restart({ acceptClock: true });
    expect(next.engine.meta()).toMatchObject({ at: next.clock.now() });
    expect(next.engine.meta().clock).toBeUndefined();
  });
});

describe("a clock that is wrong by less", () => {
  test("G21, JOURNAL-TIME-3: wrong by 30 days at a start and corrected within a minute: nothing was removed, nothing ended", async () => {
    const ahead = await restartAt(await busy(), 30 * DAY_MS);
    await ahead.tell("s1", said.pre(call("c2")));
    await ahead.tell("s3", said.pre(call("c4")));
    await ahead.pass(50 * SECOND_MS, 10 * SECOND_MS);
    expect(states(ahead)).toEqual(UNTOUCHED);
    ahead.clock.stepWall(-30 * DAY_MS);
    await ahead.pass(25 * MINUTE_MS, MINUTE_MS);
    expect(states(ahead)).toEqual(UNTOUCHED);
    expect(ahead.engine.troubles()).toMatchObject([{ code: "CLOCK_BEHIND" }]);
    await ahead.pass(6 * MINUTE_MS, MINUTE_MS);
    expect(ahead.state("s3/approval/a1")).toBe("expired");
  });

  test("MAINTENANCE-7: during the wait after a jump nobody can sweep, whoever asks", async () => {
    const rig = await busy();
    rig.clock.stepWall(20 * DAY_MS);
    await expect(rig.engine.retention.sweep(1)).rejects.toMatchObject({ code: "CLOCK_JUMPED" });
    await rig.pass(61 * SECOND_MS, SECOND_MS);
    expect(await rig.engine.retention.sweep(1)).toMatchObject({ more: false });
  });

  test("JOURNAL-TIME-2: a machine that was off for 30 days is believed after a minute", async () => {
    const rig = await busy();
    await rig.engine.stop();
    rig.clock.advance(30 * DAY_MS);
    const next = await rig.restart();
    await next.tell("s4", said.prompt("new"));
    expect(timeOf(next)).toBe(next.clock.now());
    expect(states(next)).toEqual(UNTOUCHED);
    await next.pass(3 * MINUTE_MS, MINUTE_MS);
    expect(next.state("s3/approval/a1")).toBe("expired");
    expect(next.engine.troubles()).toEqual([]);
  });
});
