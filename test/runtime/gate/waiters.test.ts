// Waiters
// Who hears of a change, and who does not.

import { beforeEach, describe, expect, it } from "vitest";
import { Waiters } from "../../../runtime/gate/waiters.ts";
import type { StateChange } from "../../../runtime/rows/changes.ts";

type Told = Pick<StateChange, "workspace" | "entity" | "id">;

let listeners: Set<(changes: readonly StateChange[]) => void>;
let heard: string[];
let waiters: Waiters;
beforeEach(() => {
  listeners = new Set();
  heard = [];
  waiters = new Waiters({
    onChanges: (listener) => (listeners.add(listener), () => listeners.delete(listener)),
  });
});
const change = ({ workspace, entity, id }: Told): StateChange => ({
  ...{ workspace, entity, id, sessionId: "s1", n: 1, version: 1, epoch: 1, turn: 1, part: 1, parts: 1 },
  ...{ from: "pending", to: "approved", at: 0, view: {} },
});
const tell = (...told: readonly Told[]): void => listeners.forEach((hear) => hear(told.map(change)));
const approval = (id: string, workspace = "w1"): Told => ({ workspace, entity: "approval", id });
const wait = (awaited: Parameters<Waiters["of"]>[0], name: string): (() => void) =>
  waiters.of(awaited)(() => heard.push(name));

describe("WAITERS-1: a change", () => {
  it("WAITERS-1: is handed to all who wait for its approval, and to nobody else", () => {
    wait(approval("a1"), "one");
    wait(approval("a1"), "another");
    wait(approval("a2"), "of another approval");
    wait(approval("a1", "w2"), "of another workspace");
    wait({ ...approval("a1"), entity: "toolcall" }, "of a call");
    tell(approval("a1"));
    expect(heard).toEqual(["one", "another"]);
  });

  it("WAITERS-1: of any workspace reaches those who do not know which", () => {
    wait({ entity: "toolcall", id: "t1" }, "any");
    wait({ entity: "toolcall", id: "t1", workspace: "w2" }, "w2");
    tell({ workspace: "w1", entity: "toolcall", id: "t1" });
    expect(heard).toEqual(["any"]);
  });

  it("WAITERS-1: reaches nobody who has ended, and each of the others once, whoever ends meanwhile", () => {
    const ends = ["one", "two"].map((name, n) =>
      waiters.of(approval("a1"))(() => {
        heard.push(name);
        ends[n]?.();
      }),
    );
    wait(approval("a1"), "three");
    tell(approval("a1"));
    tell(approval("a1"));
    expect(heard).toEqual(["one", "two", "three", "three"]);
  });

  it("WAITERS-1: of one of 1,000 approvals wakes only those of that one", () => {
    for (let n = 0; n < 1_000; n += 1) wait(approval(`a${n}`), `a${n}`);
    tell(approval("a7"), approval("none"), approval("a900"));
    expect(heard).toEqual(["a7", "a900"]);
  });

  it("WAITERS-1: is heard by one listener for all, also by who comes when all others have gone", () => {
    for (const end of ["a1", "a1", "a2"].map((id) => wait(approval(id), id))) end();
    wait(approval("a1"), "again");
    tell(approval("a1"));
    expect([heard, listeners.size]).toEqual([["again"], 1]);
  });

  it("WAITERS-1: is none where all are told that the engine stops", () => {
    wait(approval("a1"), "one");
    wait({ entity: "toolcall", id: "t1" }, "two");
    waiters.tellAll();
    expect(heard).toEqual(["one", "two"]);
  });
});
