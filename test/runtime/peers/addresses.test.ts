// Addresses
// One peer at several addresses, some of which are dead, hang, or belong to a spare.

import { Readable } from "node:stream";
import { beforeEach, expect, it } from "vitest";
import type { EngineRequest, Exchange } from "../../../runtime/line/exchange.ts";
import { textOf } from "../../../runtime/line/exchange.ts";
import { anyOf } from "../../../runtime/peers/addresses.ts";
import { LIST_MS } from "../../../runtime/peers/peers.ts";
import { ManualClock } from "../../support/engine/manual-clock.ts";

let clock: ManualClock;
/** Which address got which request. */
let got: string[];
beforeEach(() => {
  clock = new ManualClock();
  got = [];
});

type Reply = (request: EngineRequest) => number | "dead" | "hangs";

/** An address with its name in each answer. */
const at =
  (name: string, reply: Reply): Exchange =>
  (request) => {
    got.push(`${name} ${request.method} ${request.path}`);
    const status = reply(request);
    if (status === "dead") return Promise.reject(new Error("ECONNREFUSED"));
    if (status !== "hangs") return Promise.resolve({ status, body: Readable.from([Buffer.from(name)]) });
    return new Promise((_, reject) =>
      request.signal?.addEventListener("abort", () => {
        got.push(`${name} ended`);
        reject(new Error("late"));
      }),
    );
  };

const spare: Reply = ({ method, path }) => (method === "GET" && path !== "/readyz" ? 200 : 503);

const LIST: EngineRequest = { method: "GET", path: "/v1/approvals" };
const DECISION: EngineRequest = { method: "POST", path: "/v1/approvals/q/decision" };

/** What comes before that time is over. */
async function within(ms: number, exchange: Exchange, request: EngineRequest): Promise<string> {
  const late = new AbortController();
  const answered = exchange({ ...request, signal: late.signal }).then(
    async (answer) => `${answer.status} ${await textOf(answer)}`,
    () => "nobody",
  );
  for (let passed = 0; passed < ms; passed += 1) {
    clock.advance(1);
    await new Promise(setImmediate);
  }
  late.abort();
  return answered;
}

it.each(["dead", "hangs", 503, 401, 429, 302] as const)(
  "PEERS-ADDRESSES-1: while the first address is %s, a list comes in time from the next, which is then asked first",
  async (state) => {
    const exchange = anyOf(
      [at("first", () => state), at("second", () => state), at("third", () => 200)],
      clock,
    );
    expect(await within(LIST_MS, exchange, LIST)).toBe("200 third");
    got = [];
    expect(await within(LIST_MS, exchange, LIST)).toBe("200 third");
    expect(got).toEqual(["third GET /v1/approvals"]);
  },
);

it("PEERS-ADDRESSES-1: a spare's answer to a read counts, and the owner is not asked", async () => {
  const exchange = anyOf([at("spare", spare), at("owner", () => 200)], clock);
  expect(await within(LIST_MS, exchange, LIST)).toBe("200 spare");
  expect(got).toEqual(["spare GET /v1/approvals"]);
});

it("PEERS-ADDRESSES-1: a request that lost is ended", async () => {
  const exchange = anyOf([at("slow", () => "hangs"), at("quick", () => 404)], clock);
  expect(await within(LIST_MS, exchange, LIST)).toBe("404 quick");
  expect(got).toEqual(["slow GET /v1/approvals", "quick GET /v1/approvals", "slow ended"]);
});

it("PEERS-ADDRESSES-1: if no address answers, nobody does, once the time is over", async () => {
  const exchange = anyOf([at("first", () => "hangs"), at("second", () => "dead")], clock);
  expect(await within(LIST_MS, exchange, LIST)).toBe("nobody");
});

it.each(["dead", "hangs", "spare"] as const)(
  "PEERS-ADDRESSES-2: while the first address is %s, a decision is sent once, to the owner",
  async (state) => {
    const first = at("first", (request) => (state === "spare" ? spare(request) : state));
    const exchange = anyOf([first, at("owner", () => 200)], clock);
    expect(await within(LIST_MS, exchange, DECISION)).toBe("200 owner");
    expect(got.filter((each) => each.includes("POST"))).toEqual([`owner POST ${DECISION.path}`]);
  },
);

it.each(["dead", "hangs"] as const)(
  "PEERS-ADDRESSES-2: if the owner is %s, a decision is sent once, to the spare",
  async (state) => {
    const taking: Reply = (request) => (request.path === "/readyz" ? 503 : 200);
    const exchange = anyOf([at("owner", () => state), at("spare", taking)], clock);
    expect(await within(2_000, exchange, DECISION)).toBe("200 spare");
    expect(got.filter((each) => each.includes("POST"))).toEqual([`spare POST ${DECISION.path}`]);
  },
);

it("PEERS-ADDRESSES-2: a decision that fails after it was sent is not sent again", async () => {
  const breaking: Reply = ({ method }) => (method === "POST" ? "dead" : 200);
  const exchange = anyOf([at("first", breaking), at("second", () => 200)], clock);
  expect(await within(LIST_MS, exchange, DECISION)).toBe("nobody");
  expect(got).toEqual(["first GET /readyz", `first POST ${DECISION.path}`]);
});
