// Outlet contract
// What every implementation of the port Outlet does.
//
//   Owns:          what the other side knows after publishing.
//   Does not own:  order and retries, which are the engine's.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { OutgoingChange, Outlet } from "../../../runtime/ports.ts";

const change = (session: string, version: number, n = version): OutgoingChange => ({
  n,
  messageId: `w/${session}:${version}`,
  subject: `signalbox.v1.state.w.${session}.session.${session}.running`,
  about: { workspace: "w", sessionId: session, entity: "session", to: "running" },
  body: JSON.stringify({ version }),
});

export function outletContract(name: string, newOutlet: () => Promise<Outlet>): void {
  describe(`${name} outlet`, () => {
    let outlet: Outlet;

    beforeEach(async () => {
      outlet = await newOutlet();
    });
    afterEach(() => outlet.close());

    it("G4: a session nobody published has version 0", async () => {
      expect(await outlet.lastVersion("w", "s1")).toBe(0);
    });

    it("G4: once publishing resolved, the other side has that version of that session", async () => {
      await outlet.publish(change("s1", 1));
      await outlet.publish(change("s2", 1, 2));
      await outlet.publish(change("s1", 2, 3));
      expect(await outlet.lastVersion("w", "s1")).toBe(2);
      expect(await outlet.lastVersion("w", "s2")).toBe(1);
      expect(await outlet.lastVersion("other", "s1")).toBe(0);
    });

    it("G4: going back and publishing again leaves the highest version the last one", async () => {
      for (const version of [1, 2, 3, 2, 3]) await outlet.publish(change("s1", version));
      expect(await outlet.lastVersion("w", "s1")).toBe(3);
      await outlet.publish(change("s1", 1));
      expect(await outlet.lastVersion("w", "s1")).toBe(3);
    });

    it("OUTLET-PUBLISHER-5: the versions of a log that was begun anew are counted apart", async () => {
      for (const version of [1, 2, 3]) await outlet.publish(change("s1", version));
      expect(await outlet.lastVersion("w", "s1", "anew.1")).toBe(0);
      const first = change("s1", 1, 4);
      await outlet.publish({ ...first, log: "anew.1", messageId: `anew.1/${first.messageId}` });
      expect(await outlet.lastVersion("w", "s1", "anew.1")).toBe(1);
    });

    it("ROWS-DEAD-LETTERS-1: dead letters and notices are taken, the same one twice too", async () => {
      const letter = {
        n: 1,
        messageId: "dead:contract:1",
        subject: "signalbox.v1.dlq.not-json",
        headers: { "Signalbox-Code": "NOT_JSON" },
        body: "{}",
      };
      await outlet.publishLetter?.(letter);
      await outlet.publishLetter?.(letter);
      await outlet.notify?.({ subject: "signalbox.v1.notice.recovered", body: "{}" });
      expect(await outlet.lastVersion("w", "s1")).toBe(0);
    });

    it("G4: a closed outlet says so instead of taking a change", async () => {
      await outlet.close();
      await expect(outlet.publish(change("s1", 1))).rejects.toThrow();
    });
  });
}
