// HTTP: on IPv6
// An engine that listens on ::1.

import { describe, expect, it } from "vitest";
import { rawRequest, serve } from "../../../support/http/served.ts";
import { signedIn } from "../../../support/http/signed-in.ts";

type Header = readonly [name: string, value: string];
const ADA = "the-token-of-ada-is-long-enough";
const OWN = "the-machines-own-token-is-long-enough";
const TOKENS = [
  { name: "http:ada", token: ADA },
  { name: "local:root", token: OWN, isNearOnly: true },
];
const bearer = (token: string): Header => ["Authorization", `Bearer ${token}`];

describe("HTTP: on IPv6", () => {
  it("GUARD-1: an engine on ::1 answers to [::1] with its port, and to no other spelling", async () => {
    const six = await serve({ place: { host: "::1", names: ["[::1]"], tokens: TOKENS } });
    try {
      const { port } = six.http;
      expect(six.url).toBe(`http://[::1]:${port}`);
      const ask = async (host: string, ...headers: Header[]) =>
        (await rawRequest(`http://[::1]:${port}`, "GET", "/v1/stats", [["Host", host], ...headers])).status;
      expect(await ask(`[::1]:${port}`, bearer(OWN))).toBe(200);
      expect(await ask(`[::1]:${port}`, bearer(ADA), ["Origin", `http://[::1]:${port}`])).toBe(200);
      expect(await ask(`[::1]:${port}`, bearer(ADA), ["Origin", `http://127.0.0.1:${port}`])).toBe(403);
      for (const host of [
        "[::1]",
        "::1",
        `::1:${port}`,
        `[::1]:${port + 1}`,
        `[::1%lo]:${port}`,
        `[0:0:0:0:0:0:0:1]:${port}`,
        `[::ffff:127.0.0.1]:${port}`,
        `[::]:${port}`,
      ])
        expect([400, 403]).toContain(await ask(host, bearer(ADA)));
      const { host, cookie } = await signedIn(six.url, ADA);
      expect((await rawRequest(six.url, "GET", "/v1/stats", [host, cookie])).status).toBe(200);
    } finally {
      await six.stop();
    }
  });

  it("LISTENING-1: an engine on 127.0.0.1 is the one that answers at [::1], to which browsers go first", async () => {
    const four = await serve({ place: { tokens: TOKENS } });
    try {
      const { port } = four.http;
      const { host, cookie } = await signedIn(four.url, OWN);
      const asked = rawRequest(`http://[::1]:${port}`, "GET", "/v1/stats", [host, cookie]);
      expect((await asked).status).toBe(200);
    } finally {
      await four.stop();
    }
  });
});
