// HTTP: warnings
// What a sender should know of a message that was applied stands in its answer.

import { expect, it } from "vitest";
import { createEngine } from "../../../adapters/index.ts";
import { MemoryDisk } from "../../../adapters/memory/index.ts";
import { at, listAt } from "../../support/engine/json.ts";
import { event, serve } from "../../support/http/served.ts";

const started = event("tool.started", { tool: "send_mail", toolUseId: "t1", requestId: "r1" });
const early = event("tool.batch", { requestId: "r1", calls: [{ toolUseId: "t1", tool: "send_mail" }] });

it("EARLY-LIST-1: the answer to a tool.batch carries the warning, under a known key the same one after a restart", async () => {
  const disk = new MemoryDisk("journal-1");
  const first = await serve({ disk });
  await first.post("/v1/events", started);
  const key = { "Idempotency-Key": "early" };
  const { status, body } = await first.post("/v1/events", early, key);
  expect(status).toBe(200);
  expect(at(body, "warning", "code")).toBe("CALLS_ENDED_BY_LIST");
  expect(at(body, "warning", "message")).toContain("ended 1 call without a result: t1;");
  await first.stop();
  const second = await serve({ disk, clock: first.clock });
  expect((await second.post("/v1/events", early, key)).body).toEqual(body);
  await second.stop();
});

it("EARLY-LIST-1: in the answer to a list it stands with the message that it is about", async () => {
  const served = await serve();
  const results = listAt((await served.post("/v1/events", [started, early])).body, "results");
  expect(results.map((result) => Object.hasOwn(result as object, "warning"))).toEqual([false, true]);
  await served.stop();
});

it("EARLY-LIST-1: the library's answer has it too, and it is counted in the metrics", async () => {
  const engine = await createEngine({ port: 0 });
  const { taken } = await engine.send([started, early]);
  expect(taken.map((each) => "reply" in each && each.reply.warning?.code)).toEqual([
    undefined,
    "CALLS_ENDED_BY_LIST",
  ]);
  const answer = await fetch(`${engine.url}/metrics`, {
    headers: { Authorization: `Bearer ${engine.token}` },
  });
  expect(await answer.text()).toContain("\nsignalbox_warnings_total 1\n");
  await engine.stop();
});
