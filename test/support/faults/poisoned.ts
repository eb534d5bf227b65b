// Poisoned
// Entries that an engine takes for poison, and what tests say in them.
//
//   Owns:          putting such an entry in the journal; the approvals and decisions around it.
//   Does not own:  real processes (poison-child).

import type { Reply } from "../../../runtime/turn/turn-result.ts";
import { MemoryJournal } from "../../../adapters/memory/index.ts";
import type { ApprovalId, SessionId, SourceInput } from "../../../machines/index.ts";
import { toolInput } from "../../../runtime/canonical.ts";
import type { OwnMessage, SourceMessage } from "../../../runtime/message.ts";
import { Rig, type RigOptions, WORKSPACE } from "../engine/rig.ts";
import { call, said } from "../sessions/said.ts";

export const message = (session: string, id: string, ...data: SourceInput[]): SourceMessage => ({
  door: "in",
  workspace: WORKSPACE,
  session: session as SessionId,
  source: "test",
  id,
  type: "test.inputs",
  data,
});

/** Puts an entry in the journal of a stopped engine, as the one at which several processes in a row crashed. */
export async function diedAt(rig: Rig, body: string, times = 3): Promise<void> {
  const journal = new MemoryJournal(rig.disk, rig.clock);
  await journal.open(undefined);
  const [position] = await journal.append([body]);
  rig.disk.rows.set("trying", JSON.stringify({ position, times }));
}

export const decision = (approvalId: string, decided: "approve" | "deny", of = "c1"): OwnMessage["said"] => ({
  type: "decision",
  approvalId: approvalId as ApprovalId,
  decision: decided,
  by: "local:ada",
  inputHash: toolInput({ command: of }).hash,
});
export const own = (what: OwnMessage["said"]): OwnMessage => ({
  door: "own",
  workspace: WORKSPACE,
  session: "s1" as SessionId,
  said: what,
});
export const tellOwn = (rig: Rig, what: OwnMessage["said"], session = "s1"): Promise<Reply> =>
  rig.engine.own(WORKSPACE, session as SessionId, what);

/** Two sessions, each with an approval about its call `c1`. */
export const asked = async (options: RigOptions = {}): Promise<Rig> => {
  const rig = await Rig.start(options);
  for (const session of ["s1", "s2"]) {
    const one = call("c1");
    await rig.tell(session, said.prompt(`p-${session}`), said.pre(one), said.ask(`a-${session}`, one));
  }
  return rig;
};
