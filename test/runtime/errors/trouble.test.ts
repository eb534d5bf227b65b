// Troubles
// What does not work is reported once when it begins and once when it is over, wherever an operator looks.

import { afterEach, describe, expect, test } from "vitest";
import { composeEngine, type Composed } from "../../../adapters/composition/compose.ts";
import { type Log, stderrLog } from "../../../adapters/log/index.ts";
import { ManualClock } from "../../support/engine/manual-clock.ts";
import { MemoryOutlet } from "../../support/engine/memory-outlet.ts";
import { RefusedError, RetryableError } from "../../../runtime/errors/errors.ts";
import type { Journal } from "../../../runtime/ports.ts";
import { codeOf, type Trouble, type TroubleCode } from "../../../runtime/errors/trouble.ts";
import { watchTroubles } from "../../../runtime/errors/trouble-watch.ts";
import { at } from "../../support/engine/json.ts";
import { HOUR_MS, MINUTE_MS, Rig } from "../../support/engine/rig.ts";
import { said } from "../../support/sessions/said.ts";
import { event } from "../../support/http/served.ts";
import { WrappedJournal } from "../../support/faults/wrapped-journal.ts";

const trouble = (code: TroubleCode, message = "It does not work."): Trouble => ({
  code,
  message,
  next: "Mend it.",
  since: 1,
  isEssential: false,
});

test("ERRORS-TROUBLE-2: an exceeded disk quota, for which Node has only a number, gets its name", () => {
  const error = Object.assign(new Error("x"), { code: "Unknown system error -122" });
  expect(codeOf(error)).toBe("EDQUOT");
});

describe("G20: troubles", () => {
  test("G20, TROUBLE-WATCH-1: one is reported once when it begins and once when it is over, and again when it comes back", () => {
    const clock = new ManualClock();
    const told: string[] = [];
    let now: readonly Trouble[] = [trouble("CLOCK_AHEAD")];
    const end = watchTroubles(clock, () => now, {
      began: ({ code, message }) => told.push(`+${code} ${message}`),
      ended: ({ code, message }) => told.push(`-${code} ${message}`),
    });
    const after = (next: readonly Trouble[]): readonly string[] => {
      now = next;
      clock.advance(1_000);
      return told.splice(0);
    };
    expect(told.splice(0)).toEqual(["+CLOCK_AHEAD It does not work."]);
    expect(
      after([trouble("CLOCK_AHEAD", "3 wait."), trouble("CLOCK_AHEAD", "another"), trouble("SWEEP_FAILS")]),
    ).toEqual(["+SWEEP_FAILS It does not work."]);
    expect(after([trouble("SWEEP_FAILS", "5 wait.")])).toEqual(["-CLOCK_AHEAD 3 wait."]);
    expect(after([trouble("CLOCK_AHEAD")])).toEqual([
      "+CLOCK_AHEAD It does not work.",
      "-SWEEP_FAILS 5 wait.",
    ]);
    end();
    expect(after([])).toEqual([]);
  });

  let composed: Composed | undefined;
  afterEach(() => composed?.stop());

  test("G20: a trouble of the engine is in the log once, and once more when it is over", async () => {
    const told: unknown[] = [];
    const log: Log = {
      ...stderrLog("silent"),
      troubleBegan: ({ code, next }) => told.push(["began", code, next]),
      troubleEnded: ({ code }) => told.push(["over", code]),
    };
    const outlet = new MemoryOutlet();
    outlet.refuse(new RefusedError("NATS_FORBIDDEN", "No.", "Let the engine publish."));
    composed = await composeEngine({ outlet, log });
    await composed.start();
    const body = Buffer.from(JSON.stringify(event("session.started", {})));
    await composed.door.events(body, { door: "test", by: "test" });
    const began = ["began", "CHANGES_HELD", "Let the engine publish."];
    await expect.poll(() => told, { timeout: 10_000 }).toEqual([began]);
    outlet.refuse(undefined);
    await expect.poll(() => told, { timeout: 20_000 }).toEqual([began, ["over", "CHANGES_HELD"]]);
  });
});

describe("G20: a sweep that fails", () => {
  /** A journal that cannot be trimmed while it has a failure set. */
  class Untrimmable extends WrappedJournal {
    failure: Error | undefined;

    override async trim(position: number): Promise<void> {
      if (this.failure) throw this.failure;
      await super.trim(position);
    }
  }

  const codes = ({ engine }: Rig) => engine.troubles().map(({ code }) => code);

  test("G20, MAINTENANCE-5: is a trouble until one succeeds, a minute later at the earliest; too busy once is none", async () => {
    let journal: Untrimmable | undefined;
    const wrapJournal = (inner: Journal): Journal => (journal = new Untrimmable(inner));
    const rig = new Rig({ wrapJournal, journalKept: { bytes: 0, ms: 0 } });
    const fail = (failure: Error | undefined): void => {
      if (journal) journal.failure = failure;
    };
    fail(new Error("EIO of the secret disk"));
    await rig.engine.start();
    await rig.tell("s1", said.prompt("p1"), said.stop());
    await rig.tell("s1", said.sessionEnd());
    expect(codes(rig)).toEqual([]);
    await rig.pass(2 * MINUTE_MS, MINUTE_MS);
    expect(codes(rig)).toEqual(["SWEEP_FAILS"]);
    expect(JSON.stringify(rig.engine.troubles())).not.toContain("secret");
    fail(undefined);
    await rig.pass(MINUTE_MS, MINUTE_MS);
    expect(codes(rig)).toEqual([]);
    fail(new RetryableError("OVERLOADED", "Too busy.", "Try again.", 1_000));
    await rig.tell("s2", said.prompt("p1"), said.stop());
    await rig.tell("s2", said.sessionEnd());
    await rig.pass(HOUR_MS, HOUR_MS);
    expect(codes(rig)).toEqual([]);
    await rig.pass(MINUTE_MS, MINUTE_MS);
    expect(rig.engine.troubles().map((each) => at(each, "next"))).toEqual(["Try again."]);
    await rig.engine.stop();
    expect(codes(rig)).toEqual([]);
  });
});
