// Outlet contract
// The requirements of the port Outlet.
//
//   Owns:          what an outlet's receiver must have got once `publish` has resolved.
//   Does not own:  the order of publishing, and retries (the engine).

import assert from "node:assert/strict";
import { checkOptions } from "../errors/given-options.ts";
import type { OutgoingChange, Outlet } from "../ports.ts";
import { subjects } from "../rows/subjects.ts";
import { casesOf, claimsAbout, type ContractCase } from "./contract-case.ts";

export interface OutletContract {
  /** Makes an outlet to a new receiver that has got nothing yet. Called for each case; the case closes the outlet. */
  readonly make: () => Outlet | Promise<Outlet>;
}

const change = (session: string, version: number, n = version): OutgoingChange => ({
  n,
  messageId: `w/${session}:${version}`,
  subject: subjects.stateFilter({
    workspace: "w",
    session,
    entity: "session",
    id: session,
    state: "running",
  }),
  about: { workspace: "w", sessionId: session, entity: "session", to: "running" },
  body: JSON.stringify({ version }),
});

const test = claimsAbout<Outlet>();

const CLAIMS = [
  test("G4: a session nobody published has version 0", async (outlet) => {
    assert.equal(await outlet.lastVersion("w", "s1"), 0);
  }),

  test("G4: once publishing resolved, the other side has that version of that session", async (outlet) => {
    await outlet.publish(change("s1", 1));
    await outlet.publish(change("s2", 1, 2));
    await outlet.publish(change("s1", 2, 3));
    assert.equal(await outlet.lastVersion("w", "s1"), 2);
    assert.equal(await outlet.lastVersion("w", "s2"), 1);
    assert.equal(await outlet.lastVersion("other", "s1"), 0);
  }),

  test("G4: going back and publishing again leaves the highest version the last one", async (outlet) => {
    for (const version of [1, 2, 3, 2, 3]) await outlet.publish(change("s1", version));
    assert.equal(await outlet.lastVersion("w", "s1"), 3);
    await outlet.publish(change("s1", 1));
    assert.equal(await outlet.lastVersion("w", "s1"), 3);
  }),

  test("OUTLET-PUBLISHER-5: the versions of a log that was begun again are counted separately", async (outlet) => {
    for (const version of [1, 2, 3]) await outlet.publish(change("s1", version));
    assert.equal(await outlet.lastVersion("w", "s1", "anew.1"), 0);
    const first = change("s1", 1, 4);
    await outlet.publish({ ...first, log: "anew.1", messageId: `anew.1/${first.messageId}` });
    assert.equal(await outlet.lastVersion("w", "s1", "anew.1"), 1);
  }),

  test("ROWS-DEAD-LETTERS-1: dead letters and notices are taken, the same one twice too", async (outlet) => {
    const letter = {
      n: 1,
      messageId: "dead:contract:1",
      subject: subjects.deadLetter("NOT_JSON"),
      headers: { "Signalbox-Code": "NOT_JSON" },
      body: "{}",
    };
    await outlet.publishLetter?.(letter);
    await outlet.publishLetter?.(letter);
    await outlet.notify?.({ subject: subjects.recovered, body: "{}" });
    assert.equal(await outlet.lastVersion("w", "s1"), 0);
  }),

  test("G4: a closed outlet says so instead of taking a change", async (outlet) => {
    await outlet.close();
    await assert.rejects(outlet.publish(change("s1", 1)));
  }),
];

/** The claims that every outlet must meet, each as a case for a test runner. @throws RefusedError BAD_OPTION */
export function outletContract(options: OutletContract): readonly ContractCase[] {
  checkOptions("outletContract", options, { make: "a function!" });
  return casesOf(CLAIMS, {
    make: async () => options.make(),
    begin: () => Promise.resolve(),
    end: (outlet) => outlet.close(),
  });
}
