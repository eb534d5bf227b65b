// Panel: the choice, as functions
// Whatever comes, goes or moves in the list, a key has the approval that a person chose, or none.

import { describe, expect, it } from "vitest";
import { fc } from "@fast-check/vitest";
import {
  answered,
  byHand,
  type Chosen,
  listed,
  nextOpen,
  resumed,
  type Row,
  sought,
  stepped,
} from "../../../../adapters/panel/page/inbox/bulk/chosen.ts";

const keyOf = ({ workspace, id }: Pick<Row, "workspace" | "id">): string => `${workspace}/${id}`;
const phase = fc.constantFrom<Row["is"]>("open", "held", "sending", "committed", "gone");
/** Few names: the same come again, also in another workspace. */
const row: fc.Arbitrary<Row> = fc.record({
  workspace: fc.constantFrom("v", "w"),
  id: fc.constantFrom("a", "b", "c"),
  is: phase,
});
const list = fc.uniqueArray(row, { selector: keyOf });
const lists = fc.array(list, { minLength: 1 });
const name = fc.oneof(
  fc.record({ workspace: fc.constantFrom("v", "w"), id: fc.constantFrom("a", "b", "c") }),
  fc.record({ id: fc.constantFrom("a", "b", "c") }),
);
const begun: fc.Arbitrary<Chosen> = fc.oneof(
  row.map(byHand),
  name.map(sought),
  name.map(resumed),
  fc.constant({}),
);
const chosenKey = ({ at }: Chosen): string | undefined => at && keyOf(at);

