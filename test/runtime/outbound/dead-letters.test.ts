// Dead letters
// Dead letters leave in order, under ids that never change; a reader that does not take them holds nothing up.

import { setImmediate as nextTick } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { MemoryOutlet } from "../../support/engine/memory-outlet.ts";
import { RefusedError } from "../../../runtime/errors/errors.ts";
import type { Outlet } from "../../../runtime/ports.ts";
import { Gate } from "../../support/faults/gate.ts";
import { at } from "../../support/engine/json.ts";
import { Rig } from "../../support/engine/rig.ts";
import { said } from "../../support/sessions/said.ts";

const bad = { type: "test.refused", data: {} };
const ticks = async (count = 30): Promise<void> => {
  for (let n = 0; n < count; n += 1) await nextTick();
};
async function bury(rig: Rig, count: number, session = "s1"): Promise<void> {
  for (let n = 0; n < count; n += 1) await (await rig.submit(session, [], bad)).settled;
  await ticks();
}
const idsOf = (outlet: MemoryOutlet): readonly string[] => outlet.letters.map(({ messageId }) => messageId);
const ids = (from: number, to: number): readonly string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `dead:rig:${from + index}`);

describe("dead letters on their way out", () => {
  test("ROWS-DEAD-LETTERS-1: each leaves once, in order, with its subject, reason, position, path and what was sent", async () => {
    const outlet = new MemoryOutlet();
    const rig = await Rig.start({ outlet });
    await bury(rig, 3);
    expect(idsOf(outlet)).toEqual(ids(1, 3));
    const [letter] = outlet.letters;
    expect(letter?.subject).toBe("signalbox.v1.dlq.bad-shape");
    expect(letter?.headers).toEqual({
      "Signalbox-Code": "BAD_SHAPE",
      "Signalbox-Reason": "It has the wrong shape.",
      "Signalbox-Path": "data.x",
      "Signalbox-Position": String(rig.saidOwn("configured").length + 1),
    });
    const body: unknown = JSON.parse(letter?.body ?? "");
    expect(body).toEqual(rig.row("dead/0000000000000001"));
    expect(at(JSON.parse(String(at(body, "body"))), "type")).toBe("test.refused");
  });

  test("ROWS-DEAD-LETTERS-2: what was sent cannot break out of a header: line ends and other scripts become blanks", async () => {
    const outlet = new MemoryOutlet();
    const rig = await Rig.start({ outlet });
    await rig.engine.own("w" as never, "s1" as never, {
      type: "refused",
      door: "nats:x",
      by: "eve",
      code: "NOT A TOKEN.>",
      reason: "first\r\nNats-Msg-Id: forged\r\n\r\nöäü 😀 last",
      bytes: 0,
      body: "",
    });
    await ticks();
    const [letter] = outlet.letters;
    expect(letter?.subject).toBe("signalbox.v1.dlq.other");
    expect(letter?.headers["Signalbox-Reason"]).toBe("first Nats-Msg-Id: forged last");
    expect(at(JSON.parse(letter?.body ?? ""), "reason")).toContain("\r\n");
  });

  test("G4, OUTLET-PUBLISHER-1: an outlet that takes nothing holds up no turn; once it takes letters, they come in order", async () => {
    const outlet = new MemoryOutlet();
    const rig = await Rig.start({ outlet });
    outlet.refuse(new Error("down"));
    await bury(rig, 5);
    await rig.tell("s1", said.prompt("p1"));
    expect(rig.state("s1")).toBe("running");
    expect(outlet.letters).toEqual([]);
    outlet.refuse(undefined);
    await rig.pass(20_000, 1_000);
    expect(idsOf(outlet)).toEqual(ids(1, 5));
    expect(outlet.published).toHaveLength(rig.changes.length);
  });

  test("OUTLET-PUBLISHER-2: a letter too long for the outlet leaves with the beginning of what was sent, and the next ones follow", async () => {
    const outlet = new MemoryOutlet();
    const take = outlet.publishLetter.bind(outlet);
    outlet.publishLetter = (letter) =>
      letter.body.length > 4_000
        ? Promise.reject(new RefusedError("TOO_LARGE", "It is too long.", "Send less."))
        : take(letter);
    const rig = await Rig.start({ outlet });
    await (
      await rig.submit("s1", [], { ...bad, data: "x".repeat(9_000) })
    ).settled;
    await bury(rig, 1);
    expect(idsOf(outlet)).toEqual(ids(1, 2));
    const bodies = outlet.letters.map(({ body }) => JSON.parse(body) as object);
    expect(bodies.map((body) => at(body, "cut"))).toEqual([["body"], undefined]);
    const kept = at(rig.row("dead/0000000000000001"), "body");
    expect(String(kept).startsWith(String(at(bodies[0], "body")))).toBe(true);
  });

  test("OUTLET-PUBLISHER-1: a reader of letters that never answers holds up neither turns nor changes", async () => {
    const gate = new Gate();
    const outlet = new MemoryOutlet();
    const take = outlet.publishLetter.bind(outlet);
    outlet.publishLetter = async (letter) => {
      await gate.pass();
      await take(letter);
    };
    gate.shut();
    const rig = await Rig.start({ outlet });
    await bury(rig, 2);
    await rig.tell("s1", said.prompt("p1"));
    await ticks();
    expect(outlet.published).toHaveLength(rig.changes.length);
    expect(outlet.letters).toEqual([]);
    gate.open();
    await ticks();
    expect(idsOf(outlet)).toEqual(ids(1, 2));
  });

  test("MAINTENANCE-2: the floor is stored: after a restart the next letter follows, none comes again", async () => {
    const outlet = new MemoryOutlet();
    const rig = await Rig.start({ outlet });
    await bury(rig, 2);
    await rig.pass(1_000, 100);
    expect(rig.row("posted")).toBe(2);
    await rig.engine.stop();
    const sent: string[] = [];
    const take = outlet.publishLetter.bind(outlet);
    outlet.publishLetter = (letter) => {
      sent.push(letter.messageId);
      return take(letter);
    };
    const next = await rig.restart();
    await bury(next, 1);
    expect(sent).toEqual(["dead:rig:3"]);
  });

  test("ROWS-DEAD-LETTERS-1: if the floor was lost, letters come again under the same ids", async () => {
    const outlet = new MemoryOutlet();
    const rig = await Rig.start({ outlet });
    await bury(rig, 3);
    const sent: string[] = [];
    const take = outlet.publishLetter.bind(outlet);
    outlet.publishLetter = (letter) => {
      sent.push(letter.messageId);
      return take(letter);
    };
    // Killed: no floor was stored.
    await rig.restart();
    await ticks();
    expect(sent).toEqual(ids(1, 3));
    expect(idsOf(outlet)).toEqual(ids(1, 3));
  });

  test("OUTLET-PUBLISHER-1: an outlet that does not carry letters leaves them in the store", async () => {
    const outlet = new MemoryOutlet();
    const plain: Outlet = {
      publish: (change) => outlet.publish(change),
      lastVersion: (workspace, session) => outlet.lastVersion(workspace, session),
      close: () => outlet.close(),
    };
    const rig = await Rig.start({ outlet: plain });
    await bury(rig, 2);
    await rig.pass(2_000, 100);
    expect(rig.rows("dead/").size).toBe(2);
    expect(rig.row("posted")).toBeUndefined();
  });
});

