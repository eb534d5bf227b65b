// HTTP: a team
// Whoever follows hears who looks at an approval now; nothing of that is written.

import { afterEach, beforeEach, expect, it } from "vitest";
import { follow, type Following, type Told } from "../../../support/http/follow.ts";
import { event, serve, type Served, TOKEN } from "../../../support/http/served.ts";
import { LOOKS_FOR_MS } from "../../../../runtime/presence/looking.ts";

const tokenOf = (name: string): string => `the-token-of-${name}`;
const TOKENS = ["ann", "ben"].map((name) => ({ name: `http:${name}`, token: tokenOf(name) }));
const as = (name: string) => ({ Authorization: `Bearer ${tokenOf(name)}` });
const AUTH = { Authorization: `Bearer ${TOKEN}` };

let served: Served;
let open: Following[];
beforeEach(async () => {
  const elsewhere = { parts: new Set(["view"] as const), workspaces: new Set(["other"]) };
  const limited = { name: "http:zoe", token: tokenOf("zoe"), access: elsewhere };
  served = await serve({
    place: { tokens: [...TOKENS, limited, { name: "local:tester", token: TOKEN }] },
  });
  open = [];
  const asked = { approvalId: "a1", toolUseId: "t1", tool: "Bash", input: { command: "make" } };
  await served.post("/v1/events", event("approval.requested", asked));
});
afterEach(async () => {
  for (const each of open) await each.cancel();
  await served.stop();
});

async function listen(query: string, headers: Record<string, string> = AUTH): Promise<Following> {
  const following = await follow(`${served.url}/v1/stream${query}`, headers);
  open.push(following);
  expect((await following.take(1))[0]?.event).toBe("ready");
  return following;
}
const look = (name: string) => served.post("/v1/approvals/a1/looking", {}, as(name));
const leave = (name: string) =>
  fetch(`${served.url}/v1/approvals/a1/looking`, { method: "DELETE", headers: as(name) });
const namesIn = ({ data = "[]" }: Told): readonly string[] =>
  (JSON.parse(data) as readonly { readonly name: string }[]).map(({ name }) => name);
const next = async (following: Following): Promise<readonly string[]> =>
  (await following.take(1)).flatMap(namesIn);

it("FOLLOWERS-5, TEAM-1: who asked for it hears by name who looks, who left, and whose time is over", async () => {
  const stream = await listen("?looking=true");
  expect((await look("ann")).status).toBe(200);
  expect(await next(stream)).toEqual(["http:ann"]);
  await look("ben");
  expect(await next(stream)).toEqual(["http:ann", "http:ben"]);
  expect((await leave("ann")).status).toBe(200);
  expect(await next(stream)).toEqual(["http:ben"]);
  const late = await listen("?looking=true");
  expect(await next(late)).toEqual(["http:ben"]);
  served.clock.advance(LOOKS_FOR_MS);
  const ended = async () => {
    for (;;) {
      const told = await stream.next();
      if (told?.event === "looking") return namesIn(told);
    }
  };
  expect(await ended()).toEqual([]);
});

it("LOOKING-2, FOLLOWERS-5: it moves no place in the log and writes nothing; who did not ask hears nothing of it", async () => {
  const before = served.engine.meta();
  const [plain, asking] = [await listen(""), await listen("?looking=true")];
  await look("ann");
  const [told] = await asking.take(1);
  expect(told).toMatchObject({ event: "looking" });
  expect(told).not.toHaveProperty("id");
  expect(served.engine.meta()).toEqual(before);
  await served.post("/v1/events", event("request.created", { requestId: "r9" }));
  expect((await plain.take(1))[0]?.event).toBe("change");
});

it("LOOKING-4: whoever may not see the workspace neither hears of it nor can say it, and an unknown approval is none", async () => {
  const elsewhere = await listen("?looking=true", as("zoe"));
  await look("ann");
  expect((await look("zoe")).status).toBe(404);
  const named = await served.post("/v1/approvals/a1/looking?workspace=shop", {}, as("zoe"));
  expect(named.status).toBe(403);
  expect((await served.post("/v1/approvals/none/looking", {}, as("ann"))).status).toBe(404);
  await served.post("/v1/events", event("request.created", { requestId: "r9" }, { subject: "other/s" }));
  expect((await elsewhere.take(1))[0]?.event).toBe("change");
});
