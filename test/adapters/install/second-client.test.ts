// Hooks of a second client
// They are put in and taken out as the first client's are: its profile says which, and what stands there for one.

import { describe, expect, it } from "vitest";
import {
  checkClient,
  entryOf,
  hookKinds,
  hooksIn,
  knownEvents,
  withHooks,
  withoutHooks,
} from "../../../adapters/install/index.ts";
import { tiny } from "../../support/clients/tiny.ts";

const MINE = '{\n  "hooks": { "plan": [{ "hooks": [{ "command": "mine" }] }] }\n}\n';
const DATA = "/home/dev/data";
const form = tiny.install;

describe("CLIENTS-1: hooks of a second client", () => {
  it("CLIENTS-1, SETTINGS-2: put in with its own entries, found again, and taken out to the byte", () => {
    const terms = { choice: "permission", closed: "deny", clientName: "tiny" } as const;
    const wanted = hookKinds(form, "permission").map(([event, kind]) => ({
      event,
      entry: entryOf(form, DATA, kind, 7, terms),
    }));
    const text = withHooks(MINE, DATA, wanted);
    expect(hooksIn(text).map(({ event, kind, data }) => [event, kind, data])).toEqual([
      ["plan", "observe", DATA],
      ["may", "gate", DATA],
    ]);
    expect(hooksIn(text).every(({ workspace }) => workspace === undefined)).toBe(true);
    expect(wanted.map(({ entry }) => entry)).toMatchObject([
      { run: "observe", within: 7, command: expect.stringContaining(" permission - tiny 2>") as string },
      { run: "gate", within: 7, command: expect.stringContaining(" --client tiny ") as string },
    ]);
    expect(withHooks(text, DATA, wanted)).toBe(text);
    expect(withoutHooks(text, DATA)).toBe(MINE);
  });

  it("CLIENT-VERSIONS-1: given the events that its version knows, and refused by its own name where it knows too few", () => {
    expect([knownEvents(form, "1.1.0"), knownEvents(form, "1.2.0")]).toEqual([["plan"], ["plan", "may"]]);
    expect(() => checkClient(form, { client: "0.9.0" })).toThrow("Tiny 0.9.0 calls no hook");
  });

  it("SETTINGS-3: a workspace and a version that was named are read again", () => {
    const terms = { choice: "none", closed: "ask", workspace: "shop", namedClient: "1.2.0" } as const;
    for (const kind of ["observe", "gate"] as const) {
      const entry = entryOf(form, DATA, kind, 7, { ...terms, clientName: "tiny" });
      const [found] = hooksIn(withHooks("{}\n", DATA, [{ event: "may", entry }]));
      expect(found).toMatchObject({ kind, workspace: "shop", namedClient: "1.2.0" });
    }
  });
});