describe("the panel: which approval is chosen", () => {
  it("CHOSEN-1: however often the list changes, chosen is the one that was, the one that a link asks for, or none", () => {
    fc.assert(
      fc.property(begun, lists, (from, all) => {
        const { told, isSought } = from;
        const meant =
          chosenKey(from) ?? (isSought && told?.workspace ? `${told.workspace}/${told.id}` : undefined);
        let now = from;
        for (const rows of all) {
          now = listed(now, rows);
          expect([meant, undefined]).toContain(chosenKey(now));
          const is = rows.find((each) => keyOf(each) === chosenKey(now))?.is;
          if (now.at) expect(is).toBeDefined();
          if (now.hasWaited) expect(is).not.toBe("gone");
        }
      }),
    );
  });

  it("CHOSEN-1: a dead link, and one without a workspace, choose nothing, whatever waits beside", () => {
    fc.assert(
      fc.property(name, lists, (asked, all) => {
        const isIt = ({ workspace, id, is }: Row): boolean =>
          is === "open" && id === asked.id && "workspace" in asked && workspace === asked.workspace;
        let now = sought(asked);
        for (const rows of all)
          now = listed(
            now,
            rows.filter((each) => !isIt(each)),
          );
        expect(now.at).toBeUndefined();
        expect(now.told).toEqual(asked);
      }),
    );
  });

  it("CHOSEN-1: a change of order changes no choice", () => {
    const two = list.chain((rows) =>
      fc.record({ rows: fc.constant(rows), moved: fc.shuffledSubarray(rows, { minLength: rows.length }) }),
    );
    fc.assert(
      fc.property(begun, two, (from, { rows, moved }) => {
        expect(listed(from, moved)).toEqual(listed(from, rows));
      }),
    );
  });

  it("CHOSEN-1: an answer from elsewhere takes the choice away, and the page tells of it", () => {
    fc.assert(
      fc.property(row, list, (one, others) => {
        const rest = others.filter((each) => keyOf(each) !== keyOf(one));
        const { at } = byHand(one);
        const now = listed(byHand({ ...one, is: "open" }), [...rest, { ...one, is: "gone" }]);
        expect(now).toEqual({ told: at, from: at });
        // One that was over when it was chosen is read, and stays.
        expect(chosenKey(listed(byHand({ ...one, is: "gone" }), [...rest, { ...one, is: "gone" }]))).toBe(
          keyOf(one),
        );
      }),
    );
  });

  it("REPLY-WRITING-1: what an answer is being written to stays chosen, though it was answered elsewhere", () => {
    fc.assert(
      fc.property(row, (one) => {
        const from = byHand({ ...one, is: "open" });
        const over = [{ ...one, is: "gone" as const }];
        expect(listed(from, over, keyOf(one))).toBe(from);
        expect(listed(listed(from, over, keyOf(one)), over).at).toBeUndefined();
      }),
    );
  });

  it("CHOSEN-2: what lost the choice, and what was chosen before a reload, is not chosen again by itself", () => {
    const lost = fc.oneof(
      name.map(resumed),
      row.map((one) => listed(byHand({ ...one, is: "open" }), [{ ...one, is: "gone" }])),
      row.map((one) => listed(byHand(one), [])),
    );
    fc.assert(
      fc.property(lost, lists, (from, all) => {
        expect(all.reduce((now, rows) => listed(now, rows), from).at).toBeUndefined();
      }),
    );
  });

  it("CHOSEN-3: an answer given here leads to the next that waits, else to the one before; of others it moves nothing", () => {
    const some = fc.record({ rows: list, at: fc.nat(), done: fc.array(fc.nat()) });
    fc.assert(
      fc.property(some, ({ rows, at, done }) => {
        const one = rows[at % rows.length];
        if (!one) return;
        const those = done.flatMap((n) => rows[n % rows.length] ?? []);
        const others = those.filter((each) => each !== one);
        const from = byHand(one);
        expect(answered(from, rows, others)).toBe(from);
        const next = answered(from, rows, [...others, one]);
        const isLeft = (each: Row): boolean => each.is === "open" && each !== one && !others.includes(each);
        const place = rows.indexOf(one);
        const expected =
          rows.find((each, n) => n > place && isLeft(each)) ??
          rows.findLast((each, n) => n < place && isLeft(each));
        expect(chosenKey(next)).toBe(expected && keyOf(expected));
      }),
    );
  });

  it("CHOSEN-4: a step leads to a neighbour; without a choice to one that waits, if any does", () => {
    fc.assert(
      fc.property(begun, list, fc.constantFrom(1 as const, -1 as const), (from, rows, by) => {
        fc.pre(rows.length > 0);
        const now = listed(from, rows);
        const next = stepped(now, rows, by);
        const place = rows.findIndex((each) => keyOf(each) === chosenKey(now));
        if (place >= 0) expect(next).toBe(rows[place + by] ?? rows[place]);
        else if (rows.some(({ is }) => is === "open")) expect(next?.is).toBe("open");
        expect(next).toBeDefined();
      }),
    );
  });

  it("CHOSEN-4: after an answer from elsewhere the step leads to the next that waits", () => {
    const rows = (["open", "open", "open"] as const).map((is, n) => ({ workspace: "w", id: `a${n}`, is }));
    const over = rows.map((each, n) => (n === 1 ? { ...each, is: "gone" as const } : each));
    const [, middle] = rows;
    const lost = listed(middle ? byHand(middle) : {}, over);
    expect([stepped(lost, over, 1)?.id, stepped(lost, over, -1)?.id]).toEqual(["a2", "a0"]);
  });

  it('CHOSEN-5: "Next" pressed again and again leads to each other pending approval once, and never to an answered one', () => {
    fc.assert(
      fc.property(begun, list, (from, rows) => {
        const waiting = rows.filter(({ is }) => is === "open").map(keyOf);
        const met: string[] = [];
        let now = from;
        for (const _ of rows) {
          const next = nextOpen(now, rows);
          if (!next || met.includes(keyOf(next))) break;
          met.push(keyOf(next));
          now = byHand(next);
        }
        // The one that was chosen comes again only after all others.
        const begunAt = chosenKey(from);
        const others = waiting.filter((each) => each !== begunAt);
        expect(met.slice(0, others.length).toSorted()).toEqual(others.toSorted());
      }),
    );
  });
});
