// Client, asked
// A service that reads its answer while somebody else answers on the engine's subject.

import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { answerTo, saidOf } from "../../../../adapters/nats/client/asked.ts";
import { type Client, connect } from "../../../../adapters/nats/client/client.ts";
import { toolInput } from "../../../../runtime/canonical.ts";
import type { GateAnswer } from "../../../../runtime/reading/gate-answer.ts";
import { nearHashes } from "../../../support/engine/near-hashes.ts";
import { operator } from "../../../support/nats/on-nats.ts";
import { natsServer, type NatsServer } from "../../../support/nats/server.ts";

let server: NatsServer;
let client: Client;
beforeAll(async () => {
  server = await natsServer();
  client = await connect({ url: server.url, workspace: "shop", source: "/service" });
});
afterAll(async () => {
  await client.close();
  await server.dispose();
});

const ASKED = { session: "s1", tool: "deploy", input: { to: "production" } };
const HASH = toolInput(ASKED.input).hash;

it("CLIENT-ASKED-2: an answer about another approval, or that allows another input, is none", async () => {
  const { connection } = await operator(server.url);
  let told: object = {};
  connection.subscribe("signalbox.v1.ask.shop.approval.answer", {
    callback: (_, message) => void message.respond(JSON.stringify(told)),
  });
  await connection.flush();
  const read = (answer: object): Promise<unknown> => {
    told = answer;
    return client.query.approvals.answer("a1", ASKED);
  };
  const allow = { approvalId: "a1", state: "approved", decision: "allow", inputHash: HASH };
  const deny = { approvalId: "a1", state: "denied", decision: "deny" };
  for (const right of [allow, deny]) expect(await read(right)).toEqual(right);
  const { inputHash: _, ...hashless } = allow;
  for (const wrong of [
    { ...allow, approvalId: "a2" },
    { ...deny, approvalId: "a2" },
    { ...allow, inputHash: toolInput({ to: "test" }).hash },
    hashless,
  ])
    await expect(read(wrong)).rejects.toMatchObject({ code: "OTHER_ANSWER", obligation: "give-up" });
  await connection.close();
});

it("I-39: of all answers only one that allows the very input that was asked about lets a service's call run", () => {
  const hash = fc.constantFrom(HASH, toolInput({ to: "test" }).hash, ...nearHashes(HASH), undefined);
  fc.assert(
    fc.property(
      fc.constantFrom("a1", "a2"),
      fc.constantFrom("allow", "deny", undefined),
      hash,
      (id, decision, inputHash) => {
        const answer = { approvalId: id, state: "approved", decision, inputHash } as GateAnswer;
        const mayPass = id === "a1" && (decision !== "allow" || inputHash === HASH);
        const read = (): unknown => answerTo("a1", saidOf(ASKED), answer);
        if (mayPass) expect(read()).toBe(answer);
        else expect(read).toThrow("is about another approval or input");
      },
    ),
  );
});
