// Agreement: a spare and an owner compare their rows; a direct comparison of both stores says what must be found.

import fc from "fast-check";
import { expect, test } from "vitest";
import { MemoryDisk } from "../../../adapters/memory/index.ts";
import { Agreement } from "../../../runtime/agreement/agreement.ts";
import type { Compared, Stretch } from "../../../runtime/cluster/standing.ts";
import { digestOf, NONE, UNREADABLE } from "../../../runtime/agreement/digests.ts";
import { keys } from "../../../runtime/rows/keys.ts";
import { holds } from "../../support/properties/property.ts";

const FILE = "runtime/agreement/agreement.test.ts";

interface Stood {
  changes: number;
  changesFrom: number;
  position: number;
}

const BUILD = "1.0.0";

/** @param ends the last change of each turn; every second position changed nothing, and left a proof instead. */
function store(name: string, ends: readonly number[], build = BUILD) {
  const { rows } = new MemoryDisk(name);
  const stood: Stood = { changes: ends.at(-1) ?? 0, changesFrom: 0, position: 2 * ends.length };
  ends.forEach((n, turn) => {
    const first = (ends[turn - 1] ?? 0) + 1;
    const row = {
      n: first,
      to: "queued",
      epoch: name.length,
      turn: 2 * turn + 1,
      view: { id: n, name: "x" },
    };
    rows.set(keys.change(n), JSON.stringify(row));
  });
  for (let block = 0; block <= stood.position; block += 16) {
    const first = Math.max(2, block);
    const of = Array.from({ length: Math.min(16, stood.position - first + 1) }, (_, index) =>
      (first + index) % 2 === 0 ? `proof-of-${first + index}` : "",
    );
    if (of.length > 0) rows.set(keys.proof(block), JSON.stringify({ at: 1, first, of }));
  }
  return { rows, stood, agreement: new Agreement({ store: rows, build, meta: () => stood }) };
}

type Stores = ReturnType<typeof store>;

/** Asks until both agree, or differ. @returns the last word, and how often was asked. */
function ask(spare: Stores, owner: Stores, between: (asks: number) => void = () => undefined) {
  let compared: Compared = "more";
  let asks = 0;
  while (compared === "more" || compared === "doubt") {
    compared = spare.agreement.compare(owner.agreement.answer(spare.agreement.wanted()));
    between((asks += 1));
  }
  return { compared, asks };
}

const lengths = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 700 });
const endsOf = (turns: readonly number[]): readonly number[] => {
  let n = 0;
  return turns.map((length) => (n += length));
};

test("AGREEMENT-1, DIGESTS-1: equal histories agree to their end, whatever their length and epochs; an owner that is behind, too", () => {
  holds(FILE, 100, fc.tuple(lengths, fc.nat(20)), ([turns, behind]) => {
    const ends = endsOf(turns);
    const spare = store("spare", ends);
    const owner = store("the-owner", ends.slice(0, Math.max(1, ends.length - behind)));
    expect(ask(spare, owner).compared).toBe("even");
    expect(spare.agreement.behind).toBe(spare.stood.changes - owner.stood.changes);
  });
});

test("AGREEMENT-2: of any rows that differ the first is named, with the entry that it is of", () => {
  const faults = fc.array(fc.tuple(fc.nat(10_000), fc.constantFrom("altered", "missing", "longer")), {
    minLength: 1,
    maxLength: 3,
  });
  holds(FILE, 150, fc.tuple(lengths, faults), ([turns, planted]) => {
    const ends = endsOf(turns);
    const [spare, owner] = [store("spare", ends), store("owner", ends)];
    for (const [where, fault] of planted) {
      const n = ends[where % ends.length] ?? 1;
      const text = spare.rows.get(keys.change(n));
      if (text === undefined) continue;
      if (fault === "missing") spare.rows.delete(keys.change(n));
      else if (fault === "altered") spare.rows.set(keys.change(n), text.replace('"x"', '"y"'));
      else spare.rows.set(keys.change(n), text.replace('"n"', '"extra":1,"n"'));
    }
    const first = ends.find((n) => spare.rows.get(keys.change(n)) !== owner.rows.get(keys.change(n)));
    const turn = first === undefined ? 0 : ends.indexOf(first);
    const stands = ends.findIndex((n, at) => at >= turn && spare.rows.get(keys.change(n)) !== undefined);
    const position = stands < 0 ? spare.stood.position : 2 * stands + 1;
    expect(ask(spare, owner).compared).toEqual({ of: "changes", n: first, position });
  });
});

