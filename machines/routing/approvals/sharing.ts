// Sharing
// One approval under several ids, and one id that comes again.
//
//   Owns:          adding a channel and a second id to an approval; refusing an id, or a call, that is asked about anew
//                  with something else.
//   Does not own:  which approval a new question shares (matching), what makes two questions differ (asked-about).
//   Decided in:    docs/decisions/0006-one-approval-many-ids.md.
//
// S3.22 Two channels that ask about one call share its approval; each may go on calling it by its own id.
// I-53. An id comes again only for the call it was used for; no question shares the answer to another tool or input.

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

/** Keeps what a new id was used for. One that the engine made is its own. */
export function rememberAsk(scene: Scene, input: ApprovalRequested): void {
  const { approvalId } = input;
  if (approvalId === undefined) return;
  // What comes as an event of its own comes from a service: the client's own messages are called otherwise.
  const isService = scene.channel === input.type;
  const asked = askedAbout(scene.sessionId, input);
  asks.set(scene.records, approvalId, isService ? { ...asked, isService } : asked);
}

/** The id is known here: of this approval, or of the one that shares its answer. */
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
  // An id that the engine made, or an older version took in, is known by these alone.
  const differs = was ? differing(was, now) : contradicting(shownBy(book), now);
  if (differs.length > 0) return refuse(scene, differenceText(input.approvalId, differs));
  if (was && !was.isService && scene.channel === input.type) rememberAsk(scene, input);
  touch(scene, book.requestId);
  if (!book.channels.includes(input.channel) || input.sender !== undefined) join(scene, id, book, input);
}

/**
 * A new question about a call that is being asked about already.
 * @param ambiguous true where the asker may mean another approval.
 */
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

/** What a person is shown of the call. */
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
