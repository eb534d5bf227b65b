// Quota, any arrivals
// Whatever is published: what is let through, compared with the arithmetic of a bucket.

import fc from "fast-check";
import { expect, test } from "vitest";
import { completed } from "../../runtime/config.ts";
import { digestId } from "../../runtime/foreign-id.ts";
import { keys } from "../../runtime/rows/keys.ts";
import { freshMeta } from "../../runtime/rows/meta.ts";
import { decode, encode } from "../../runtime/rows/codec.ts";
import { Layer } from "../../runtime/rows/overlay.ts";
import type { JournalEntry } from "../../runtime/ports.ts";
import { capacityOf, type Quota } from "../../runtime/quota.ts";
import { turn } from "../../runtime/turn/turn.ts";
import { holds } from "../support/properties/property.ts";
import { START_MS, translate } from "../support/engine/rig.ts";
import { clients } from "../../adapters/composition/clients.ts";

const FILE = "test/runtime/quota.model.test.ts";

/** `idle denial`: about an approval that nobody requested. `denial`: about an approval that a door has taken in before. */
type What = "event" | "junk" | "denial" | "idle denial" | "taken in";

interface Arrival {
  readonly afterMs: number;
  readonly workspace: "chat" | "shop";
  readonly count: number;
  readonly bytes: number;
  readonly what: What;
}

const quotas: fc.Arbitrary<Quota> = fc.record({
  messages: fc.constantFrom<Quota["messages"]>(1, 40, 150, "off"),
  bytes: fc.constantFrom<Quota["bytes"]>(1_000, 900_000, "off"),
  kept: fc.constant<Quota["kept"]>("off"),
});

const arrivals: fc.Arbitrary<readonly Arrival[]> = fc.array(
  fc.record({
    afterMs: fc.oneof(fc.constant(0), fc.nat(20_000)),
    workspace: fc.constantFrom("chat", "chat", "shop"),
    count: fc.oneof({ arbitrary: fc.nat(5), weight: 2 }, { arbitrary: fc.nat(700), weight: 1 }),
    bytes: fc.oneof(fc.constant(20), fc.nat(100_000), fc.constant(4_000_000), fc.constant(90_000_000)),
    what: fc.constantFrom("event", "event", "junk", "denial", "idle denial", "taken in"),
  }),
  { minLength: 1, maxLength: 14 },
);

const TYPES: Readonly<Record<What | "request", string>> = {
  ...{ event: "session.started", junk: "session.started", "taken in": "session.started" },
  ...{ denial: "approval.answered", "idle denial": "approval.answered", request: "approval.requested" },
};

function bodyOf(workspace: string, what: What | "request", id: string): string {
  if (what === "junk") return "junk";
  const type = TYPES[what];
  const about = { approvalId: `a-${id}`, toolUseId: `t-${id}` };
  const data =
    what === "request"
      ? { ...about, tool: "Bash", input: { command: id } }
      : { decision: "deny", by: "bob", ...about };
  const said = type === "session.started" ? {} : data;
  return JSON.stringify({
    door: "in",
    workspace,
    session: "s",
    source: "g",
    id: `${what}-${id}`,
    type,
    data: said,
  });
}

function entriesOf(list: readonly Arrival[]): readonly (JournalEntry & { readonly arrival: Arrival })[] {
  let [at, position] = [START_MS, 0];
  return list.flatMap((arrival, of) => {
    at += arrival.afterMs;
    // A turn with an approval takes longer than others.
    const count = arrival.what === "denial" ? Math.min(arrival.count, 50) : arrival.count;
    return Array.from({ length: count }, (_, n) => {
      const { workspace, what, bytes } = arrival;
      const entryOf = (kind: What | "request") => ({
        position: (position += 1),
        at,
        body: bodyOf(workspace, kind, `m${of}-${n}`),
        bytes: kind === "request" ? 20 : bytes,
        arrival: kind === "request" ? { ...arrival, what: "taken in" as const } : arrival,
        ...(kind !== "taken in" && kind !== "request" && { from: { workspace, type: TYPES[kind] } }),
      });
      return what === "denial" ? [entryOf("request"), entryOf(what)] : [entryOf(what)];
    }).flat();
  });
}

interface Applied {
  readonly entry: ReturnType<typeof entriesOf>[number];
  readonly isAway: boolean;
}

/** @param cut after how many entries the rows are written and read again; what was not written by then is lost. */
function play(quota: Quota, list: readonly Arrival[], cut = Infinity) {
  const deps = { translate, clients, digest: digestId, epoch: 0 };
  const bare = { get: () => undefined, keys: () => [] };
  let layer = new Layer(bare);
  layer.set(keys.meta, { ...freshMeta("model"), configuration: completed({ quota }) });
  const applied: Applied[] = [];
  for (const [n, entry] of entriesOf(list).entries()) {
    if (n === cut) layer = readAgain(layer);
    const { away } = turn(layer, entry, deps);
    applied.push({ entry, isAway: away !== undefined });
  }
  return { applied, rows: textOf(layer) };
}