test("AGREEMENT-2: a proof that differs is named by its entry", () => {
  holds(FILE, 100, fc.tuple(lengths, fc.nat(10_000)), ([turns, where]) => {
    const ends = endsOf(turns);
    const [spare, owner] = [store("spare", ends), store("owner", ends)];
    const position = 2 * (1 + (where % ends.length));
    const key = keys.proof(position - (position % 16));
    spare.rows.set(key, (spare.rows.get(key) ?? "").replace(`"proof-of-${position}"`, '"another"'));
    expect(ask(spare, owner).compared).toEqual({ of: "quiet", n: position, position });
  });
});

test("AGREEMENT-2, AGREEMENT-3: sweeps at any moment, on either side first, are no difference", () => {
  const sweeps = fc.array(
    fc.record({ ask: fc.nat(12), share: fc.double({ min: 0, max: 1, noNaN: true }), isOwners: fc.boolean() }),
    { maxLength: 6 },
  );
  holds(FILE, 150, fc.tuple(lengths, sweeps), ([turns, planned]) => {
    const ends = endsOf(turns);
    const [spare, owner] = [store("spare", ends), store("owner", ends)];
    const sweep = ({ rows, stood }: Stores, share: number): void => {
      const upTo = ends[Math.floor(share * ends.length)] ?? 0;
      stood.changesFrom = Math.max(stood.changesFrom, upTo);
      for (const n of ends) if (n <= stood.changesFrom) rows.delete(keys.change(n));
      const blocks = Math.floor((share * stood.position) / 16);
      for (let block = 0; block < blocks; block += 1) rows.delete(keys.proof(16 * block));
    };
    const { compared } = ask(spare, owner, (asks) => {
      for (const { ask: at, share, isOwners } of planned)
        if (at === asks) sweep(isOwners ? owner : spare, share);
    });
    expect(compared).toBe("even");
  });
});

test("AGREEMENT-3: what the owner cannot read is passed over; what the spare cannot read is a difference", () => {
  const ends = endsOf(Array.from({ length: 40 }, () => 2));
  const [spare, owner] = [store("spare", ends), store("owner", ends)];
  owner.rows.set(keys.change(20), "{ torn");
  expect(ask(spare, owner).compared).toBe("even");
  const [other, whole] = [store("spare", ends), store("owner", ends)];
  other.rows.set(keys.change(20), "{ torn");
  expect(ask(other, whole).compared).toMatchObject({ of: "changes", n: 20 });
});

test("AGREEMENT-4, DIGESTS-3: an answer to another question says nothing, and no question reads more than 256 rows", () => {
  const ends = endsOf(Array.from({ length: 2_000 }, () => 1));
  const [spare, owner] = [store("spare", ends), store("owner", ends)];
  let read = 0;
  const counted = {
    *range(...given: Parameters<typeof owner.rows.range>) {
      for (const row of owner.rows.range(...given)) {
        read += 1;
        yield row;
      }
    },
  };
  const asked: Stretch = { of: "changes", after: 0, upTo: 2_000, since: 0 };
  const { upTo } = digestOf(counted, asked);
  expect([upTo, read]).toEqual([256, 256]);
  spare.agreement.wanted();
  const forged = { of: "changes", after: 0, upTo: 9_999, since: 0, digest: "0", build: BUILD } as const;
  expect([spare.agreement.compare([forged]), spare.agreement.compare([{ ...forged, upTo: 0 }])]).toEqual([
    "even",
    "even",
  ]);
  expect(ask(spare, owner).compared).toBe("even");
});

