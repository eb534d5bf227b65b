// Closed
// Sessions in which nothing is approved, because something they were told could not be applied.
//
//   Owns:          by which letters a session is closed, opening it again, turning approvals away there.
//   Does not own:  passing entries over (poison), feeding them again (retried).
//   Decided in:    docs/decisions/0031-what-was-set-aside.md.
//
// G8. What was passed over may have been a denial: until all of it was applied after all, nothing is approved in its
//     session. Denials are taken, deadlines and the answers of others too.

import { type Address, type ApprovalContext, childAddress } from "../../machines/index.ts";
import { actorRow } from "../rows/actor-rows.ts";
import { type Delivered, Rejection } from "./delivery.ts";
import { ledger, noteClosed } from "../rows/ledger.ts";
import { checkAskedSince } from "./missing.ts";
import type { Layer } from "../rows/overlay.ts";

/** An approval that would count, were its session not closed to them. */
export class ClosedRejection extends Rejection {}

/** @param letter of the entry that was passed over. */
export function close(layer: Layer, home: Address, letter: number): void {
  const { closedBy = [], ...kept } = ledger(layer, home);
  noteClosed(layer, home, { ...kept, closedBy: [...closedBy.filter((each) => each !== letter), letter] });
}

/** Takes back what a letter closed; `position` is that of the entry. */
export function reopen(layer: Layer, home: Address, letter: number, position: number): void {
  const { closedBy = [], closedAt } = ledger(layer, home);
  noteClosed(layer, home, {
    closedBy: closedBy.filter((each) => each !== letter),
    ...(closedAt !== undefined && closedAt !== position && { closedAt }),
  });
}

/** @throws ClosedRejection when the engine would approve something in a session that is closed to approvals. */
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
