// Named session
// Which session a refused message names, whole, cut or broken.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toId } from "../../../runtime/foreign-id.ts";
import { sessionNamed } from "../../../runtime/rows/named-session.ts";
import { holds } from "../../support/properties/property.ts";

const FILE = "test/runtime/rows/named-session.test.ts";
const named = (body: unknown): string | undefined =>
  sessionNamed(Buffer.from(typeof body === "string" ? body : JSON.stringify(body)));

describe("sessionNamed", () => {
  const cases: readonly (readonly [unknown, string | undefined])[] = [
    [{ specversion: "1.0", subject: "shop/s1", data: {} }, "shop/s1"],
    [{ specversion: "1.0", session_id: "s2", subject: "shop/s1" }, "shop/s1"],
    [{ id: "1", data: { session_id: "s2" }, subject: "shop/s1" }, "shop/s1"],
    [{ specversion: "1.0", subject: "shop", data: { requestId: "r1" } }, "shop/r_r1"],
    [{ specversion: "1.0", subject: "shop/s1/more" }, undefined],
    [{ session_id: "s1", subject: "shop/s2", cwd: "/x" }, "s1"],
    [{ hook: { session_id: "s1" }, answer: {} }, "s1"],
    [{ type: "user", sessionId: "s1" }, "s1"],
    [{ workspace: "shop", run_id: "s1", spec: { kwargs: { session: "s2" } } }, "shop/s1"],
    [{ workspace: "/home/shop", session: "s1" }, "s1"],
    [`{"session_id":"s1","prompt":"it ends in the mid`, "s1"],
    [`{"session_id":"s1",}`, "s1"],
    [`{"a":[{"session_id":"s2"}],"session_id" : "s1"}`, "s1"],
    [`{"a":"\\\\","session_id":"s\\u0031"}`, "s1"],
    [`{"session_id":"s`, undefined],
    [{ session_id: 7 }, undefined],
    [{ session_id: "" }, undefined],
    [[{ session_id: "s1" }], undefined],
    ["session_id: s1", undefined],
    [`]]]"session_id":"s1"`, undefined],
    ["", undefined],
  ];
  test.each(cases)("NAMED-SESSION-1: of %j it is %s", (body, session) => {
    expect(named(body)).toBe(session);
  });

  test("NAMED-SESSION-1: nothing that an agent writes into a tool input names a session", () => {
    holds(FILE, 300, fc.json(), (text) => {
      const input = {
        session_id: "s2",
        subject: "w/s2",
        hook: { session_id: "s2" },
        more: JSON.parse(text) as unknown,
        text,
      };
      expect(named({ tool_input: input, session_id: "s1" })).toBe("s1");
      expect(named({ tool_input: input })).toBeUndefined();
    });
  });

  test("NAMED-SESSION-2: a name that is no id becomes the id under which the doors know the session", () => {
    holds(FILE, 300, fc.string({ minLength: 1, unit: "grapheme" }), (name) => {
      expect(named({ session_id: name })).toBe(toId(name));
    });
    expect(named(`{"session_id":"\\ud800"}`)).toBeUndefined();
  });
});
