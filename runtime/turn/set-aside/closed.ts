// Closed
// Prevents approving in a session as long as one of its entries is set aside, that is, could not be applied.
//
//   Owns:          which dead letters close a session to approvals, reopening a session, rejecting approvals in a closed session.
//   Does not own:  setting entries aside (poison), retrying entries (retried).
//   Decided in:    docs/decisions/0031-what-was-set-aside.md.
//
// G8. An entry that was set aside may have been a denial. So no approval of its session can be approved until all entries of the
//     session that were set aside have been applied. Denials, deadlines and answers given elsewhere still count.

import { type Address, type ApprovalContext, childAddress } from "../../../machines/index.ts";
import { actorRow } from "../../rows/actors/actor-rows.ts";
import { type Delivered, Rejection } from "../delivery.ts";
import { ledger, noteClosed } from "../../rows/ledger.ts";
import { checkAskedSince } from "../missing.ts";
import type { Layer } from "../../rows/overlay.ts";

/** Rejects an approval that would count if its session were not closed to approvals. */
export class ClosedRejection extends Rejection {}

/** Closes a session to approvals. @param letter the number of the dead letter of an entry that was set aside. */
export function close(layer: Layer, home: Address, letter: number): void {
  const { closedBy = [], ...kept } = ledger(layer, home);
  noteClosed(layer, home, { ...kept, closedBy: [...closedBy.filter((each) => each !== letter), letter] });
}

/** Reopens a session for one dead letter. `position` is the position of that letter's entry. */
export function reopen(layer: Layer, home: Address, letter: number, position: number): void {
  const { closedBy = [], closedAt } = ledger(layer, home);
  noteClosed(layer, home, {
    closedBy: closedBy.filter((each) => each !== letter),
    ...(closedAt !== undefined && closedAt !== position && { closedAt }),
  });
}

/** @throws ClosedRejection if the engine would approve something in a session that is closed to approvals. */
export function checkApprovals(layer: Layer, home: Address, delivered: Delivered): Delivered {
  const approved = delivered.changes.filter(({ entity, to }) => entity === "approval" && to === "approved");
  const ours = approved.filter(({ id }) => !isObserved(layer, home, id));
  if (ours.length === 0) return delivered;
  checkAskedSince(
    layer,
    home,
    ours.map(({ id }) => id),
  );
  const { closedBy = [], closedAt } = ledger(layer, home);
  if (closedBy.length === 0 && closedAt === undefined) return delivered;
  const letters = closedBy.length > 0 ? ` (dead letters ${closedBy.slice(0, LETTERS_TOLD).join(", ")})` : "";
  throw new ClosedRejection(
    `this session approves nothing until the messages that could not be applied are retried${letters}: npx signalbox dlq retry; until then answer where it was requested`,
  );
}

const LETTERS_TOLD = 8;

function isObserved(layer: Layer, home: Address, id: string): boolean {
  const row = actorRow(layer, childAddress(home, "approval", id));
  return (row?.snapshot.context as ApprovalContext | undefined)?.observed === true;
}
