// What is removed from the log: by whom it can be asked for, and that the log records exactly as much as is gone.

import { describe, expect, test } from "vitest";
import { NO_OPENING } from "../../../runtime/audit/entry.ts";
import { verifyLog } from "../../../runtime/audit/verify-log.ts";
import { ForgetDoor } from "../../../runtime/door/forget-door.ts";
import { Door } from "../../../runtime/door/door.ts";
import { clients } from "../../../adapters/composition/clients.ts";
import { CountedIds } from "../../support/engine/counted-ids.ts";
import { Rig } from "../../support/engine/rig.ts";
import { refused } from "../../support/engine/refusal.ts";
import { AuditRows, SIGNER } from "../../support/tlog/audit-rows.ts";
import { Killed, MemoryLog } from "../../support/tlog/memory-log.ts";

const of =
  (...sessions: readonly string[]) =>
  ({ sessionId = "" }: { readonly sessionId?: string }): boolean =>
    sessions.includes(sessionId);
const verified = (files: MemoryLog) => verifyLog(files.kept(), { verifier: SIGNER });

/** What somebody else does: the next opening of these sessions is gone. */
function blank(files: MemoryLog, session: string): void {
  const lines = files.files.get("openings/000")?.toString().split("\n") ?? [];
  const at = lines.findIndex((line) => line.includes(`"sessionId":"${session}"`));
  expect(at).toBeGreaterThan(-1);
  files.files.set("openings/000", Buffer.from(lines.with(at, NO_OPENING).join("\n")));
}

/** A log of 30 rows, ten of each session, whose last removal was recorded, and was killed before it removed anything. */
async function killedLog() {
  const [rows, files] = [new AuditRows(), new MemoryLog()];
  rows.add(30);
  await rows.log(files).catchUp();
  const write = files.write.bind(files);
  files.write = (path, content) =>
    path.startsWith("openings/") ? Promise.reject(new Killed()) : write(path, content);
  await expect(rows.log(files).erase(of("s1"))).rejects.toThrow(Killed);
  files.write = write;
  return { rows, files };
}

describe("removing from the audit log", () => {
  test("AUDIT-LOG-5, VERIFY-LOG-3: what a crash left is not recorded twice, so one more opening that is gone is found", async () => {
    const { rows, files } = await killedLog();
    expect(verified(files)).toMatchObject({ removed: 0, wrong: [] });
    expect(await rows.log(files).erase(of("s1"))).toBe(10);
    expect(verified(files)).toMatchObject({ removed: 10, wrong: [] });
    blank(files, "s2");
    expect(verified(files)).toMatchObject({ removed: 11, wrong: [{ place: "openings" }] });
  });

  test("AUDIT-LOG-5: another removal after the crash records only what is not recorded yet", async () => {
    const { rows, files } = await killedLog();
    expect(await rows.log(files).erase(of("s0", "s1"))).toBe(20);
    expect(verified(files)).toMatchObject({ removed: 20, wrong: [] });
    blank(files, "s2");
    expect(verified(files).wrong).toMatchObject([{ place: "openings" }]);
  });

  test("VERIFY-LOG-3: a removal does not cover up that somebody else removed an opening before", async () => {
    const [rows, files] = [new AuditRows(), new MemoryLog()];
    rows.add(30);
    await rows.log(files).catchUp();
    blank(files, "s2");
    expect(await rows.log(files).erase(of("s1"))).toBe(10);
    expect(verified(files)).toMatchObject({ removed: 11, wrong: [{ place: "openings" }] });
  });

  test("FORGET-DOOR-6, FORGET-DOOR-4: a session that only the audit log still has can be forgotten in its workspace", async () => {
    const [rows, files, rig] = [new AuditRows(), new MemoryLog(), await Rig.start()];
    rows.add(30);
    const { engine, clock } = rig;
    const door = new Door({ engine, clock, ids: new CountedIds(), clients });
    const blobs = { dropUnnamed: () => Promise.resolve(0) };
    const forgetting = new ForgetDoor({ engine, door, blobs, audit: rows.log(files) });
    const forget = (workspace: object, more: object = {}) =>
      forgetting.forget("s1", Buffer.from(JSON.stringify({ ...workspace, ...more })), {
        door: "test",
        by: "ann",
      });
    expect(await forget({ workspace: "w" }, { check: true })).toMatchObject({ openings: 10, more: false });
    for (const other of [{}, { workspace: "other" }]) expect(await refused(forget(other))).toBe("NOT_FOUND");
    expect(verified(files).removed).toBe(0);
    expect(await forget({ workspace: "w" })).toMatchObject({ actors: 0, openings: 10, more: false });
    expect(verified(files)).toMatchObject({ removed: 10, wrong: [] });
    expect(await refused(forget({ workspace: "w" }))).toBe("NOT_FOUND");
    await engine.stop();
  });
});
