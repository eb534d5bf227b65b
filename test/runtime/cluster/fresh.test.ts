// Fresh: a read begins with everything that any engine on the journal has acknowledged, or is refused.

import fc from "fast-check";
import { expect, test } from "vitest";
import { Fresh } from "../../../runtime/cluster/fresh.ts";
import type { Role } from "../../../runtime/cluster/role.ts";
import { RetryableError } from "../../../runtime/errors/errors.ts";
import type { JournalEnd } from "../../../runtime/ports.ts";
import { ManualClock } from "../../support/engine/manual-clock.ts";
import { holdsLater } from "../../support/properties/property.ts";

const THIS = "test/runtime/cluster/fresh.test.ts";
const RUNS = 300;

/** An engine on a journal that this test writes, which answers a question when the test says so. */
class Reader {
  readonly clock = new ManualClock(0);
  /** The last entry that an owner is known to have. */
  owned = Infinity;
  readonly mandate = {
    isShared: true,
    role: "standby" as Role,
    tells: (position: number) => position <= this.owned,
  };
  position = 0;
  end: JournalEnd = { tail: 0, term: 0 };
  readonly questions: { answer: () => void; fail: (error: Error) => void }[] = [];
  #waiters: { position: number; resolve: () => void }[] = [];
  readonly fresh = new Fresh({
    clock: this.clock,
    mandate: this.mandate,
    meta: () => ({ position: this.position }),
    journal: {
      end: () =>
        new Promise((resolve, reject) =>
          this.questions.push({ answer: () => resolve(this.end), fail: reject }),
        ),
    },
    waiting: {
      at: (position) => new Promise<void>((resolve) => this.#waiters.push({ position, resolve })),
    },
  });

  apply(upTo: number): void {
    this.position = Math.max(this.position, upTo);
    for (const { position, resolve } of this.#waiters) if (position <= this.position) resolve();
    this.#waiters = this.#waiters.filter(({ position }) => position > this.position);
  }
}

const turns = async (): Promise<void> => {
  for (let n = 0; n < 20; n += 1) await Promise.resolve();
};

type Step = "append" | "term" | "apply" | "ask" | "answer" | "fail";
const STEPS: readonly Step[] = ["append", "term", "apply", "ask", "answer", "fail"];

const histories = fc.array(fc.constantFrom(...STEPS), { minLength: 1, maxLength: 60 });

/** @param needed what a read that comes now must find applied. @returns how many reads began. */
async function play(
  reader: Reader,
  steps: readonly Step[],
  needed: (end: JournalEnd) => number,
): Promise<number> {
  const wrong: unknown[] = [];
  let begun = 0;
  for (const step of steps) {
    if (step === "append") reader.end = { ...reader.end, tail: reader.end.tail + 1 };
    if (step === "term") reader.end = { tail: reader.end.tail + 1, term: reader.end.tail + 1 };
    if (step === "apply") reader.apply(Math.min(reader.end.tail, reader.position + 1));
    if (step === "answer") reader.questions.shift()?.answer();
    if (step === "fail") reader.questions.shift()?.fail(new RetryableError("AWAY", "Away.", "Again.", 1));
    if (step === "ask") {
      const least = needed(reader.end);
      const found = (): void => {
        begun += 1;
        if (reader.position < least) wrong.push({ least, found: reader.position });
      };
      const refused = (error: unknown): void => {
        if (!(error instanceof RetryableError)) wrong.push(error);
      };
      void reader.fresh.confirm().then(found, refused);
    }
    await turns();
    if (reader.questions.length > 1) wrong.push(`${reader.questions.length} questions at once`);
  }
  expect(wrong).toEqual([]);
  return begun;
}

test("CLUSTER-FRESH-1, CLUSTER-FRESH-4: whatever is appended, applied and answered in between, a spare begins no read before it has all that the journal had when the read came, and asks one question at a time", async () => {
  let begun = 0;
  await holdsLater(THIS, RUNS, histories, async (steps) => {
    begun += await play(new Reader(), steps, ({ tail }) => tail);
  });
  expect(begun).toBeGreaterThan(0);
});

test("CLUSTER-FRESH-2: an owner begins no read before it has the newest term, and waits for nothing else", async () => {
  await holdsLater(THIS, RUNS, histories, async (steps) => {
    const reader = new Reader();
    reader.mandate.role = "owner";
    await play(reader, steps, ({ term }) => term);
  });
  const owner = new Reader();
  owner.mandate.role = "owner";
  owner.end = { tail: 1_000, term: 3 };
  owner.apply(3);
  const read = owner.fresh.confirm();
  await turns();
  owner.questions[0]?.answer();
  await read;
});

test("CLUSTER-FRESH-1: a spare that has applied more than an owner is known to have refuses reads until the owner has it", async () => {
  const reader = new Reader();
  reader.end = { tail: 7, term: 0 };
  reader.apply(7);
  reader.owned = 6;
  const ask = async (): Promise<unknown> => {
    const read = reader.fresh.confirm().catch((error: unknown) => error);
    reader.questions.shift()?.answer();
    return read;
  };
  expect(await ask()).toMatchObject({ code: "BEHIND" });
  reader.owned = 7;
  expect(await ask()).toBeUndefined();
});

test("CLUSTER-FRESH-2: an engine that was replaced begins no read before it has all that the journal had", async () => {
  await holdsLater(THIS, RUNS, histories, async (steps) => {
    const reader = new Reader();
    reader.mandate.role = "fenced";
    await play(reader, steps, ({ tail }) => tail);
  });
});

test("CLUSTER-FRESH-3: a read that cannot begin within two seconds is refused: the journal is silent, or the entries are not applied", async () => {
  for (const isAnswered of [false, true]) {
    const reader = new Reader();
    reader.end = { tail: 5, term: 0 };
    const read = reader.fresh.confirm().catch((error: unknown) => error);
    if (isAnswered) reader.questions[0]?.answer();
    await turns();
    reader.clock.advance(1_999);
    await turns();
    reader.apply(4);
    reader.clock.advance(1);
    expect(await read).toMatchObject({ code: "BEHIND", retryAfterMs: 1_000 });
  }
});

test("CLUSTER-FRESH-4: a hundred reads that come at once cost two questions", async () => {
  const reader = new Reader();
  const reads = Array.from({ length: 100 }, () => reader.fresh.confirm());
  await turns();
  expect(reader.questions).toHaveLength(1);
  reader.questions.shift()?.answer();
  await turns();
  expect(reader.questions).toHaveLength(1);
  reader.questions.shift()?.answer();
  await Promise.all(reads);
  expect(reader.questions).toHaveLength(0);
});

test("CLUSTER-FRESH-5: an engine that shares its journal with none asks nothing", async () => {
  const reader = new Reader();
  reader.mandate.isShared = false;
  await reader.fresh.confirm();
  expect(reader.questions).toHaveLength(0);
});
