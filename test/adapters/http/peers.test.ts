// Peers over HTTP
// What an engine with an inbox over several engines says if a peer, or a program in its place, answers something else.

import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { systemClock } from "../../../adapters/system/index.ts";
import { isFields } from "../../../machines/json.ts";
import type { Exchange } from "../../../runtime/line/exchange.ts";
import { PeerNews } from "../../../runtime/peers/news.ts";
import { type Peer, Peers } from "../../../runtime/peers/peers.ts";
import { type Answered, serve } from "../../support/http/served.ts";

const APPROVAL = { id: "q1", workspace: "w", sessionId: "s", state: "pending", askedAt: 1 };

const saying = (name: string, status: number, body: object | string): Peer => {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const exchange: Exchange = ({ isStream }) =>
    Promise.resolve({ status: isStream ? 403 : status, body: Readable.from([Buffer.from(text)]) });
  return { name, exchange };
};

const refusing = (status: number, code: string, path?: string) =>
  saying("b", status, { error: { code, message: "m", next: "n", ...(path !== undefined && { path }) } });

async function told(all: readonly Peer[], paths: readonly string[]): Promise<readonly Answered[]> {
  const clock = systemClock();
  const peers = new Peers(all, clock);
  const hub = await serve({ place: { peers, news: new PeerNews(peers, clock) } });
  try {
    return await Promise.all(paths.map((path) => hub.get(path)));
  } finally {
    await hub.stop();
  }
}

const LISTS = ["/v1/approvals?state=pending", "/v1/sessions", "/v1/stats", "/v1/search?text=x", "/v1/rules"];
const fieldOf = ({ body }: Answered, name: string): unknown => (isFields(body) ? body[name] : undefined);

test.each([
  ["a page of a portal", saying("b", 200, "<html>")],
  ["a sign-in of a proxy", saying("b", 302, "")],
  ["a proxy that is busy", saying("b", 429, "slow down")],
  ["a proxy that knows no such page", saying("b", 404, "nginx")],
  ["a wrong host", refusing(403, "FORBIDDEN_HOST", "Host")],
  ["a token that may not vouch", refusing(403, "NOT_ALLOWED", "Signalbox-For")],
  ["a user whom the peer cannot read", refusing(400, "WRONG_SHAPE", "Signalbox-For")],
] as const)(
  "PEERS-TOLD-1, PEERS-2: %s is no answer of the peer: lists name it, and an id may be there",
  async (_, peer) => {
    const [one, ...lists] = await told([peer], ["/v1/approvals/q1", ...LISTS]);
    expect(lists.map((each) => [each.status, fieldOf(each, "partial")])).toEqual(
      lists.map(() => [200, ["b"]]),
    );
    expect([one?.status, one && fieldOf(one, "error")]).toMatchObject([503, { code: "PEER_SILENT" }]);
  },
);

test("PEERS-TOLD-2: a peer that lets the user see nothing has an empty part, and has no such id", async () => {
  const [one, ...lists] = await told(
    [refusing(403, "NOT_ALLOWED", "workspace")],
    ["/v1/approvals/q1", ...LISTS],
  );
  expect(lists.map((each) => [each.status, fieldOf(each, "partial")])).toEqual(
    lists.map(() => [200, undefined]),
  );
  expect(one?.status).toBe(404);
});

test.each([
  ["an unreadable cursor", { items: [APPROVAL], nextCursor: "x" }],
  ["an item without a time", { items: [{ ...APPROVAL, askedAt: "soon" }] }],
  ["more items than a page has", { items: Array.from({ length: 1_001 }, () => APPROVAL) }],
  ["no list", { items: {} }],
] as const)("PEERS-TOLD-2: a peer that gives %s is named, and the others are shown", async (_, body) => {
  const good = saying("a", 200, { items: [APPROVAL] });
  const [list] = await told([saying("b", 200, body), good], ["/v1/approvals?state=pending"]);
  expect(list?.body).toMatchObject({ items: [{ id: "q1", engine: "a" }], partial: ["b"] });
});

test.each([
  ["a proxy's redirect", saying("b", 302, "")],
  ["a refused parameter", refusing(400, "BAD_PARAMETER", "with")],
] as const)("PEERS-FOUND-1: %s of one peer hides no approval of another", async (_, peer) => {
  const [one] = await told([saying("a", 200, APPROVAL), peer], ["/v1/approvals/q1"]);
  expect([one?.status, one && fieldOf(one, "engine")]).toEqual([200, "a"]);
});

test("PEERS-TOLD-1: the trouble of a silent peer says why, without an address", async () => {
  const peers = new Peers([saying("b", 302, "")], systemClock());
  await peers.ask({ method: "GET", path: "/v1/sessions", user: "name=ann&may=view" }, 1_000);
  peers.note("b", false);
  expect(peers.troubles()[0]?.message).toContain("1 of 1 (HTTP 302)");
});
