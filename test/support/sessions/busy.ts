// Busy
// A session in which much of what there is happens.
//
//   Owns:          what it is told.
//   Does not own:  what comes of it.

import type { ApprovalId, SessionId } from "../../../machines/index.ts";
import { type Rig, WORKSPACE } from "../engine/rig.ts";
import { call, said } from "./said.ts";

/** A denied question, a call, a letter, a message under a key, one that waits for its number. */
export async function busy(rig: Rig, session: string): Promise<void> {
  await rig.tell(session, said.prompt(`${session}-p`));
  for (const id of ["c1", "c2", "c3"]) await rig.tell(session, said.announced(call(`${session}-${id}`)));
  await rig.tell(session, said.ask(`${session}-a`, call(`${session}-c1`)));
  const deny = {
    type: "decision",
    approvalId: `${session}-a` as ApprovalId,
    decision: "deny",
    by: "me",
  } as const;
  await rig.engine.own(WORKSPACE, session as SessionId, deny);
  await (
    await rig.submit(session, [], { type: "test.refused" })
  ).settled;
  await (
    await rig.submit(session, [said.completed("unknown")], { key: `key-${session}` })
  ).settled;
  await (
    await rig.submit(session, [said.pre(call(`${session}-late`))], { source: "numbered", sequence: 3 })
  ).settled;
}
