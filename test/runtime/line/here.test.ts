// Here
// Which names and numbers mean this machine, beside Node's own word on what is a number.

import { isIPv4 } from "node:net";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isHere, isUnread } from "../../../runtime/line/here.ts";

describe("addresses of this machine", () => {
  it.each(["localhost", "LOCALHOST", "127.0.0.1", "127.255.0.9", "::1", "[::1]"])(
    "HERE-1: %s is here",
    (host) => expect(isHere(host)).toBe(true),
  );

  it.each(["", "localhost.example", "127.0.0.1.example", "127.0.0", "127.0.0.256", "0.0.0.0", "::", "[::2]"])(
    "HERE-1: “%s” is not, whatever a name server says",
    (host) => expect(isHere(host)).toBe(false),
  );

  it("HERE-1: of all that looks like a number exactly the addresses of 127/8 are here", () => {
    const part = fc.oneof(
      fc.integer({ min: 0, max: 300 }).map(String),
      fc.constantFrom("00", "01", "", "1e1"),
    );
    fc.assert(
      fc.property(fc.array(part, { minLength: 2, maxLength: 4 }), (parts) => {
        const host = ["127", ...parts].join(".");
        expect(isHere(host)).toBe(isIPv4(host));
      }),
    );
  });

  it.each([
    ["https://idp.example", true],
    ["http://idp.example", false],
    ["http://[::1]:9000", true],
    ["ftp://localhost", false],
  ])("HERE-1: what is asked at %s can be read on the way by nobody: %s", (address, wanted) =>
    expect(isUnread(new URL(address))).toBe(wanted),
  );
});
