// Sharing
// Handles an approval that has several ids, and a second request for approval under an id that is already used.
//
//   Owns:          adding a channel or an alias to an approval; refusing a request that uses the id of an approval, or its call,
//                  for something else.
//   Does not own:  which existing approval a new request shares (matching), when two requests are about different calls
//                  (asked-about).
//   Decided in:    docs/decisions/0006-one-approval-many-ids.md.
//
// S3.22 Two channels that request approval for the same call share one approval. Each channel may go on using its own id for the
//     approval.
// I-53. An approval id may be used again only for the call for which it was first used. A request about another tool or input
//     never shares the answer.

import { defined } from "../../defined.ts";
import {
  askedAbout,
  type AskedAbout,
  contradicting,
  differenceText,
  differing,
} from "../../matching/asked-about.ts";
import { aliases, type ApprovalBook, approvals, asks } from "../../books.ts";
import type { ApprovalId } from "../../ids.ts";
import type { ApprovalRequested } from "../../inputs.ts";
import { applyEarly } from "./decisions.ts";
import { gateAsks } from "./evidence.ts";
import { type Scene, tellApproval, touch } from "../scene.ts";

/** Stores for which call a new approval id was used. An id that the engine made needs no record. */
export function rememberAsk(scene: Scene, input: ApprovalRequested): void {
  const { approvalId } = input;
  if (approvalId === undefined) return;
  // The channel of an event is the event's type, and only services send the event `approval.requested`; hooks have other
  // channels.
  const isService = scene.channel === input.type;
  const asked = askedAbout(scene.sessionId, input);
  asks.set(scene.records, approvalId, isService ? { ...asked, isService } : asked);
}

export function askAgain(
  scene: Scene,
  id: ApprovalId,
  input: ApprovalRequested & { readonly approvalId: ApprovalId },
): void {
  const { records } = scene;
  const now = askedAbout(scene.sessionId, input);
  const was = asks.get(records, input.approvalId);
  const book = approvals.get(records, id);
  if (!book) return;
  // If the engine made the approval's id, or an older version stored the approval, its first request is not stored. The new
  // request is then compared with the approval's book.
  const differs = was ? differing(was, now) : contradicting(shownBy(book), now);
  if (differs.length > 0) return refuse(scene, differenceText(input.approvalId, differs));
  if (was && !was.isService && scene.channel === input.type) rememberAsk(scene, input);
  touch(scene, book.requestId);
  if (!book.channels.includes(input.channel) || input.sender !== undefined) join(scene, id, book, input);
}

/** Handles one more request for a call's approval. @param ambiguous true if the request may belong to another approval. */
export function share(scene: Scene, id: ApprovalId, input: ApprovalRequested, ambiguous: boolean): void {
  const { records } = scene;
  const { approvalId: alias } = input;
  const book = approvals.get(records, id);
  if (!book) return;
  const differs = contradicting(shownBy(book), askedAbout(scene.sessionId, input));
  if (differs.length > 0)
    return refuse(scene, `the call is being asked about already; what differs: ${differs.join(", ")}`);
  touch(scene, book.requestId);
  join(scene, id, book, input);
  if (alias === undefined) return;
  aliases.set(records, alias, id);
  rememberAsk(scene, input);
  scene.steps.push({ do: "alias", alias: { id: alias, of: id, requestId: book.requestId } });
  applyEarly(scene, id, alias, ambiguous || book.ambiguous === true);
}

const shownBy = ({ tool, hash }: ApprovalBook): Partial<AskedAbout> => ({
  tool,
  ...defined({ inputHash: hash }),
});

function join(
  scene: Scene,
  id: ApprovalId,
  book: ApprovalBook,
  { channel, approvalId, sender }: ApprovalRequested,
): void {
  const { records, at } = scene;
  const isNew = !book.channels.includes(channel);
  if (isNew) approvals.set(records, id, { ...book, channels: [...book.channels, channel] });
  if (isNew) gateAsks(scene, channel, book.callId);
  const alias = approvalId === id ? undefined : approvalId;
  tellApproval(scene, id, { type: "asked", at, channel, ...defined({ alias, sender }) });
}

function refuse(scene: Scene, why: string): void {
  scene.rejection = why;
  scene.isReuse = true;
}
