// Fence, attacks
// What a user tries to have sent elsewhere, and what it writes beside a message, stays within its own account.
// Without accounts the same attacks succeed: permissions alone are no fence.

import { headers, type NatsConnection } from "nats";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  AS,
  fenced,
  type Fenced,
  NONE,
  ONE,
  start,
  TARGETS,
  type User,
} from "../../../support/nats/fence.ts";

describe.each([
  ["as shipped", AS.shipped],
  ["by its accounts alone", AS.accountsAlone],
] as const)("fence, attacks, %s", (_, made) => {
  let fence: Fenced;
  const by = (user: User): NatsConnection => fence.by(user);
  beforeAll(async () => {
    fence = await fenced(made);
  });
  afterAll(() => fence.dispose());

  it.each(TARGETS)(
    "G11: an acknowledgement that chat-bot wants sent to %s stays within chat-bot's account",
    async (reply) => {
      const { subject, body } = start("chat");
      const harm = await fence.harmOf(async () => {
        by("chat-bot").publish(subject, body, { reply });
        await by("chat-bot").flush();
      });
      // With a reply like the server's own, the message itself is not taken.
      expect([ONE, NONE]).toContainEqual(harm);
      if (!/^(_R_|\$JS\.ACK)\./.test(reply)) expect(harm).toEqual(ONE);
    },
  );

  it.each(
    TARGETS.flatMap((reply) => [
      ["reader", "ask.chat.session.list", reply, NONE] as const,
      // A decision about nothing becomes a dead letter.
      ["alice", "decide.chat.alice", reply, { ...NONE, journal: 1, letters: 1, deads: 1 }] as const,
    ]),
  )(
    "G11: the answer to %s on %s, wanted sent to %s, goes no further than its asker",
    async (user, subject, reply, own) => {
      const body = user === "alice" ? '{"approvalId":"nobody","decision":"deny"}' : "{}";
      const harm = await fence.harmOf(async () => {
        by(user).publish(`signalbox.v1.${subject}`, body, { reply });
        await by(user).flush();
        await fence.root.connection.request("signalbox.v1.query.stats", "", { timeout: 20_000 });
      });
      expect([own, NONE]).toContainEqual(harm);
      if (!/^(_R_|\$JS\.ACK)\./.test(reply)) expect(harm).toEqual(own);
    },
  );

  it.each([
    ["Nats-Rollup", "all", NONE],
    ["Nats-Rollup", "sub", NONE],
    ["Nats-Expected-Stream", "SIGNALBOX_STATE", NONE],
    ["Nats-Expected-Last-Sequence", "0", NONE],
    ["Nats-Expected-Last-Msg-Id", "another", NONE],
    ["Nats-TTL", "1s", undefined],
    ["Nats-Schedule", "@every 1s", undefined],
    ["Nats-Trace-Dest", "signalbox.v1.in.bank.b1.tool.started", undefined],
    ["Nats-Request-Info", '{"acc":"SIGNALBOX"}', ONE],
    ["Signalbox-Message", "whole", ONE],
  ] as const)(
    "G11: the header %s: %s of chat-bot touches its own message at most",
    async (name, value, expected) => {
      const { subject, body } = start("chat");
      const set = headers();
      set.set(name, value);
      const harm = await fence.harmOf(async () => {
        by("chat-bot").publish(subject, body, { headers: set });
        await by("chat-bot").flush();
      });
      // Older servers do not know every header of newer ones.
      if (expected) expect(harm).toEqual(expected);
      else expect([ONE, NONE]).toContainEqual(harm);
    },
  );

  it("G11: a seal that chat-bot made up becomes a dead letter in its own workspace", async () => {
    const { subject, body } = start("chat");
    const set = headers();
    set.set("Signalbox-Seal", `v1:${"0".repeat(64)}`);
    const harm = await fence.harmOf(async () => {
      by("chat-bot").publish(subject, body, { headers: set });
      await by("chat-bot").flush();
    });
    expect(harm).toEqual({ ...NONE, journal: 1, letters: 1, deads: 1 });
    const [letters = ""] = await fence.answersTo("reader", "signalbox.v1.ask.chat.deadletter.list");
    expect(letters).toContain("NOT_AUTHORISED");
    expect(letters).not.toContain("bank");
  });

  it("G26: an id that chat-bot used first takes nothing from a message without one", async () => {
    const set = headers();
    set.set("Nats-Msg-Id", "bank/b9:/bank-bot:pay-1");
    const mine = start("chat");
    await by("chat-bot").request(mine.subject, mine.body, { headers: set, timeout: 20_000 });
    const { subject, body } = start("bank");
    expect(await by("bank-bot").jetstream().publish(subject, body)).toMatchObject({ duplicate: false });
  });
});

describe("fence, without accounts", () => {
  it("G11: permissions alone let an acknowledgement do what its receiver may not", async () => {
    const open = await fenced(AS.permissionsAlone);
    const bot = open.by("chat-bot");
    await open.root.stream.publish("signalbox.v1.in.chat.s1.tool.started", "junk");
    const planted = await open.harmOf(async () => {
      const { subject, body } = start("chat");
      bot.publish(subject, body, { reply: "signalbox.v1.state.bank.b1.session.b1.ended" });
      await bot.flush();
    });
    // Servers of today take no request to their API in this way; 2.9.10 also purged a stream.
    expect(planted).toEqual({ ...ONE, changes: 2 });
    await open.dispose();
  });
});
