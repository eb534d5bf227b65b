// HTTP: sign-in links
// Whose codes a new code may replace.

import { expect, test } from "vitest";
import { Holders } from "../../../../adapters/http/access/holders.ts";
import { SignInLinks } from "../../../../adapters/http/access/sign-in-links.ts";
import { ManualClock } from "../../../support/engine/manual-clock.ts";

test("SIGN-IN-LINKS-3: a holder who makes many links replaces their own, and nobody else's", () => {
  const holders = new Holders([
    { name: "http:boss", token: "the-token-of-boss-is-long-enough" },
    { name: "http:guest", token: "the-token-of-guest-is-long-enough" },
    { name: "http:guest", token: "another-token-of-guest-is-long-enough" },
  ]);
  const links = new SignInLinks(new ManualClock());
  const make = (name: string): string => links.make(holders.by("token", `${name}-is-long-enough`)).code;
  const boss = make("the-token-of-boss");
  const guest = Array.from({ length: 200 }, (_, n) =>
    make(n % 2 === 0 ? "the-token-of-guest" : "another-token-of-guest"),
  );
  expect(links.use(boss)?.name).toBe("http:boss");
  expect(guest.flatMap((code, n) => (links.use(code) ? [n] : []))).toEqual(
    Array.from({ length: 16 }, (_, n) => 184 + n),
  );
});
