// Rights of peers
// What a user of one engine may do at another, and who may speak for a user.

import { afterEach, describe, expect, it } from "vitest";
import { at, textAt } from "../../support/engine/json.ts";
import { asks, HASH, json, type Team, team } from "../../support/peers/team.ts";

let all: Team | undefined;
afterEach(() => all?.stop());

const codeOf = async (
  url: string,
  token: string,
  headers: Readonly<Record<string, string>> = {},
  body?: object,
) => {
  const response = await fetch(url, {
    ...(body && json(body)),
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", ...headers },
  });
  return textAt(await response.json(), "error", "code") ?? response.status;
};

describe("rights of peers", () => {
  it("ON-BEHALF-1: a user sees at other engines only the workspaces, and does only what they may do at their own", async () => {
    all = await team({ parts: new Set(["view"]), workspaces: new Set(["shop"]) });
    await asks(all.shop, "shop", "s1");
    const secret = await asks(all.web, "web", "w1");
    const { body } = await all.askAll("/v1/approvals");
    expect((at(body, "items") as readonly unknown[]).map((item) => textAt(item, "workspace"))).toEqual([
      "shop",
    ]);
    expect((await all.ask(`/v1/approvals/${secret}`)).status).toBe(404);
    expect((await all.ask("/v1/approvals/q-s1/decision", json({ decision: "deny" }))).status).toBe(403);
    expect((await all.ask("/v1/sessions/w1")).status).toBe(404);
  });

  it("PEERS-FOUND-4: an approval of a peer is decided, whatever has its id in a workspace that the user may not use", async () => {
    all = await team({ parts: new Set(["view", "decide"]), workspaces: new Set(["shop", "web"]) });
    await asks(all.shop, "shop", "s1");
    await asks(all.hub, "rival", "s1");
    const answer = json({ decision: "approve", inputHash: HASH });
    const elsewhere = await all.ask("/v1/approvals/q-s1/decision?workspace=rival", answer);
    expect(textAt(elsewhere.body, "error", "code")).toBe("NOT_ALLOWED");
    const { status, body } = await all.ask("/v1/approvals/q-s1/decision", answer);
    expect([status, at(body, "engine")]).toEqual([200, "shop"]);
  });

  it("PEERS-FOUND-3: what another engine passed on is answered from this engine alone", async () => {
    all = await team();
    await asks(all.shop, "shop", "s1");
    const headers = {
      Authorization: `Bearer ${all.token("hub", "other")}`,
      "Signalbox-For": "name=eve&may=view",
    };
    const asked = async (path: string) => {
      const response = await fetch(`${all?.hub.url}${path}`, { headers });
      return { status: response.status, body: await response.json() };
    };
    expect((await asked("/v1/approvals")).body).toEqual({ items: [] });
    expect((await asked("/v1/approvals/q-s1")).status).toBe(404);
    expect((await asked("/v1/sessions?engine=shop")).status).toBe(400);
  });

  it("ON-BEHALF-1, ENTRANCE-2, PARTS-3: only another engine's token speaks for a user, and nobody signs in through it", async () => {
    all = await team();
    const { shop, token } = all;
    const bob = token("shop", "bob");
    const hub = token("shop", "hub");
    const ann = { "Signalbox-For": "name=http%3Aann&may=view" };
    expect(await codeOf(`${shop.url}/v1/sessions`, bob, ann)).toBe("NOT_ALLOWED");
    expect(await codeOf(`${shop.url}/v1/sessions`, hub, ann)).toBe(200);
    const widened = { "Signalbox-For": "name=ann&may=view,emit" };
    expect(await codeOf(`${shop.url}/v1/events`, hub, widened, {})).toBe("NOT_ALLOWED");
    for (const wrong of [
      "",
      "name=",
      "name=a%00b&may=view",
      `name=${"n".repeat(201)}`,
      "name=ann&workspace=a/b",
    ])
      expect(await codeOf(`${shop.url}/v1/sessions`, hub, { "Signalbox-For": wrong })).toBe("WRONG_SHAPE");
    const all4 = { "Signalbox-For": "name=ann&may=view,decide,emit,manage" };
    expect(await codeOf(`${shop.url}/v1/sign-in-links`, hub, all4, {})).toBe("NOT_ALLOWED");
    expect(await codeOf(`${shop.url}/v1/inspect`, hub, all4)).toBe("NOT_ALLOWED");
    expect(await codeOf(`${shop.url}/v1/me`, hub, all4)).toBe("NOT_ALLOWED");
  });
});
