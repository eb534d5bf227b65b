// Peers
// One engine shows and answers what waits at two others, in the name of its own users.

import { createServer, type AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { at, textAt } from "../../support/engine/json.ts";
import { asks, HASH, json, type Team, team } from "../../support/peers/team.ts";

const itemsIn = (body: unknown): readonly unknown[] => at(body, "items") as readonly unknown[];
const idsIn = (body: unknown): readonly string[] =>
  itemsIn(body).map((item) => textAt(item, "id") ?? textAt(item, "requestId") ?? "");

let all: Team;
beforeEach(async () => {
  all = await team();
});
afterEach(() => all.stop());

describe("peers", () => {
  it("PEERS-LISTS-1, PEERS-PAGES-1: lists have the items of all engines, in one order, page by page", async () => {
    for (const [engine, workspace, session] of [
      [all.shop, "shop", "s1"],
      [all.web, "web", "w1"],
      [all.hub, "hub", "h1"],
      [all.shop, "shop", "s2"],
    ] as const) {
      await asks(engine, workspace, session);
      await sleep(2);
    }
    for (const list of ["approvals", "sessions", "requests"]) {
      const whole = await all.askAll(`/v1/${list}`);
      const paged: string[] = [];
      let cursor: string | undefined;
      do {
        const { body } = await all.askAll(
          `/v1/${list}?limit=1${cursor === undefined ? "" : `&cursor=${cursor}`}`,
        );
        paged.push(...idsIn(body));
        cursor = textAt(body, "nextCursor");
      } while (cursor !== undefined);
      expect(idsIn(whole.body).map((id) => id.slice(-2))).toEqual(["s2", "h1", "w1", "s1"]);
      expect(paged).toEqual(idsIn(whole.body));
      expect(itemsIn(whole.body).map((item) => textAt(item, "engine"))).toEqual([
        "shop",
        undefined,
        "web",
        "shop",
      ]);
    }
    const { body } = await all.askAll("/v1/stats");
    expect(at(body, "counts", "approvals", "pending")).toBe(4);
    await expect
      .poll(async () =>
        itemsIn((await all.ask("/v1/search?text=deploy")).body).map((item) => textAt(item, "engine")),
      )
      .toEqual(expect.arrayContaining(["shop", "web", undefined]));
  });

  it("PEERS-SHARES-1: a page is full although all of its items are at one peer", async () => {
    const sessions = Array.from({ length: 35 }, (_, n) => `s${n}`);
    for (const session of sessions) await asks(all.shop, "shop", session);
    const { body } = await all.askAll("/v1/approvals?limit=30");
    const cursor = textAt(body, "nextCursor") ?? "";
    const rest = await all.askAll(`/v1/approvals?limit=30&cursor=${cursor}`);
    expect([itemsIn(body).length, itemsIn(rest.body).length]).toEqual([30, 5]);
    expect([...idsIn(body), ...idsIn(rest.body)].sort()).toEqual(sessions.map((each) => `q-${each}`).sort());
  });

  it("PEERS-FOUND-1, PEERS-FOUND-2, ON-BEHALF-2: an approval is read and answered at the engine that has it, in the user's name", async () => {
    const id = await asks(all.web, "web", "w1");
    const { status, body } = await all.ask(`/v1/approvals/${id}`);
    expect([status, textAt(body, "state"), textAt(body, "workspace")]).toEqual([200, "pending", "web"]);
    const answered = await all.ask(
      `/v1/approvals/${id}/decision`,
      json({ decision: "approve", inputHash: HASH }),
    );
    expect([answered.status, textAt(answered.body, "result")]).toEqual([200, "accepted"]);
    expect(all.web.queries.getApproval(id)).toMatchObject({ state: "approved", by: "http:hub/ann" });
    expect((await all.ask("/v1/sessions/w1/history")).status).toBe(200);
    expect((await all.ask("/v1/approvals/no-such")).status).toBe(404);
    expect((await all.ask("/v1/approvals/no-such/decision", json({ decision: "deny" }))).status).toBe(404);
  });

  it.each(["refuses", "hangs"])(
    "PEERS-ADDRESSES-1, PEERS-ADDRESSES-2: an approval is listed and answered while the engine's first address %s",
    async (how) => {
      const first = createServer(() => undefined);
      await new Promise<void>((resolve) => first.listen(0, "127.0.0.1", resolve));
      const { port } = first.address() as AddressInfo;
      if (how === "refuses") first.close();
      await all.stop();
      all = await team(undefined, [`http://127.0.0.1:${port}`]);
      const id = await asks(all.web, "web", "w1");
      expect(idsIn((await all.askAll("/v1/approvals")).body)).toEqual([id]);
      const decision = json({ decision: "approve", inputHash: HASH });
      expect((await all.ask(`/v1/approvals/${id}/decision`, decision)).status).toBe(200);
      first.close();
    },
  );

  it("PEERS-FOUND-2: a request that names an engine goes there, and an unknown name is refused", async () => {
    await asks(all.shop, "shop", "s1");
    expect(idsIn((await all.ask("/v1/sessions?engine=shop")).body)).toEqual(["s1"]);
    expect(idsIn((await all.ask("/v1/sessions?engine=web")).body)).toEqual([]);
    expect((await all.ask("/v1/rules?engine=web")).status).toBe(200);
    expect((await all.ask("/v1/sessions?engine=bank")).status).toBe(400);
  });

  it("PEERS-2, PEERS-FOUND-1: an engine that is away is named, and an id that it may have is not called unknown", async () => {
    const id = await asks(all.shop, "shop", "s1");
    await all.web.stop();
    const { status, body } = await all.ask("/v1/approvals");
    expect([status, idsIn(body), at(body, "partial")]).toEqual([200, [id], ["web"]]);
    const unknown = await all.ask("/v1/approvals/q-w1");
    expect([unknown.status, textAt(unknown.body, "error", "code")]).toEqual([503, "PEER_SILENT"]);
    const decided = await all.ask("/v1/approvals/q-w1/decision", json({ decision: "deny" }));
    expect([decided.status, textAt(decided.body, "error", "code")]).toEqual([503, "PEER_SILENT"]);
    expect((await all.ask(`/v1/approvals/${id}`)).status).toBe(200);
    await expect
      .poll(async () => (await all.ask("/readyz")).body)
      .toMatchObject({
        ready: true,
        reasons: [{ code: "PEERS_SILENT" }],
      });
  });
});
