// Plain XState
// The host that keeps actors as rows and XState's own actor system come to the same, message by message.

import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Input } from "../../machines/index.ts";
import type { ActorRow } from "../../runtime/rows/actors/actor-rows.ts";
import type * as Actors from "../../runtime/rows/actors/actors.ts";
import { keys } from "../../runtime/rows/keys.ts";
import { sessions } from "../support/sessions/generate.ts";
import { type Message, nameOf, PlainSession } from "../support/machines/plain.ts";
import { holds } from "../support/properties/property.ts";
import { type Session, type Step, story } from "../support/sessions/script.ts";
import { SessionRun } from "../support/sessions/session-run.ts";
import { tenCalls } from "../support/sessions/ten-calls.ts";

/** Listens in on the host: every event it hands to a machine, in order. */
const { moved } = vi.hoisted(() => ({ moved: [] as Message[] }));
vi.mock("../../runtime/rows/actors/actors.ts", async (importOriginal) => {
  const actors = await importOriginal<typeof Actors>();
  const move: typeof actors.move = (kind, snapshot, event) => {
    const { id } = snapshot.context as { readonly id: string };
    moved.push({ to: nameOf(kind, id), event });
    return actors.move(kind, snapshot, event);
  };
  return { ...actors, move };
});

beforeEach(() => void moved.splice(0));

/** What each actor heard, in its order: the order between actors is a matter of the mailbox. */
function inboxes(messages: readonly Message[]): ReadonlyMap<string, readonly object[]> {
  const boxes = new Map<string, object[]>();
  for (const { to, event } of messages) boxes.set(to, [...(boxes.get(to) ?? []), event]);
  return boxes;
}

function hosted(run: SessionRun): ReadonlyMap<string, Actors.Snapshot> {
  const prefix = keys.actor(run.home);
  const rows = [...run.layer.keys(prefix)].map((key) => {
    const name = key === prefix ? "session" : key.slice(prefix.length + 1);
    return [name, (run.layer.get(key) as ActorRow).snapshot] as const;
  });
  return new Map(rows);
}

const atRest = (snapshots: ReadonlyMap<string, Actors.Snapshot>) =>
  Object.fromEntries(
    [...snapshots]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, { value, context }]) => [name, { value, context }]),
  );

/** Plays a session in both and compares; @returns what was heard in all. */
function compare({ policy, steps }: Session): readonly Message[] {
  const run = new SessionRun({ policy: { cascade: policy } });
  let plain: PlainSession | undefined;
  const taken: Message[] = [];
  for (const step of steps) {
    const input = run.inputOf(step);
    moved.splice(0);
    const heard = input && run.take(step);
    if (!input || !heard || heard.rejection !== undefined) continue;
    taken.push(...moved);
    plain ??= new PlainSession(run.policy, run.at);
    plain.hear(input, channelOf(step), run.at);
  }
  expect(inboxes(plain?.messages ?? [])).toEqual(inboxes(taken));
  expect(atRest(plain?.snapshots ?? new Map())).toEqual(atRest(hosted(run)));
  return taken;
}

const channelOf = (step: Step): string => ("hear" in step ? step.channel : "own");
const say = (...inputs: readonly Input[]): readonly Step[] =>
  inputs.map((hear) => ({ hear, channel: "test.hook" }));

describe("plain XState", () => {
  test("S3.8, I-12: the ten calls and their cascade are the same, message by message", () => {
    for (const policy of ["strict", "interrupt", "none"] as const) {
      const deny = { decide: 2, decision: "deny", hash: "none", interrupt: true } as const;
      const taken = compare({ policy, named: true, steps: [...say(...tenCalls.upTo(6)), deny] });
      const denied = taken.filter(({ event }) => event.type === "denied").length;
      expect(denied).toBe(policy === "none" ? 0 : 4);
    }
  });

  test("G10: a thousand generated sessions are the same, message by message and actor by actor", () => {
    const kinds = new Set<string>();
    holds(
      "test/machines/plain-xstate.test.ts",
      1_000,
      sessions(20),
      (session) => {
        for (const { event } of compare(session)) kinds.add(event.type);
      },
      story,
    );
    expect([...kinds].sort()).toEqual(
      expect.arrayContaining(["announced", "denied", "disapproved", "lapsed", "missed"]),
    );
  });
});
