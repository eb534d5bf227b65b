// HTTP: browsers
// What each browser keeps, whom it stands for, and when that ends: held against a small model.

import { expect, test } from "vitest";
import { Browsers } from "../../../../adapters/http/access/browsers.ts";
import type { Holder } from "../../../../adapters/http/access/holders.ts";
import { SignInAttempts } from "../../../../adapters/http/access/sign-in-attempts.ts";
import { EVERYTHING } from "../../../../runtime/access-token.ts";
import { ManualClock } from "../../../support/engine/manual-clock.ts";

const holder = (name: string): Holder => ({
  ...{ name, isNearOnly: false, access: EVERYTHING, ticket: `the ticket of ${name}` },
  ...{ panel: "", gone: new AbortController().signal },
});

test("BROWSERS-1, BROWSERS-2: each sign-in has a cookie and a ticket of its own, and only its own ends", () => {
  const browsers = new Browsers(new ManualClock(0));
  const ada = holder("http:ada");
  const cookies = [1, 2, 3].map(() => browsers.signIn(ada.name, () => ada));
  const found = cookies.map((cookie) => browsers.byCookie(cookie));
  expect(found.map((each) => each?.name)).toEqual(Array(3).fill("http:ada"));
  const tickets = found.map((each) => each?.ticket ?? "");
  expect(new Set([...cookies, ...tickets, ada.ticket]).size).toBe(7);
  expect(browsers.signOut(cookies[1] ?? "")).toBe(true);
  expect(browsers.signOut(cookies[1] ?? "")).toBe(false);
  expect(found.map((each) => each?.gone.aborted)).toEqual([false, true, false]);
  expect(cookies.map((cookie) => browsers.byCookie(cookie) !== undefined)).toEqual([true, false, true]);
  expect(tickets.map((ticket) => browsers.byTicket(ticket) !== undefined)).toEqual([true, false, true]);
  for (const nobodys of ["", "x", ...tickets]) expect(browsers.byCookie(nobodys)).toBeUndefined();
  for (const nobodys of ["", "x", ...cookies]) expect(browsers.byTicket(nobodys)).toBeUndefined();
});

test("BROWSERS-3: a browser stands for its person as they are now, and for nobody once they are let in no more", () => {
  const browsers = new Browsers(new ManualClock(0));
  let now: Holder | undefined = holder("http:ada");
  const cookie = browsers.signIn("http:ada", () => now);
  const before = browsers.byCookie(cookie);
  expect(browsers.byCookie(cookie)).toBe(before);
  now = { ...holder("http:ada"), access: { parts: new Set(["view"]) } };
  expect(browsers.byCookie(cookie)?.access.parts.size).toBe(1);
  now = undefined;
  browsers.review();
  expect([before?.gone.aborted, browsers.byCookie(cookie)]).toEqual([true, undefined]);
});

test("BROWSERS-3: an end comes by either clock: the timer's, or the wall's after a sleep", () => {
  const clock = new ManualClock(1_000);
  const browsers = new Browsers(clock);
  const ada = holder("http:ada");
  const [timed, slept] = [
    browsers.signIn(ada.name, () => ada, 500),
    browsers.signIn(ada.name, () => ada, 10_000),
  ];
  const found = browsers.byCookie(timed);
  clock.advance(499);
  expect(found?.gone.aborted).toBe(false);
  clock.advance(1);
  expect([found?.gone.aborted, browsers.byCookie(timed)]).toEqual([true, undefined]);
  clock.stepWall(20_000);
  expect(browsers.byCookie(slept)).toBeUndefined();
});

test("BROWSERS-4: one person has 64 browsers, the first gives way; another's stay", () => {
  const browsers = new Browsers(new ManualClock(0));
  const [ada, bo] = [holder("http:ada"), holder("http:bo")];
  const bos = browsers.signIn(bo.name, () => bo);
  const cookies = Array.from({ length: 66 }, () => browsers.signIn(ada.name, () => ada));
  const isIn = cookies.map((cookie) => browsers.byCookie(cookie) !== undefined);
  expect(isIn).toEqual([false, false, ...Array<boolean>(64).fill(true)]);
  expect(browsers.byCookie(bos)?.name).toBe("http:bo");
  browsers.close();
  expect(browsers.byCookie(bos)).toBeUndefined();
});

test("SIGN-IN-ATTEMPTS-2: what others begin, or end, takes nobody's attempt away, and another start opens none", () => {
  const clock = new ManualClock(0);
  const attempts = new SignInAttempts(clock);
  const attempt = (state: string) => ({ state, nonce: "n", verifier: "v", redirect: "https://box/back" });
  const mine = attempts.seal(attempt("mine"));
  for (let n = 0; n < 11_000; n += 1)
    expect(attempts.use(attempts.seal(attempt(`s${n}`)), "https://box/back", `s${n}`)?.state).toBe(`s${n}`);
  expect(new SignInAttempts(clock).use(mine, "https://box/back", "mine")).toBeUndefined();
  expect(attempts.use(mine, "https://other/back", "mine")).toBeUndefined();
  expect(attempts.use(attempts.sealWords("mine"), "https://box/back", "mine")).toBeUndefined();
  expect(attempts.use(mine, "https://box/back", "mine")).toEqual(attempt("mine"));
  expect(attempts.use(mine, "https://box/back", "mine")).toBeUndefined();
});
