// Journal
// Which journal `up` chooses, and what it says about it.

import { describe, expect, it } from "vitest";
import { choose, privateLine, type Wish } from "../../../../adapters/cli/journal/choose.ts";
import { shownAddress } from "../../../../adapters/nats/address.ts";

const PROGRAM = { path: "/usr/sbin/nats-server", version: "2.9.10" };
const NEW: Wish = {
  nats: "auto",
  url: undefined,
  from: { nats: "--nats", url: "SIGNALBOX_NATS_URL" },
  adopts: false,
  shares: false,
  binding: undefined,
  program: undefined,
  shownAddress,
};
const REMOTE = { kind: "server", at: "nats://nats.example:4222" } as const;
const URL_ = "nats://ann:secret@nats.example:4222";

const chosen = (wish: Partial<Wish>): string => choose({ ...NEW, ...wish }).kind;

describe("CHOOSE-1: which journal", () => {
  it.each([
    ["a new folder: the server that is named", { url: URL_, program: PROGRAM }, "server"],
    ["a new folder: else a private one", { program: PROGRAM }, "private"],
    ["a new folder: else the built-in one", {}, "embedded"],
    [
      "a folder with the built-in journal keeps it",
      { binding: { kind: "embedded" }, url: URL_, program: PROGRAM },
      "embedded",
    ],
    [
      "a private one is gone on with, whatever is named",
      { binding: { kind: "private" }, url: URL_, program: PROGRAM },
      "private",
    ],
    ["another server is gone on with", { binding: REMOTE, url: URL_, program: PROGRAM }, "server"],
    [
      "what is adopted is chosen as for a new one",
      { binding: { kind: "embedded" }, adopts: true, program: PROGRAM },
      "private",
    ],
    [
      "a private one is gone on with, too, where it lacks something",
      { binding: { kind: "private" }, adopts: true, url: URL_, program: PROGRAM },
      "private",
    ],
    [
      "a private one that cannot be had is left",
      { binding: { kind: "private" }, adopts: true, url: URL_ },
      "server",
    ],
    ["off is off", { nats: "off", url: URL_, program: PROGRAM }, "embedded"],
    ["an address wins over the variable", { nats: "nats://a:1", url: URL_, program: PROGRAM }, "server"],
  ] as const)("CHOOSE-1: %s", (_, wish, kind) => {
    expect(chosen(wish)).toBe(kind);
  });

  it("CHOOSE-1: an engine that shares its journal is not told how to do without", () => {
    const line = (shares: boolean) => {
      const choice = choose({ ...NEW, nats: URL_, shares });
      return "line" in choice ? choice.line : "";
    };
    expect(line(true)).toBe("The journal is the NATS server at nats://nats.example:4222 (--nats).");
    expect(line(false)).toContain("To do without");
  });

  it("CHOOSE-1: a journal that is no longer available is reported, with both ways out", () => {
    for (const [binding, way] of [
      [{ kind: "private" }, /nats-server/],
      [REMOTE, /SIGNALBOX_NATS_URL/],
    ] as const) {
      expect(() => choose({ ...NEW, binding })).toThrow(
        expect.objectContaining({
          message: expect.stringMatching(way) as string,
          next: expect.stringContaining("--nats off --adopt-journal") as string,
        }) as Error,
      );
    }
  });

  it.each(["on", "http://h:1", "", "nats://", "nats://a:4222,b"])("CHOOSE-1: %j is no address", (nats) => {
    expect(() => choose({ ...NEW, nats })).toThrow(
      expect.objectContaining({ exitCode: 2, next: expect.stringContaining("nats://") as string }) as Error,
    );
  });

  it("CHOOSE-1: the line names the journal, the reason, and how to get the other; it holds no secret", () => {
    const lines = [
      choose({ ...NEW }),
      choose({ ...NEW, nats: "off" }),
      choose({ ...NEW, binding: { kind: "embedded" } }),
      choose({ ...NEW, url: URL_ }),
      choose({ ...NEW, nats: URL_ }),
    ].map((choice) => ("line" in choice ? choice.line : ""));
    lines.push(privateLine(PROGRAM, 4281, ""));
    for (const line of lines) {
      expect(line).not.toContain("\n");
      if (line.includes("--adopt-journal")) expect(line).toMatch(/stop the engine, then npx signalbox up /);
      expect(line).not.toContain("secret");
    }
    const [none, off, bound, named, given, ours] = lines;
    expect(none).toMatch(/built-in.*no nats-server.*install nats-server.*--adopt-journal/);
    expect(off).toMatch(/built-in.*--nats off/);
    expect(bound).toMatch(/built-in.*this folder.*--adopt-journal/);
    expect(named).toMatch(/nats:\/\/nats\.example:4222 \(SIGNALBOX_NATS_URL\).*--nats off/);
    expect(given).toMatch(/nats:\/\/nats\.example:4222 \(--nats\).*--nats off/);
    expect(ours).toMatch(/private.*4281.*2\.9\.10.*--nats off/);
  });
});

describe("addresses that may be shown", () => {
  it.each([
    ["nats://host:4222", "nats://host:4222"],
    ["nats://t0ken@host:4222", "nats://host:4222"],
    ["nats://ann:pass@a:1, tls://ann:pass@b:2", "nats://a:1,tls://b:2"],
    ["127.0.0.1:4222", "nats://127.0.0.1:4222"],
    ["nats://[::1]:4222", "nats://[::1]:4222"],
  ])("PREPARE-1: %s", (url, shown) => {
    expect(shownAddress(url)).toBe(shown);
  });
});
