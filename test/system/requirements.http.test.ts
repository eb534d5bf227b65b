// What the four documents demand of a server: the status of a request, and a hook that never fails.

import { afterEach, expect, test } from "vitest";
import { serve, type Served } from "../support/http/served.ts";

let served: Served | undefined;
afterEach(async () => {
  await served?.stop();
  served = undefined;
});

const event = (type: string, data: object) => ({
  specversion: "1.0",
  id: `${type}-1`,
  source: "gateway",
  type,
  subject: "shop/s1",
  data,
});

test("S1.42: a route shows how a request stands", async () => {
  served = await serve();
  expect((await served.get("/v1/requests/r1")).status).toBe(404);
  const events = [
    event("request.created", { requestId: "r1" }),
    event("request.processing", { requestId: "r1" }),
  ];
  await served.post("/v1/events", events);
  const { status, body } = await served.get("/v1/requests/r1");
  expect(status).toBe(200);
  expect(body).toMatchObject({
    requestId: "r1",
    workspace: "shop",
    state: "processing",
    previousState: "created",
  });
});

test("S2.16: a hook is answered with no decision when the engine cannot take it", async () => {
  served = await serve();
  await served.engine.stop();
  const payload = { session_id: "s1", cwd: "/app", hook_event_name: "Stop" };
  expect(await served.post("/v1/hooks/claude-code", payload)).toMatchObject({
    status: 200,
    body: {},
  });
});
