// NATS: an id that comes again
// Two services that publish a question under one id: nobody tells the second, so the reading does.

import { afterAll, beforeAll } from "vitest";
import { at } from "../../../support/engine/json.ts";
import { requested, saidBy } from "../../../support/http/asking-doors.ts";
import { natsServer, type NatsServer } from "../../../support/nats/server.ts";
import { type Serving, serving } from "../../../support/nats/serving.ts";
import { askerContract, type Asks, type AskingDoor, type Told } from "../../contracts/asker.contract.ts";

let server: NatsServer;
beforeAll(async () => {
  server = await natsServer();
});
afterAll(() => server.dispose());

async function read(serves: Serving, asks: Asks, how?: "byId"): Promise<Told> {
  const query = { id: asks.id, ...(how === undefined && saidBy(asks)) };
  const { body, code = "200" } = await serves.request("signalbox.v1.ask.shop.approval.answer", query);
  return { status: Number(code), body };
}

async function open(): Promise<AskingDoor> {
  let serves = await serving(server.url, { withGate: true });
  return {
    async ask(asks) {
      await serves.send(requested(asks));
      return read(serves, asks);
    },
    read: (asks, how) => read(serves, asks, how),
    async approve(approvalId) {
      const { body } = await serves.query("approval.get", { id: approvalId });
      const decision = { approvalId, decision: "approve", inputHash: at(body, "inputHash") };
      await serves.decide("shop.alice", decision);
    },
    async restart() {
      const { disk } = serves;
      await serves.stop();
      serves = await serving(server.url, { withGate: true, disk });
    },
    stop: () => serves.stop(),
  };
}

askerContract({
  name: "NATS",
  facts: ["session", "run", "agent", "call", "tool", "input"],
  isOfService: true,
  open,
});