describe("the report after a start", () => {
  test("S1.19: it is sent once per start, with what was found open", async () => {
    const outlet = new MemoryOutlet();
    const rig = await Rig.start({ outlet });
    await rig.tell("s1", said.prompt("p1"));
    await ticks();
    await rig.engine.stop();
    const next = await rig.restart();
    await ticks();
    expect(outlet.notices.map(({ subject }) => subject)).toEqual(
      Array.from({ length: 2 }, () => "signalbox.v1.notice.recovered"),
    );
    expect(JSON.parse(outlet.notices[1]?.body ?? "")).toEqual({
      incarnation: "rig",
      ...next.engine.recovered,
    });
    expect(next.engine.recovered).toMatchObject({ epoch: 2, openRequests: 1, oldest: ["w/s1/request/p1"] });
  });

  test("OUTLET-PUBLISHER-1: nothing waits for it: it goes out once the outlet takes it", async () => {
    const outlet = new MemoryOutlet();
    outlet.refuse(new Error("down"));
    const rig = await Rig.start({ outlet });
    expect(rig.engine.isReady).toBe(true);
    await rig.pass(3_000, 250);
    expect(outlet.notices).toEqual([]);
    outlet.refuse(undefined);
    await rig.pass(10_000, 1_000);
    expect(outlet.notices).toHaveLength(1);
  });
});
