// A service's traceparent, on a real server: from its message to the changes that others hear.

import { headers } from "nats";
import { afterAll, beforeAll, expect, test } from "vitest";
import { engineOnNats, operator, until } from "../../support/nats/on-nats.ts";
import { type NatsServer, natsServer } from "../../support/nats/server.ts";

let server: NatsServer;
beforeAll(async () => {
  server = await natsServer();
});
afterAll(() => server.dispose());

const TRACEPARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

test("TRACE-NOTES-1, FOREIGN-3: what a service's message created leaves with its traceparent; a malformed one counts as none", async () => {
  const running = await engineOnNats({ url: server.url });
  const other = await operator(server.url);
  const publish = async (
    session: string,
    type: string,
    data: object,
    traceparent?: string,
  ): Promise<void> => {
    const sent = headers();
    if (traceparent !== undefined) sent.set("traceparent", traceparent);
    const body = { specversion: "1.0", id: `${session}-${type}`, source: "gateway", data };
    await other.stream.publish(`signalbox.v1.in.w.${session}.${type}`, JSON.stringify(body), {
      headers: sent,
    });
  };
  for (const [session, named] of [
    ["good", TRACEPARENT],
    ["bad", `${TRACEPARENT}-more`],
  ] as const) {
    await publish(session, "request.created", { requestId: `r-${session}` }, named);
    await publish(session, "request.processing", { requestId: `r-${session}` });
    await publish(session, "request.completed", { requestId: `r-${session}` });
  }
  await until("all is told", () => running.changes.filter(({ to }) => to === "completed").length === 2);
  await until("all is published", () => running.engine.lag().outlet === 0);
  const told = (await other.all("SIGNALBOX_STATE")).map((message) => [
    message.headers?.get("ce-type"),
    message.headers?.get("ce-subject"),
    message.headers?.get("traceparent") ?? "",
  ]);
  const ofRequests = told.filter(([type]) => type?.includes("request."));
  const named = (subject: string) => [
    ...new Set(ofRequests.flatMap(([, of, header]) => (of === subject ? [header] : []))),
  ];
  expect([named("w/good"), named("w/bad")]).toEqual([[TRACEPARENT], [""]]);
  expect(ofRequests.filter(([type]) => type?.endsWith("request.completed"))).toHaveLength(2);
  await other.close();
  await running.stop();
});
