// Demands
// If rules demand more than one person's answer, passes these demands to the approval and to its call.
//
//   Owns:          passing the rules' demands on; preventing that the client alone decides about a call whose approval has
//                  demands.
//   Does not own:  which rules demand more than one answer (runtime/turn/rule-answering), whose answer counts (evidence/votes).
//   Decided in:    docs/decisions/0083-two-people-and-who-is-asked-next.md.
//
// DEMANDS-1. If rules demand that several people, or certain people, answer an approval, no answer means denial: the approval's
//     gate then denies the call, and never leaves the call to the client's own dialog.

import { approvals } from "../../books.ts";
import type { Demanded } from "../../inputs.ts";
import { reject, type Scene, tellApproval, tellCall } from "../scene.ts";

export function demanded(scene: Scene, { approvalId, demands }: Demanded): void {
  const { records, at } = scene;
  const book = approvals.get(records, approvalId);
  if (!book?.pending) return reject(scene, "the approval is not pending");
  approvals.set(records, approvalId, { ...book, isDemanded: true });
  tellApproval(scene, approvalId, { type: "demanded", at, demands });
  if (book.callId !== undefined) tellCall(scene, book.callId, { type: "amended", at, isDemanded: true });
}
