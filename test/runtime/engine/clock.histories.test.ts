// Clock histories
// Clocks that jump by hours and years, with restarts in between, compared with an honest clock.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS, Rig, START_MS } from "../../support/engine/rig.ts";
import { holdsLater } from "../../support/properties/property.ts";
import { said } from "../../support/sessions/said.ts";

const YEARS_MS = 10 * 365 * 24 * HOUR_MS;

type Step =
  | { readonly do: "set"; readonly offMs: number }
  | { readonly do: "pass"; readonly minutes: number }
  | { readonly do: "restart" }
  | { readonly do: "tell" };

const histories = fc.array(
  fc.oneof(
    fc.constantFrom(0, HOUR_MS, -HOUR_MS, YEARS_MS, -YEARS_MS).map((offMs): Step => ({ do: "set", offMs })),
    fc.integer({ min: 1, max: 90 }).map((minutes): Step => ({ do: "pass", minutes })),
    fc.constant<Step>({ do: "restart" }),
    fc.constant<Step>({ do: "tell" }),
  ),
  { minLength: 1, maxLength: 14 },
);

describe("whatever clocks do", () => {
  test(
    "G21, JOURNAL-TIME-1, JOURNAL-TIME-3: time never goes back, nothing ends too early, and once the clock is right, time is right",
    () => holdsLater("test/runtime/engine/clock.histories.test.ts", 25, histories, live),
    120_000,
  );
});

/** Lives through a history of clocks, with an honest one beside it. */
async function live(steps: readonly Step[]): Promise<void> {
  let rig = await Rig.start();
  let [honest, offMs, believedOffMs, forwardMs, unknownMs, n] = [START_MS, 0, 0, 0, 0, 0];
  /** When something was last written to the journal, and how large the journal was then. */
  let [heardMs, tail] = [START_MS, 0];
  /** When a request was last heard of, and by how much clocks had gone forward before. */
  const heard = new Map<string, readonly [at: number, forwardMs: number]>();
  const ended = new Set<string>();
  let last = 0;
  const tell = async (): Promise<void> => {
    seen();
    const session = `s${++n}`;
    await rig.tell(session, said.prompt(session));
    heard.set(session, [honest, forwardMs]);
  };
  const look = (): void => {
    expect(rig.engine.meta().at).toBeGreaterThanOrEqual(last);
    last = rig.engine.meta().at;
    if (rig.disk.tail !== tail) [heardMs, tail] = [honest, rig.disk.tail];
    for (const [session, [at, before]] of heard) {
      const state = rig.state(`${session}/request/${session}`) as { lifecycle: unknown } | undefined;
      if (ended.has(session) || state?.lifecycle !== "timeout") continue;
      ended.add(session);
      expect(honest - at + (forwardMs - before)).toBeGreaterThanOrEqual(HOUR_MS);
    }
  };
  const pass = async (minutes: number): Promise<void> => {
    seen();
    for (let minute = 0; minute < minutes; minute += 1) {
      honest += MINUTE_MS;
      await rig.pass(MINUTE_MS, MINUTE_MS);
      look();
    }
  };
  const set = (to: number): void => {
    rig.clock.stepWall(to - offMs);
    offMs = to;
  };
  /** The engine looks at its clock. Jumps of years are not believed; one of an hour is, and counts as an hour passed. */
  const seen = (): void => {
    if (Math.abs(offMs) === YEARS_MS) return;
    forwardMs += unknownMs + Math.max(0, offMs - believedOffMs);
    [believedOffMs, unknownMs] = [offMs, 0];
  };
  await tell();
  for (const step of steps) {
    if (step.do === "tell") await tell();
    if (step.do === "pass") await pass(step.minutes);
    if (step.do === "set") set(step.offMs);
    if (step.do === "restart") {
      // A start that does not believe its clock cannot know how much time passed since the last entry.
      if (Math.abs(offMs) === YEARS_MS) unknownMs += honest - heardMs;
      await rig.engine.stop();
      rig = await rig.restart();
      seen();
    }
    look();
  }
  set(0);
  await pass(130);
  await tell();
  expect(Math.abs(rig.engine.meta().at - honest)).toBeLessThanOrEqual(MINUTE_MS);
  await pass(130);
  for (const session of heard.keys()) {
    const state = rig.state(`${session}/request/${session}`) as { lifecycle: unknown } | undefined;
    expect([session, state?.lifecycle]).toEqual([session, "timeout"]);
  }
  await rig.engine.stop();
}
