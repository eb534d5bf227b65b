// Overlay
// What an attempt wrote before it threw is undone, whatever it wrote and however deep it was nested.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SourceInput } from "../../../machines/index.ts";
import { sessionAddress } from "../../../machines/index.ts";
import { decode, encode } from "../../../runtime/rows/codec.ts";
import { toolInput } from "../../../runtime/canonical.ts";
import { digestId } from "../../../runtime/foreign-id.ts";
import { keys } from "../../../runtime/rows/keys.ts";
import { type Message, writeMessage } from "../../../runtime/message.ts";
import { Layer } from "../../../runtime/rows/overlay.ts";
import { turn } from "../../../runtime/turn/turn.ts";
import { holds } from "../../support/properties/property.ts";

import { emptyLayer, SESSION, START, WORKSPACE } from "../../support/sessions/session-run.ts";
import { clients } from "../../../adapters/composition/clients.ts";

const FILE = "test/runtime/rows/overlay.test.ts";

/** A step of an attempt: a write, or a nested attempt that may throw. */
type Act =
  | { readonly set: string; readonly value: number }
  | { readonly del: string }
  | { readonly attempt: readonly Act[]; readonly throws: boolean };

const key = fc.constantFrom("a", "b", "c", "d");
const { act } = fc.letrec<{ act: Act }>((tie) => ({
  act: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.record({ set: key, value: fc.nat(9) }),
    fc.record({ del: key }),
    fc.record({ attempt: fc.array(tie("act"), { maxLength: 5 }), throws: fc.boolean() }),
  ),
}));

class Stop extends Error {}

function onLayer(layer: Layer, acts: readonly Act[]): void {
  for (const each of acts) {
    if ("set" in each) layer.set(each.set, each.value);
    else if ("del" in each) layer.delete(each.del);
    else {
      try {
        layer.attempt(() => {
          onLayer(layer, each.attempt);
          if (each.throws) throw new Stop();
        });
      } catch (error) {
        if (!(error instanceof Stop)) throw error;
      }
    }
  }
}

const after = (map: ReadonlyMap<string, number>, behind: string): string[] =>
  [...map.keys()].filter((name) => name > behind);

/** The same on a plain map: an attempt that throws goes back to a copy. */
function onMap(map: ReadonlyMap<string, number>, acts: readonly Act[]): ReadonlyMap<string, number> {
  let now = new Map(map);
  for (const each of acts) {
    if ("set" in each) now.set(each.set, each.value);
    else if ("del" in each) now.delete(each.del);
    else if (!each.throws) now = new Map(onMap(now, each.attempt));
  }
  return now;
}

describe("overlay", () => {
  test("OVERLAY-1, I-20: attempts that throw leave the layer as it was: sets and deletes, at any depth", () => {
    const claim = ([below, acts]: readonly [Record<string, number>, readonly Act[]]): void => {
      const ground = new Map(Object.entries(below));
      const layer = new Layer({ get: (name) => ground.get(name), keys: () => ground.keys() });
      onLayer(layer, acts);
      const expected = onMap(ground, acts);
      const names = ["a", "b", "c", "d"];
      expect(names.map((name) => layer.get(name))).toEqual(names.map((name) => expected.get(name)));
      expect([...layer.keys("")].sort()).toEqual([...expected.keys()].sort());
    };
    holds(FILE, 500, fc.tuple(fc.dictionary(key, fc.nat(9)), fc.array(act, { maxLength: 8 })), claim);
  });

  test("OVERLAY-3: over any layers below, keys come in order, from any place on", () => {
    const claim = ([below, ...layers]: readonly [
      Record<string, number>,
      readonly Act[],
      readonly Act[],
    ]): void => {
      const ground = new Map(Object.entries(below).sort(([a], [b]) => (a < b ? -1 : 1)));
      let top = new Layer({
        get: (name) => ground.get(name),
        keys: (_, behind = "") => after(ground, behind),
      });
      let expected: ReadonlyMap<string, number> = ground;
      for (const acts of layers) {
        top = new Layer(top);
        onLayer(top, acts);
        expected = onMap(expected, acts);
      }
      const sorted = [...expected.keys()].sort();
      expect([...top.keys("")]).toEqual(sorted);
      expect([...top.keys("", "b")]).toEqual(sorted.filter((name) => name > "b"));
    };
    const acts = fc.array(act, { maxLength: 8 });
    holds(FILE, 300, fc.tuple(fc.dictionary(key, fc.nat(9)), acts, acts), claim);
  });

  test("I-20, G8: an approve rejected in a closed session leaves the approval and its deadline as they were", () => {
    const rows = emptyLayer();
    const common = { workspace: WORKSPACE, session: SESSION };
    const input = toolInput({ command: "ls" });
    const asked: SourceInput = {
      type: "approval.requested",
      approvalId: "g1" as never,
      call: { tool: "Bash", input },
      channel: "test",
      deadlineAt: START + 60_000,
      onDeadline: "deny",
    };
    const source = (id: string, data: readonly SourceInput[]): Message => ({
      door: "in",
      ...common,
      id,
      source: "test",
      type: "test",
      data,
    });
    const apply = (position: number, message: Message, poison?: number) =>
      turn(
        rows,
        { position, at: START + position, body: writeMessage(message) },
        {
          clients,
          translate: ({ data }) => data as readonly SourceInput[],
          digest: digestId,
          epoch: 1,
          isPoison: (at) => at === poison,
        },
      );
    const texts = (): readonly (readonly [string, string])[] =>
      [...rows.writes()]
        .filter(([name, value]) => value !== undefined && name !== keys.meta)
        .filter(([name]) => name !== keys.ledger(sessionAddress(WORKSPACE, SESSION)))
        .filter(([name]) => name !== keys.quota(WORKSPACE) && !name.startsWith(keys.proofs))
        .map(([name, value]) => [name, encode(name, value)] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1));
    expect(apply(1, source("m1", [asked])).outcome).toBe("applied");
    expect(apply(2, source("m2", []), 2).code).toBe("POISON");
    const before = texts();
    expect(before.some(([name]) => name.startsWith(keys.timers))).toBe(true);
    const approve: Message = {
      door: "own",
      ...common,
      said: {
        type: "decision",
        approvalId: "g1" as never,
        decision: "approve",
        by: "local:ann",
        inputHash: input.hash,
      },
    };
    expect(apply(3, approve).outcome).toBe("rejected");
    expect(texts()).toEqual(before);
    expect(before.every(([name, text]) => encode(name, decode(name, text)) === text)).toBe(true);
  });
});
