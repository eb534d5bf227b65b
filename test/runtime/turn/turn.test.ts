// Turn
// The effects of one journal entry on the store: all of them, or a record of why there are none.

import { describe, expect, test, vi } from "vitest";
import type * as CallFacts from "../../../machines/facts/call-facts.ts";
import type { ApprovalId, SessionId } from "../../../machines/index.ts";
import { messages, play } from "../../support/sessions/play.ts";
import { recording } from "../../support/sessions/recording.ts";
import { changedBy } from "../../support/properties/changed.ts";
import { Rig, rowsOf, translate, WORKSPACE } from "../../support/engine/rig.ts";
import { call, said } from "../../support/sessions/said.ts";
import { keyOf, WrappedStore } from "../../support/faults/wrapped-store.ts";

/** A planted defect: learning what was said about a call throws. */
const { planted } = vi.hoisted(() => ({ planted: { isThrowing: false } }));
vi.mock("../../../machines/facts/call-facts.ts", async (importOriginal) => {
  const facts = await importOriginal<typeof CallFacts>();
  const learn: typeof facts.learn = (context, event) => {
    if (planted.isThrowing) throw new Error("planted");
    return facts.learn(context, event);
  };
  return { ...facts, learn };
});

function groupBy<T, K>(list: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of list) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

describe("duplicates", () => {
  test("G1, I-21: a message with the same session, source and id changes nothing but the cursor", async () => {
    const rig = await Rig.start();
    await rig.submit("s1", [said.prompt("p1")], { id: "one" });
    await rig.quiet();
    let outcome: string | undefined;
    const rows = await changedBy(rig, async () => {
      const { settled } = await rig.submit("s1", [said.pre(call("c1"))], { id: "one" });
      ({ outcome } = await settled);
    });
    expect(outcome).toBe("duplicate");
    expect(rows).toEqual(["meta", "quota/w"]);
    expect(rig.state("s1/call/c1")).toBeUndefined();
  });

  test("G32: the same id from another source or in another session is another input", async () => {
    const rig = await Rig.start();
    await (
      await rig.submit("s1", [said.prompt("p1")], { id: "one", source: "a" })
    ).settled;
    const other = await rig.submit("s1", [said.pre(call("c1"))], { id: "one", source: "b" });
    expect((await other.settled).outcome).toBe("applied");
    const elsewhere = await rig.submit("s2", [said.prompt("p2")], { id: "one", source: "a" });
    expect((await elsewhere.settled).outcome).toBe("applied");
    expect(rig.state("s1/call/c1")).toMatchObject({ execution: "processing" });
    expect(rig.state("s2/request/p2")).toBeDefined();
  });
});

describe("translation", () => {
  test("TURN-1: a message is translated once in its turn, and again only if it had to wait for another", async () => {
    const translated: string[] = [];
    const rig = await Rig.start({
      translate: (message) => {
        translated.push(message.id);
        return translate(message);
      },
    });
    const send = async (id: string, sequence?: number): Promise<void> => {
      const { settled } = await rig.submit("s1", [said.prompt(id)], {
        id,
        ...(sequence !== undefined && { sequence }),
      });
      await settled;
    };
    await send("plain");
    await send("second", 2);
    await send("first", 1);
    expect(translated).toEqual(["plain", "second", "first", "second"]);
    expect(rig.state("s1/request/second")).toBeDefined();
  });
});

describe("rejections", () => {
  async function withBrokenCall<T>(action: () => Promise<T>): Promise<T> {
    planted.isThrowing = true;
    try {
      return await action();
    } finally {
      planted.isThrowing = false;
    }
  }

  test.each([
    ["an event its machine does not take", said.completed("g1"), false],
    ["an unknown id", said.completed("nobody"), false],
    ["an action that throws", said.pre(call("c1")), true],
  ])("I-20, DELIVERY-2: %s leaves one rejection record and nothing else", async (_, input, isDefect) => {
    const rig = await Rig.start();
    await rig.tell("s1", said.created("g1"));
    let reply: unknown;
    const rows = await changedBy(rig, async () => {
      const tell = () => rig.tell("s1", input);
      reply = isDefect ? await withBrokenCall(tell) : await tell();
    });
    // The seen row makes the message's repetition a duplicate; the ledger holds the record.
    expect(rows).toEqual(["ledger/w/s1", "meta", "quota/w", "seen/w/s1"]);
    expect(reply).toMatchObject({ outcome: "rejected", answers: [] });
    expect(rig.row("ledger/w/s1")).toMatchObject({
      rejected: 1,
      rejections: [{ position: rig.disk.tail, at: rig.clock.now(), what: input.type }],
    });
    expect(rig.defects).toHaveLength(isDefect ? 1 : 0);
    expect((await rig.tell("s1", said.pre(call("c2")))).outcome).toBe("applied");
  });

  test("I-20, I-37: the last 20 rejections are kept, the counter counts them all", async () => {
    const rig = await Rig.start();
    await rig.tell("s1", said.created("g1"));
    const positions: number[] = [];
    for (let n = 0; n < 25; n += 1) positions.push((await rig.tell("s1", said.completed(`x${n}`))).position);
    const { rejected, rejections } = rig.row("ledger/w/s1") as {
      rejected: number;
      rejections: { position: number; reason: string }[];
    };
    expect(rejected).toBe(25);
    expect(rejections.map(({ position }) => position)).toEqual(positions.slice(-20));
    expect(rejections.at(-1)?.reason).toContain("x24");
    expect(rig.row("actor/w/s1")).toMatchObject({ changes: { version: rig.changes.length } });
  });

  test("INPUT-ATTEMPTS-1: if one of a message's inputs is rejected, the others stay", async () => {
    const rig = await Rig.start();
    await rig.tell("s1", said.prompt("p1"));
    const reply = await rig.tell(
      "s1",
      said.pre(call("c1")),
      said.completed("nobody"),
      said.pre(call("c2")),
      said.processing("nobody"),
    );
    expect(reply).toMatchObject({ outcome: "applied" });
    expect(reply.reason).toMatch(/nobody.*; .*nobody/);
    expect(rig.state("s1/call/c1")).toMatchObject({ execution: "processing" });
    expect(rig.state("s1/call/c2")).toMatchObject({ execution: "processing" });
    expect(rig.row("ledger/w/s1")).toMatchObject({ rejected: 2 });
    const turns = new Set(rig.changes.filter(({ id }) => id === "c1" || id === "c2").map(({ turn }) => turn));
    expect(turns).toEqual(new Set([reply.position]));
  });

  test("R3: a request id of another session is rejected completely", async () => {
    const rig = await Rig.start();
    await rig.tell("s1", said.created("g1"));
    const rows = await changedBy(rig, async () => {
      expect((await rig.tell("s2", said.created("g1"))).outcome).toBe("rejected");
    });
    // A message to a session that does not exist leaves a tombstone, too (TOMBS-2).
    expect(rows).toEqual([
      "ledger/w/s2",
      "meta",
      "quota/w",
      "seen/w/s2",
      expect.stringMatching(/^tomb\/\d{16}\/w\/s2\/session$/),
    ]);
  });
});

