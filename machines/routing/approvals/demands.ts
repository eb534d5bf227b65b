// Demands
// Passes demands of rules for more than one person's answer to the approval and its call.
//
//   Owns:          passing the demands on; keeping the client from deciding by itself.
//   Does not own:  which rules demand more (runtime/turn/rule-answering), whose answer counts (evidence/votes).
//   Decided in:    docs/decisions/0083-two-people-and-who-is-asked-next.md.
//
// DEMANDS-1. An approval that several people, or certain people, must answer is denied if nobody answers it. Its gate then
//     denies the call, and never leaves the call to the client's own dialog.

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

const showDemand = (scene: Scene, callId: CallId): void =>
  tellCall(scene, callId, { type: "amended", at: scene.at, isDemanded: true });
