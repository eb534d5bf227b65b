// Peers
// Asking several engines at once, some of which are late, refuse or break.

import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import type { EngineRequest, Exchange } from "../../../runtime/line/exchange.ts";
import { forUser } from "../../../runtime/peers/on-behalf.ts";
import { LIST_MS, Peers } from "../../../runtime/peers/peers.ts";
import { ManualClock } from "../../support/engine/manual-clock.ts";

const asked: EngineRequest[] = [];

const answering =
  (status: number, text: string): Exchange =>
  (request) => {
    asked.push(request);
    return Promise.resolve({ status, body: Readable.from([Buffer.from(text)]) });
  };

const late: Exchange = ({ signal }) =>
  new Promise((_, reject) => signal?.addEventListener("abort", () => reject(new Error("late"))));

const user = forUser({
  name: "http:ann",
  access: { parts: new Set(["view"]), workspaces: new Set(["b", "a"]) },
});

describe("peers", () => {
  it("PEERS-1, PEERS-2: all are asked for the user, and who is late, closed or broken is named", async () => {
    const clock = new ManualClock(1_000);
    const peers = new Peers(
      [
        { name: "good", exchange: answering(200, '{"items":[]}') },
        { name: "refusing", exchange: answering(403, '{"error":{"code":"NOT_ALLOWED"}}') },
        { name: "proxy", exchange: answering(403, "{}") },
        { name: "closed", exchange: answering(401, "{}") },
        { name: "starting", exchange: answering(503, "{}") },
        { name: "gone", exchange: () => Promise.reject(new Error("ECONNREFUSED")) },
        { name: "late", exchange: late },
      ],
      clock,
    );
    const found = peers.ask({ method: "GET", path: "/v1/sessions", user }, LIST_MS);
    clock.advance(LIST_MS);
    const { answers, silent } = await found;
    expect(answers.map(({ peer, status }) => [peer, status])).toEqual([
      ["good", 200],
      ["refusing", 403],
    ]);
    expect(silent).toEqual(["proxy", "closed", "starting", "gone", "late"]);
    expect(asked[0]?.headers).toEqual({
      "Signalbox-For": "name=http%3Aann&may=view&workspace=a&workspace=b",
    });
    expect(peers.troubles()).toEqual([]);
  });
});
