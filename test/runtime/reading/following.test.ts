// Following
// The log of changes from a place on: every wanted change once and in order, or a report that some may be missing.

import { describe, expect, test } from "vitest";
import { keys } from "../../../runtime/rows/keys.ts";
import { Queries } from "../../../runtime/reading/queries.ts";
import type { ChangePage } from "../../../runtime/reading/following.ts";
import type { WorkspaceId } from "../../../machines/index.ts";
import { codeOf } from "../../support/engine/refusal.ts";
import { DAY_MS, Rig, splitLog } from "../../support/engine/rig.ts";
import { said } from "../../support/sessions/said.ts";
import { MemoryDisk } from "../../../adapters/memory/index.ts";

const bank = { workspace: "bank" as WorkspaceId };

/** Requests that have begun: a change for each, and one for the session. */
async function work(
  rig: Rig,
  session: string,
  count: number,
  other: Partial<typeof bank> = {},
): Promise<void> {
  for (let n = 0; n < count; n += 1)
    await (
      await rig.submit(session, [said.created(`${other.workspace ?? "w"}-${session}-${n}`)], other)
    ).settled;
}

/** The pages from a place to the end of the log. */
function pages(rig: Rig, wish: object, after: string, limit?: number): readonly ChangePage[] {
  const queries = new Queries(rig.engine);
  const found: ChangePage[] = [];
  let place = after;
  do {
    const page = queries.changes(wish, { after: place, ...(limit !== undefined && { limit }) });
    found.push(page);
    place = page.next;
  } while (found.at(-1)?.more);
  return found;
}

const itemsOf = (found: readonly ChangePage[]) => found.flatMap(({ items }) => items);

describe("FOLLOWING-2: the log of changes from a place on", () => {
  test("FOLLOWING-2: pages of any length show every wanted change once, in order", async () => {
    const rig = await Rig.start();
    await work(rig, "s1", 7);
    await work(rig, "s2", 5, bank);
    await work(rig, "s1", 4);
    for (const limit of [1, 2, 7, 1_000]) {
      expect(itemsOf(pages(rig, {}, "start", limit))).toEqual(rig.changes);
      for (const wish of [{ workspace: "bank" }, { session: "s1", entity: "request" }, { id: "w-s1-3" }]) {
        const fits = rig.changes.filter(
          (change) =>
            (!("workspace" in wish) || change.workspace === wish.workspace) &&
            (!("session" in wish) || (change.sessionId === "s1" && change.entity === "request")) &&
            (!("id" in wish) || change.id === wish.id),
        );
        expect(fits.length).toBeGreaterThan(0);
        expect(itemsOf(pages(rig, wish, "start", limit))).toEqual(fits);
      }
    }
    expect(itemsOf(pages(rig, { workspace: 'w"' }, "start"))).toEqual([]);
    expect(itemsOf(pages(rig, { state: "created" }, "start"))).toEqual(
      rig.changes.filter(({ to }) => to === "created"),
    );
  });

  test("FOLLOWING-2: without a place it starts now; from there nothing is missed", async () => {
    const rig = await Rig.start();
    await work(rig, "s1", 3);
    const { items, next, more } = new Queries(rig.engine).changes({}, {});
    expect([items, more]).toEqual([[], false]);
    const before = rig.changes.length;
    await work(rig, "s2", 2);
    expect(itemsOf(pages(rig, {}, next))).toEqual(rig.changes.slice(before));
  });

  test("FOLLOWING-2: a place that was trimmed, one of another log and one beyond the end are each reported, and reading goes on from there", async () => {
    const rig = await Rig.start();
    const { incarnation } = rig.engine;
    await work(rig, "s1", 5);
    await rig.pass(9 * DAY_MS, DAY_MS);
    await work(rig, "s2", 1);
    const { changesFrom, changes } = rig.engine.meta();
    expect(changesFrom).toBeGreaterThan(3);
    const told = (after: string) => {
      const [first] = pages(rig, {}, after);
      return [first?.gap, first?.from, first?.items[0]?.n];
    };
    const first = changesFrom + 1;
    expect(told(`${incarnation}-3`)).toEqual(["trimmed", `${incarnation}-${changesFrom}`, first]);
    expect(told("another-3")).toEqual(["replaced", `${incarnation}-${changesFrom}`, first]);
    expect(told(`${incarnation}-${changes + 9}`)).toEqual([
      "rolled-back",
      `${incarnation}-${changes}`,
      undefined,
    ]);
    expect(told("start")).toEqual([undefined, `${incarnation}-${changesFrom}`, first]);
    for (const odd of ["", "12", "odd-", "-3", `${incarnation}-1e3`])
      expect([odd, await codeOf(Promise.resolve().then(() => pages(rig, {}, odd)))]).toEqual([
        odd,
        "BAD_CURSOR",
      ]);
  });

  test("G9: a change that is lost or unreadable is counted, and hides no other", async () => {
    const disk = new MemoryDisk("rig");
    const rig = await Rig.start({ disk });
    await work(rig, "s1", 6);
    const { changes } = rig.engine.meta();
    splitLog(disk);
    disk.rows.delete(keys.change(2));
    disk.rows.set(keys.change(4), "{ not JSON");
    disk.rows.delete(keys.change(changes));
    for (const limit of [1, 3, 1_000]) {
      const found = pages(rig, {}, "start", limit);
      const kept = rig.changes.filter(({ n }) => ![2, 4, changes].includes(n));
      expect(itemsOf(found)).toEqual(kept);
      expect(found.reduce((sum, { unreadable = 0 }) => sum + unreadable, 0)).toBe(3);
      const ofOne = pages(rig, { workspace: "w" }, "start", limit);
      expect(ofOne.reduce((sum, { unreadable = 0 }) => sum + unreadable, 0)).toBe(3);
    }
  });

  test("FOLLOWING-1: a page reads at most 1,000 rows, and ends after 256 KiB", async () => {
    const rig = await Rig.start();
    await work(rig, "s1", 1, bank);
    await work(rig, "s1", 1_100);
    const [first] = pages(rig, { workspace: "bank" }, "start");
    const [, thousandth] = /^change\/0*(\d+)$/.exec([...rig.rows("change/").keys()][999] ?? "") ?? [];
    expect([first?.next, first?.more]).toEqual([`${rig.engine.incarnation}-${thousandth ?? ""}`, true]);
    const sizes = pages(rig, {}, "start", 1_000).map(({ items }) => JSON.stringify(items).length);
    expect(Math.max(...sizes)).toBeLessThan(300 * 1024);
    expect(sizes.length).toBeGreaterThan(1);
  });
});