describe("changes", () => {
  test("I-29, G5: versions of a session and numbers of the log are dense; a turn's changes carry turn, part and parts", async () => {
    const rig = await Rig.start();
    for (const name of ["s1-ten-allowed", "s6-subagent", "s3-permreq-deny-interrupt", "s9-two-sessions"])
      await play(rig.engine, rig.clock, messages(recording(name), ["hooks", "stream"]));
    const log = rig.log();
    expect(log).toEqual(rig.changes);
    expect(log.length).toBeGreaterThan(200);
    expect(log.map(({ n }) => n)).toEqual(log.map((_, index) => index + 1));
    const bySession = groupBy(log, ({ workspace, sessionId }) => `${workspace}/${sessionId}`);
    expect(bySession.size).toBeGreaterThanOrEqual(5);
    for (const changes of bySession.values())
      expect(changes.map(({ version }) => version)).toEqual(changes.map((_, index) => index + 1));
    const byTurn = groupBy(log, ({ turn }) => turn);
    for (const changes of byTurn.values()) {
      expect(changes.map(({ part }) => part)).toEqual(changes.map((_, index) => index + 1));
      expect(new Set(changes.map(({ parts }) => parts))).toEqual(new Set([changes.length]));
      expect(new Set(changes.map(({ sessionId, at, epoch }) => `${sessionId} ${at} ${epoch}`)).size).toBe(1);
    }
    expect([...byTurn.values()].some((changes) => changes.length > 3)).toBe(true);
  });

  test("G5, I-12, S3.8: a denial's change lists the calls denied with it; all are one turn and one commit", async () => {
    const commits: string[][] = [];
    const rig = await Rig.start({
      wrapStore: (store) =>
        new WrappedStore(store, (writes, commit) => {
          commits.push(writes.map(keyOf));
          return commit();
        }),
    });
    await rig.tell("s1", said.prompt("p1"));
    const ids = ["c1", "c2", "c3", "c4", "c5"];
    for (const id of ids) await rig.tell("s1", said.announced(call(id)));
    await rig.tell("s1", said.pre(call("c1")), said.post(call("c1")));
    await rig.tell("s1", said.ask("a3", call("c3")));
    const from = rig.changes.length;
    commits.length = 0;
    await rig.engine.own(WORKSPACE, "s1" as SessionId, {
      type: "decision",
      approvalId: "a3" as ApprovalId,
      decision: "deny",
      by: "local:ada",
    });
    const denied = rig.changes
      .slice(from)
      .filter(({ entity, to }) => entity === "toolcall" && to === "denied");
    expect(denied.map(({ id }) => id)).toEqual(["c3", "c4", "c5"]);
    expect(denied[0]?.cascade).toEqual(["c4", "c5"]);
    expect(denied.slice(1).map(({ cascade, cause }) => [cascade, cause])).toEqual([
      [undefined, expect.objectContaining({ cause: "cascade", callId: "c3", approvalId: "a3" })],
      [undefined, expect.objectContaining({ cause: "cascade", callId: "c3", approvalId: "a3" })],
    ]);
    expect(new Set(rig.changes.slice(from).map(({ turn }) => turn)).size).toBe(1);
    const home = `actor/${WORKSPACE}/s1/call`;
    const holding = commits.filter((written) => denied.some(({ id }) => written.includes(`${home}/${id}`)));
    expect(holding).toHaveLength(1);
    expect(holding[0]).toEqual(expect.arrayContaining(denied.map(({ id }) => `${home}/${id}`)));
    expect(rowsOf(rig.disk, "audit/").size).toBe(1);
  });
});
