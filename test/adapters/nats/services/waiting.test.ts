// Waiting over NATS
// A service that waits for an answer over NATS: heard of by each of its questions, and missed where they stop.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { toolInput } from "../../../../runtime/canonical.ts";
import { at } from "../../../support/engine/json.ts";
import { event } from "../../../support/http/served.ts";
import { INPUT, type Serving, serving } from "../../../support/nats/serving.ts";
import { type NatsServer, natsServer } from "../../../support/nats/server.ts";
import type { Trouble } from "../../../../runtime/errors/trouble.ts";

let server: NatsServer;
let serves: Serving;
let troubles: readonly Trouble[];
let count = 0;
let id: string;
beforeAll(async () => {
  server = await natsServer();
  serves = await serving(server.url, { withGate: true });
  const told = serves.engine.troubles.bind(serves.engine);
  serves.engine.troubles = () => [...troubles, ...told()];
});
beforeEach(() => {
  troubles = [];
  id = `q${++count}`;
});
afterAll(async () => {
  await serves.stop();
  expect(serves.errors).toEqual([]);
  await server.dispose();
});

const requested = (channel?: string): Promise<void> =>
  serves.send(
    event("approval.requested", {
      approvalId: id,
      tool: "deploy",
      input: INPUT,
      deadlineAt: serves.clock.now() + 600_000,
      onDeadline: "deny",
      ...(channel !== undefined && { channel }),
    }),
  );
const asked = { session: "s1", tool: "deploy", inputHash: toolInput(INPUT).hash };
const answer = async (): Promise<unknown> =>
  (await serves.request("signalbox.v1.ask.shop.approval.answer", { id, ...asked })).body;
const state = async (): Promise<unknown> => at((await serves.query("approval.get", { id })).body, "state");
const settle = async (ms: number): Promise<void> => {
  for (let left = ms; left > 0; left -= 1_000) {
    serves.clock.advance(Math.min(left, 1_000));
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
};

describe("GATE-GATE-5: a service that waits over NATS", () => {
  test("ASKER-2: is not taken to wait where it asked about something else, or does not say what it asked", async () => {
    await requested("gate-service");
    const subject = "signalbox.v1.ask.shop.approval.answer";
    for (const [said, code] of [
      [{}, "400"],
      [{ ...asked, session: "s2" }, "409"],
      [{ ...asked, inputHash: toolInput({ command: "rm -rf /" }).hash }, "409"],
    ] as const)
      expect((await serves.request(subject, { id, ...said })).code).toBe(code);
    for (let n = 0; n < 4; n += 1) {
      await settle(5_000);
      await serves.request(subject, { id, ...asked, tool: "destroy" });
    }
    await expect.poll(state).toBe("withdrawn");
  });

  test("GATE-GATE-5: asks every five seconds and is waiting; its answer has the hash of the input it was given for", async () => {
    await requested("gate-service");
    for (let n = 0; n < 6; n += 1) {
      await settle(5_000);
      expect(await answer()).toEqual({ approvalId: id, state: "pending" });
    }
    const { inputHash } = asked;
    await serves.decide("shop.alice", { approvalId: id, decision: "approve", inputHash });
    expect(await answer()).toMatchObject({ state: "approved", decision: "allow", inputHash });
  });

  test("GATE-GATE-5: stops asking, or never begins: withdrawn, and a later decision opens nothing", async () => {
    await requested("gate-service");
    await settle(5_000);
    await answer();
    await settle(14_000);
    expect(await state()).toBe("pending");
    await settle(3_000);
    await expect.poll(state).toBe("withdrawn");
    const { inputHash } = asked;
    const late = await serves.decide("shop.alice", { approvalId: id, decision: "approve", inputHash });
    expect(late.code).toBe("409");
    expect(await answer()).not.toHaveProperty("decision");
  });

  test("GATE-GATE-5: one that did not say that it asks is not missed: it has its deadline, and its own word", async () => {
    await requested();
    await answer();
    await settle(60_000);
    expect(await state()).toBe("pending");
    await serves.send(event("approval.lapsed", { approvalId: id, said: "deny" }));
    expect(await state()).toBe("expired");
  });

  test("GATE-GATE-5: while the journal takes nothing in, and for a while after, nobody is gone", async () => {
    await requested("gate-service");
    const trouble = { code: "NATS_AWAY" as const, message: "It is away.", next: "Wait.", since: 0 };
    troubles = [{ ...trouble, isEssential: true }];
    await settle(40_000);
    troubles = [];
    await settle(10_000);
    expect(await state()).toBe("pending");
    await answer();
    await settle(10_000);
    expect(await state()).toBe("pending");
    await settle(20_000);
    await expect.poll(state).toBe("withdrawn");
  });
});