const textOf = (layer: Layer): ReadonlyMap<string, string> =>
  new Map(
    [...layer.writes()].flatMap(([key, value]) => (value === undefined ? [] : [[key, encode(key, value)]])),
  );

/** The rows as another process finds them. */
function readAgain(layer: Layer): Layer {
  const again = new Layer({ get: () => undefined, keys: () => [] });
  for (const [key, text] of textOf(layer)) again.set(key, decode(key, text));
  return again;
}

const published = ({ entry, isAway }: Applied): boolean => !isAway && entry.from !== undefined;

test("QUOTA-1: between any two moments no more is let through than a full bucket and what flows in", () => {
  holds(FILE, 25, fc.tuple(quotas, arrivals), ([quota, list]) => {
    const full = capacityOf(quota);
    const { applied } = play(quota, list);
    const through = applied.filter((each) => published(each) && each.entry.arrival.what !== "denial");
    const starts = [...new Set(through.map(({ entry }) => entry.at))];
    for (const from of starts)
      for (const workspace of ["chat", "shop"]) {
        let [messages, bytes] = [0, 0];
        for (const { entry } of through) {
          if (entry.at < from || entry.arrival.workspace !== workspace) continue;
          messages += 1;
          bytes += Math.min(entry.arrival.bytes, full.bytes);
          const seconds = (entry.at - from) / 1000;
          const flows = (rate: number | "off"): number => (rate === "off" ? Infinity : rate * seconds);
          expect(messages).toBeLessThanOrEqual(full.messages + flows(quota.messages) + 1e-6);
          expect(bytes).toBeLessThanOrEqual(full.bytes + flows(quota.bytes) + 1e-3);
        }
      }
  });
});

test("TURNING-AWAY-3, TURNING-AWAY-2: denials of pending approvals, and what a door accepted, are never refused", () => {
  holds(FILE, 20, fc.tuple(quotas, arrivals), ([quota, list]) => {
    for (const { entry, isAway } of play(quota, list).applied)
      if (["denial", "taken in"].includes(entry.arrival.what)) expect(isAway).toBe(false);
  });
});

test("TURNING-AWAY-1: a workspace loses the same, whatever another publishes", () => {
  holds(FILE, 20, fc.tuple(quotas, arrivals), ([quota, list]) => {
    const awayOf = (all: readonly Applied[]): readonly boolean[] =>
      all.filter(({ entry }) => entry.arrival.workspace === "shop").map(({ isAway }) => isAway);
    // The other one is silent, and time passes as before.
    const alone = list.map((each) => (each.workspace === "shop" ? each : { ...each, count: 0 }));
    expect(awayOf(play(quota, alone).applied)).toEqual(awayOf(play(quota, list).applied));
  });
});

test("TURNING-AWAY-1, G10: the same journal refuses the same messages, and gives the same rows, wherever a process ended", () => {
  holds(FILE, 20, fc.tuple(quotas, arrivals, fc.nat(2_000)), ([quota, list, cut]) => {
    const whole = play(quota, list);
    const again = play(quota, list, cut);
    expect(again.applied.map(({ isAway }) => isAway)).toEqual(whole.applied.map(({ isAway }) => isAway));
    expect(again.rows).toEqual(whole.rows);
  });
});

test("TURNING-AWAY-4: every refused message is reported in a letter, or counted for the next one", () => {
  holds(FILE, 20, fc.tuple(quotas, arrivals), ([quota, list]) => {
    const { applied, rows } = play(quota, list);
    const away = applied.filter(({ isAway }) => isAway);
    type Told = { code?: string; at: number; workspace?: string; unrecorded: number; bytes: number };
    const letters = [...rows]
      .filter(([key]) => key.startsWith("dead/"))
      .map(([, text]) => JSON.parse(text) as Told)
      .filter(({ code }) => code === "OVER_QUOTA");
    const meta = JSON.parse(rows.get(keys.meta) ?? "{}") as {
      overQuota?: { of: { messages: number; bytes: number }[] };
    };
    const left = meta.overQuota?.of ?? [];
    const count = [...letters.map(({ unrecorded }) => unrecorded), ...left.map(({ messages }) => messages)];
    const bytes = [...letters, ...left].map((each) => each.bytes);
    const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);
    expect(sum(count)).toBe(away.length);
    expect(sum(bytes)).toBe(sum(away.map(({ entry }) => entry.arrival.bytes)));
    const seconds = letters.map(({ at, workspace }) => `${workspace} ${Math.floor(at / 1000)}`);
    expect(new Set(seconds).size).toBe(seconds.length);
  });
});