test("DIGESTS-2: the order of fields says nothing of a single row; a row that cannot be read, or is not there, is told apart", () => {
  const { rows } = new MemoryDisk("d");
  const digest = (text: string | undefined): string => {
    if (text === undefined) rows.delete(keys.change(7));
    else rows.set(keys.change(7), text);
    return digestOf(rows, { of: "changes", after: 6, upTo: 7, since: 0 }).digest;
  };
  expect(digest('{"n":7,"view":{"a":1,"b":[{"c":1,"d":2}]}}')).toBe(
    digest('{"view":{"b":[{"d":2,"c":1}],"a":1},"n":7}'),
  );
  expect(digest('{"n":7,"view":{"a":1}}')).not.toBe(digest('{"n":7,"view":{"a":2}}'));
  expect([digest("torn"), digest(undefined)]).toEqual([UNREADABLE, NONE]);
});

test("AGREEMENT-5, DIGESTS-4: rows from before either side's present build are no difference, rows since are; another build compares nothing", () => {
  const plan = fc.tuple(lengths, fc.nat(10_000), fc.nat(10_000), fc.nat(10_000), fc.boolean());
  holds(FILE, 150, plan, ([turns, where, one, two, isQuiet]) => {
    const ends = endsOf(turns);
    const [spare, owner] = [store("spare", ends), store("owner", ends)];
    const builtFrom = [one, two].map((each) => 1 + (each % (2 * ends.length)));
    [spare, owner].forEach(({ rows }, at) =>
      rows.set(keys.buildFrom(builtFrom[at] ?? 0), JSON.stringify({ build: BUILD })),
    );
    const turn = where % ends.length;
    const [n, position] = [ends[turn] ?? 0, isQuiet ? 2 * (turn + 1) : 2 * turn + 1];
    const key = isQuiet ? keys.proof(position - (position % 16)) : keys.change(n);
    const text = spare.rows.get(key) ?? "";
    spare.rows.set(
      key,
      isQuiet ? text.replace(`"proof-of-${position}"`, '"another"') : text.replace('"x"', '"y"'),
    );
    const found = { of: isQuiet ? "quiet" : "changes", n: isQuiet ? position : n, position };
    expect(ask(spare, owner).compared).toEqual(position < Math.max(...builtFrom) ? "even" : found);
    const other = store("other", ends, "1.1.0");
    expect(ask(store("spare", ends.slice(0, 1)), other).compared).toBe("even");
    expect(ask(spare, other)).toEqual({ compared: "even", asks: 1 });
  });
});

test("AGREEMENT-6: a spare holds what the owner has, too, once every row up to there was compared; never a row that differs", () => {
  holds(FILE, 100, fc.tuple(lengths, fc.nat(20), fc.nat(10_000)), ([turns, behind, where]) => {
    const ends = endsOf(turns);
    const before = ends.slice(0, Math.max(1, ends.length - behind));
    const spare = store("spare", before);
    expect(spare.agreement.held).toBe(0);
    ask(spare, store("the-owner", ends));
    expect(spare.agreement.held).toBe(2 * before.length);

    const ahead = store("spare", ends);
    ask(ahead, store("the-owner", before));
    expect(ahead.agreement.held).toBe(before.length === ends.length ? 2 * ends.length : 0);

    const wrong = store("spare", ends);
    const key = keys.change(ends[where % ends.length] ?? 1);
    wrong.rows.set(key, (wrong.rows.get(key) ?? "").replace('"x"', '"y"'));
    ask(wrong, store("the-owner", ends));
    expect(wrong.agreement.held).toBe(0);
  });
});
