// HTTP: parts
// What each token opens, on a real server, against the table of docs/reference/http.md; and what a refusal says.

import fc from "fast-check";
import { WebSocket } from "ws";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { needsOf } from "../../../../adapters/http/access/parts.ts";
import { type Access, EVERYTHING, type Part, PARTS } from "../../../../runtime/access-token.ts";
import { at, textAt } from "../../../support/engine/json.ts";
import { isOfWholeEngine, partOf } from "../../../support/http/opened.ts";
import { event, rawRequest, serve, type Served } from "../../../support/http/served.ts";
import { signedIn } from "../../../support/http/signed-in.ts";

const NAME = "http:ada";
const TOKEN = "the-token-of-ada-is-long-enough";
const EVE = { name: "http:eve", token: "the-token-of-eve-is-long-enough" };

let served: Served;
beforeAll(async () => {
  served = await serve({ place: { tokens: [{ name: NAME, token: TOKEN }, EVE] } });
});
afterAll(() => served.stop());

const give = (access: Access): void => served.http.admit([{ name: NAME, token: TOKEN, access }, EVE]);
const auth = { Authorization: `Bearer ${TOKEN}` };
const ask = async (route: string) => {
  const [method = "", path = ""] = route.replace(/:\w+/g, "nobody").split(" ");
  const body = method === "POST" ? { body: "{}" } : {};
  const gone = new AbortController();
  const headers = { ...auth, "Content-Type": "application/json" };
  const answer = await fetch(served.url + path, { method, headers, ...body, signal: gone.signal });
  const text = path === "/v1/stream" && answer.ok ? "" : await answer.text();
  gone.abort();
  const isJson = answer.headers.get("content-type")?.startsWith("application/json") ?? false;
  const code = isJson && text !== "" ? textAt(JSON.parse(text), "error", "code") : undefined;
  return { status: answer.status, code, text };
};

const grants = fc.record({
  parts: fc.subarray([...PARTS]),
  workspaces: fc.option(fc.uniqueArray(fc.constantFrom("shop", "web", "lab"), { minLength: 1 }), {
    nil: undefined,
  }),
});
const accessOf = ({
  parts,
  workspaces,
}: {
  parts: readonly Part[];
  workspaces: readonly string[] | undefined;
}): Access => ({
  parts: new Set(parts),
  ...(workspaces && { workspaces: new Set(workspaces) }),
});

describe("HTTP: the parts of a token", () => {
  it("PARTS-1: every route has its part in the table, and it is the one that docs/reference/http.md says", () => {
    expect(served.http.routes.length).toBeGreaterThan(50);
    for (const route of served.http.routes) {
      expect([route, needsOf(route)?.part]).toEqual([route, partOf(route)]);
      expect([route, needsOf(route)?.about === "the engine"]).toEqual([route, isOfWholeEngine(route)]);
      expect([route, needsOf(route) === undefined]).toEqual([route, false]);
    }
    expect(needsOf("GET /v1/unheard-of")).toBeUndefined();
  });

  it("PARTS-1, PARTS-2: whatever a token is given, it opens exactly the routes that the table says", () =>
    fc.assert(
      fc.asyncProperty(grants, async (grant) => {
        give(accessOf(grant));
        for (const route of served.http.routes) {
          const part = partOf(route);
          const isAllowed =
            (part === undefined || grant.parts.includes(part)) &&
            (grant.workspaces === undefined || !isOfWholeEngine(route));
          const { status, code } = await ask(route);
          const isRefused = status === 403 && code === "NOT_ALLOWED";
          expect([route, grant, isRefused]).toEqual([route, grant, !isAllowed]);
          expect([route, status]).not.toEqual([route, 401]);
        }
      }),
      { numRuns: 12 },
    ));

  it("PARTS-1: a refusal names the part, and how it is given", async () => {
    give({ parts: new Set(["view"]) });
    const { status, text } = await ask("POST /v1/rules");
    expect(status).toBe(403);
    expect(JSON.parse(text)).toMatchObject({
      error: { code: "NOT_ALLOWED", message: "This token may not manage.", path: "Authorization" },
    });
    expect(text).toMatch(/npx signalbox token add NAME` with --may …,manage/);
  });

  it("PARTS-1: the cookie of a browser opens what its token opens, and the panel is told what that is", async () => {
    give({ parts: new Set(["view"]), workspaces: new Set(["web", "shop"]) });
    const { host, cookie, origin } = await signedIn(served.url, TOKEN);
    const headers = { Host: host[1], Cookie: cookie[1], Origin: origin, "Content-Type": "application/json" };
    const by = (method: string, path: string) =>
      rawRequest(served.url, method, path, Object.entries(headers), method === "POST" ? "{}" : "");
    const me = await by("GET", "/v1/me");
    expect(JSON.parse(me.text)).toEqual({ name: NAME, parts: ["view"], workspaces: ["shop", "web"] });
    expect((await by("GET", "/v1/sessions")).status).toBe(200);
    expect((await by("POST", "/v1/approvals/q1/decision")).status).toBe(403);
    give(EVERYTHING);
    expect(JSON.parse((await by("GET", "/v1/me")).text)).toEqual({ name: NAME, parts: PARTS });
    expect((await by("POST", "/v1/approvals/q1/decision")).status).toBe(404);
  });

  it("PARTS-2: the inspector's address opens nothing for a token that may not manage, nor once it may not any more", async () => {
    give(EVERYTHING);
    const { body } = await served.get("/v1/inspect", auth);
    const tried = () =>
      new Promise<string>((resolve) => {
        const socket = new WebSocket(textAt(body, "url") ?? "");
        socket.once("open", () => {
          socket.terminate();
          resolve("open");
        });
        socket.once("error", ({ message }) => resolve(message));
      });
    expect(await tried()).toBe("open");
    for (const access of [
      { parts: new Set(["view"] as const) },
      { ...EVERYTHING, workspaces: new Set(["shop"]) },
    ]) {
      give(access);
      expect(await tried()).toContain("403");
    }
  });

  it("HOLDERS-6: a stream ends when its holder may not view any more, and goes on with what is left of it", async () => {
    give(EVERYTHING);
    const open = await fetch(`${served.url}/v1/stream`, { headers: auth });
    const reader = open.body?.getReader();
    await reader?.read();
    give({ parts: new Set(["emit"]) });
    expect((await reader?.read())?.done).toBe(true);
    expect((await ask("GET /v1/stream")).status).toBe(403);
    const sent = await served.post("/v1/events", event("session.started", {}), auth);
    expect(at(sent.body, "outcome")).toBe("applied");
  });
});
