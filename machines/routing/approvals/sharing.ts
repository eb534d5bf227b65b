// Sharing
// Handles an approval that has several ids, and a second request under a known id.
//
//   Owns:          adding a channel or an alias to an approval; refusing to use an id or a call again for something else.
//   Does not own:  which approval a new request shares (matching), when two requests differ (asked-about).
//   Decided in:    docs/decisions/0006-one-approval-many-ids.md.
//
// S3.22 Two channels that ask about one call share its approval. Each channel may go on using its own id for the approval.
// I-53. An approval id may be used again only for the call that it was first used for. A request about another tool or input
//       never shares the answer.

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

/** Stores what a new id was used for. An id that the engine made needs no such record. */
export function rememberAsk(scene: Scene, input: ApprovalRequested): void {
  const { approvalId } = input;
  if (approvalId === undefined) return;
  // A service sends the event `approval.requested` itself, so its channel has that name. A client's channel never has it.
  const isService = scene.channel === input.type;
  const asked = askedAbout(scene.sessionId, input);
  asks.set(scene.records, approvalId, isService ? { ...asked, isService } : asked);
}

/** Handles a request under a known id, of the approval itself or an alias. */
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
  // If the engine made the id, or an older version stored it, nothing else is known about the approval.
  const differs = was ? differing(was, now) : contradicting(shownBy(book), now);
  if (differs.length > 0) return refuse(scene, differenceText(input.approvalId, differs));
  if (was && !was.isService && scene.channel === input.type) rememberAsk(scene, input);
  touch(scene, book.requestId);
  if (!book.channels.includes(input.channel) || input.sender !== undefined) join(scene, id, book, input);
}

/** Handles a new request about a call that has an approval. @param ambiguous true if it may be about another approval. */
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
