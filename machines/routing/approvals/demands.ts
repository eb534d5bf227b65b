// Demands
// What rules want of an approval beyond one person's answer, as it is brought to the approval and its call.
//
//   Owns:          telling both; that nobody at the client answers instead.
//   Does not own:  which rules ask (runtime/turn/rule-answering), whose answer counts (evidence/votes).
//   Decided in:    docs/decisions/0083-two-people-and-who-is-asked-next.md.
//
// DEMANDS-1. An approval that several people, or some alone, are to answer closes as denied: its asker does not
//     leave the question to whoever sits there.

import { approvals } from "../../books.ts";
import type { CallId } from "../../ids.ts";
import type { Demanded } from "../../inputs.ts";
import { type Scene, tellApproval, tellCall } from "../scene.ts";

export function demanded(scene: Scene, { approvalId, demands }: Demanded): void {
  const { records, at } = scene;
  const book = approvals.get(records, approvalId);
  if (!book?.pending) {
    scene.rejection = "the approval is not pending";
    return;
  }
  approvals.set(records, approvalId, { ...book, isDemanded: true });
  tellApproval(scene, approvalId, { type: "demanded", at, demands });
  if (book.callId !== undefined) showDemand(scene, book.callId);
}

/** Tells a call that more than one person's answer is wanted. */
const showDemand = (scene: Scene, callId: CallId): void =>
  tellCall(scene, callId, { type: "amended", at: scene.at, isDemanded: true });
