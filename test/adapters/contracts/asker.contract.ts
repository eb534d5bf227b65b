// Asker contract
// What every door does where an id comes again.
//
//   Owns:          who is told of an allow, and what the others are told.
//   Does not own:  the doors (those who call it), how an approval is asked for and answered otherwise.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Fact } from "../../../machines/index.ts";
import { toolInput } from "../../../runtime/canonical.ts";

/** A call as its asker tells of it. */
export interface Asks {
  readonly id: string;
  readonly session: string;
  readonly run?: string;
  readonly agent?: string;
  readonly call?: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, string>>;
}

/** What was said to an asker, or to one who read an answer. */
export interface Told {
  readonly status: number;
  readonly body: unknown;
}

export interface AskingDoor {
  /** Asks, and is told how it stands. */
  ask(asks: Asks): Promise<Told>;
  /** Reads the answer as one who asked this; `byId` says nothing but the id. */
  read(asks: Asks, how?: "byId"): Promise<Told>;
  approve(id: string): Promise<void>;
  /** The same engine, started anew on the same disk. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface DoorUnderTest {
  readonly name: string;
  /** What an asker there can say. */
  readonly facts: readonly Fact[];
  /** Whoever reads an answer there says what it asked. */
  readonly isOfService: boolean;
  readonly open: () => Promise<AskingDoor>;
}

const FIRST: Asks = {
  id: "call-1",
  session: "run-7",
  run: "r1",
  agent: "a1",
  call: "t1",
  tool: "deploy",
  input: { to: "prod-secret" },
};
const OTHERS = {
  session: { session: "run-8" },
  run: { run: "r2" },
  agent: { agent: "a2" },
  call: { call: "t2" },
  tool: { tool: "destroy" },
  input: { input: { to: "elsewhere" } },
} as const satisfies Readonly<Record<Fact, Partial<Asks>>>;

const hashOf = ({ input }: Asks): string => toolInput(input).hash;
export const isAllow = ({ body }: Told): boolean => fieldsOf(body)["decision"] === "allow";
export const isReused = ({ status, body }: Told): boolean =>
  status === 409 && fieldsOf(fieldsOf(body)["error"])["code"] === "ID_REUSED";
const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? { ...value } : {};

export function askerContract({ name, facts, isOfService, open }: DoorUnderTest): void {
  const said = { session: FIRST.session, tool: FIRST.tool, id: FIRST.id, input: FIRST.input };
  const first: Asks = { ...said, ...Object.fromEntries(facts.map((fact) => [fact, FIRST[fact]])) };
  const optional = facts.filter((fact) => fact === "run" || fact === "agent" || fact === "call");

  describe(`${name}: an id that comes again`, () => {
    let door: AskingDoor;
    beforeEach(async () => {
      door = await open();
    });
    afterEach(() => door.stop());

    async function expectRefused(other: Asks, fact: Fact): Promise<void> {
      for (const told of [await door.ask(other), await door.read(other)]) {
        expect([fact, told.status, isReused(told)]).toEqual([fact, 409, true]);
        expect(fieldsOf(told.body)["differs"]).toEqual([fact]);
        const text = JSON.stringify(told.body);
        expect(text).toContain(fact);
        expect(text).toContain("Use a new id");
        for (const secret of ["prod-secret", hashOf(first)]) expect(text).not.toContain(secret);
      }
    }

    it.each(facts)("ASKER-1: for another %s is refused, before the answer and after it", async (fact) => {
      await door.ask(first);
      const other = { ...first, ...OTHERS[fact] };
      await expectRefused(other, fact);
      await door.approve(first.id);
      await expectRefused(other, fact);
      await door.restart();
      await expectRefused(other, fact);
      expect(isAllow(await door.ask(first))).toBe(true);
    });

    it.each(optional)("ASKER-1: without the %s that it was used with is refused", async (fact) => {
      await door.ask(first);
      await door.approve(first.id);
      const { [fact]: _, ...other } = first;
      for (const told of [await door.ask(other), await door.read(other)]) expect(isReused(told)).toBe(true);
    });

    it("ASKER-1: with everything equal is the same approval, before the answer and after it, over restarts", async () => {
      for (let n = 0; n < 2; n += 1) {
        expect(fieldsOf((await door.ask(first)).body)).toMatchObject({ state: "pending" });
        await door.restart();
      }
      await door.approve(first.id);
      const told = { state: "approved", decision: "allow", inputHash: hashOf(first) };
      for (let n = 0; n < 2; n += 1) {
        expect((await door.ask(first)).body).toMatchObject(told);
        expect((await door.read(first)).body).toMatchObject(told);
        await door.restart();
      }
    });

    it("ASKER-2: is read by itself only where a gate made it", async () => {
      await door.ask(first);
      await door.approve(first.id);
      const told = await door.read(first, "byId");
      expect([told.status, isAllow(told)]).toEqual(isOfService ? [400, false] : [200, true]);
      if (isOfService) expect(told.body).toMatchObject({ error: { code: "BAD_PARAMETER", path: "session" } });
    });
  });
}
