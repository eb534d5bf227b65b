// Contract cases
// Implementations that break one claim by a hair, each against its contract.
//
//   Owns:          that a broken claim is told by its name; what becomes of what a case made.
//   Does not own:  the implementations that keep theirs (adapters/contracts/contracts.test).

import { describe, expect, it } from "vitest";
import { MemoryDisk, MemoryJournal, MemoryStore } from "../../../adapters/memory/index.ts";
import { casesOf, claimsAbout } from "../../../runtime/contracts/contract-case.ts";
import {
  type ContractCase,
  journalContract,
  outletContract,
  storeContract,
} from "../../../runtime/contracts/index.ts";
import type { Journal, JournalEntry, Outlet, Range, Store, Write } from "../../../runtime/ports.ts";
import { ManualClock } from "../../support/engine/manual-clock.ts";
import { MemoryOutlet } from "../../support/engine/memory-outlet.ts";

/** The titles of the cases that do not hold. */
async function broken(cases: readonly ContractCase[]): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const { title, run } of cases) await run().catch(() => failed.push(title));
  return failed;
}

class Backwards extends MemoryStore {
  override commit(writes: readonly Write[]): Promise<void> {
    return super.commit(writes.toReversed());
  }
}

class WithUpperBound extends MemoryStore {
  override range(range: Range): Iterable<readonly [key: string, value: string]> {
    return super.range({ ...range, lt: `${range.lt} ` });
  }
}

class Unfenced extends MemoryStore {
  readonly #disk: MemoryDisk;

  constructor(disk: MemoryDisk) {
    super(disk);
    this.#disk = disk;
  }

  override async commit(writes: readonly Write[]): Promise<void> {
    await super.commit(writes).catch((error: unknown) => {
      if (this.#disk.epoch < 2) throw error;
      for (const write of writes) if ("put" in write) this.#disk.rows.set(write.put, write.value);
    });
  }
}

class Forgetful extends MemoryStore {
  readonly #disk: MemoryDisk;

  constructor(disk: MemoryDisk) {
    super(disk);
    this.#disk = disk;
  }

  override open(): Promise<number> {
    this.#disk.rows.delete("b");
    return super.open();
  }
}

const STORES: Readonly<Record<string, new (disk: MemoryDisk) => Store>> = {
  "PORTS-2: the writes of a commit are applied in their order": Backwards,
  "PORTS-2: a range takes in its lower bound and leaves out its upper one, both ways": WithUpperBound,
  "PORTS-3, G6: once a second has opened the store, every commit of the first fails and changes nothing":
    Unfenced,
  "G3: what was committed is there after a restart, and nothing else": Forgetful,
};

/** Skips trimmed entries, and reports nothing. */
class Jumping extends MemoryJournal {
  #trimmed = 0;

  override trim(position: number): Promise<void> {
    this.#trimmed = position;
    return super.trim(position);
  }

  override read(position: number, limit: number, signal: AbortSignal): Promise<readonly JournalEntry[]> {
    return super.read(Math.max(position, this.#trimmed), limit, signal);
  }
}

/** Takes the last version for the highest. */
class GoingBack extends MemoryOutlet {
  override lastVersion(workspace: string, session: string): Promise<number> {
    const of = this.published.filter(({ messageId }) => messageId.startsWith(`${workspace}/${session}:`));
    return Promise.resolve(Number(of.at(-1)?.messageId.split(":").at(-1) ?? 0));
  }
}

describe("cases of a contract", () => {
  it.each(Object.entries(STORES))(
    "CONTRACT-CASE-2: a store that breaks one of its claims fails the case of that name (%s)",
    async (title, Broken) => {
      const cases = storeContract({
        make() {
          const disk = new MemoryDisk("broken");
          return { store: () => new Broken(disk) };
        },
      });
      expect(await broken(cases)).toContain(title);
    },
  );

  it("CONTRACT-CASE-2: a journal and an outlet that break claims fail the cases of these, and no others", async () => {
    const journals = journalContract({
      make(max) {
        const disk = new MemoryDisk(`broken-${Math.random()}`);
        const clock = new ManualClock(1_000_000);
        let last: Journal | undefined;
        return {
          clock,
          async restart() {
            await last?.close();
            return (last = new Jumping(disk, clock, max));
          },
        };
      },
    });
    expect(await broken(journals)).toEqual([
      "PORTS-1: reading a trimmed entry is an error, never a silent jump",
    ]);
    expect(await broken(outletContract({ make: (): Outlet => new GoingBack() }))).toEqual([
      "G4: going back and publishing again leaves the highest version the last one",
      "OUTLET-PUBLISHER-5: the versions of a log that was begun again are counted separately",
    ]);
  });

  it("CONTRACT-CASE-1: what a case made is ended, and the claim's failure is told before that of the end", async () => {
    const told: string[] = [];
    const claim = claimsAbout<string>();
    const fails = (what: string) => () => Promise.reject(new Error(what));
    const life = {
      make: () => Promise.resolve("made"),
      begin: () => Promise.resolve(),
      end: (made: string) => {
        told.push(made);
        return Promise.reject(new Error("the end"));
      },
    };
    const claims = [claim("one", fails("the claim")), claim("two", () => Promise.resolve())];
    const [one, two] = casesOf(claims, life);
    await expect(one?.run()).rejects.toThrow("the claim");
    await expect(two?.run()).rejects.toThrow("the end");
    const [three] = casesOf(claims, { ...life, begin: fails("the beginning") });
    await expect(three?.run()).rejects.toThrow("the beginning");
    expect(told).toEqual(["made", "made", "made"]);
  });
});
