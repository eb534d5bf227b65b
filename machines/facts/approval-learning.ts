// Approval learning
// Adds what each event shows to the data of an approval.
//
//   Owns:          which data an event adds to an approval: its answer, what became of this answer, an answer given elsewhere.
//   Does not own:  which event counts in which state of an approval (approval), the receipt that people see (evidence/receipt).

import type { ApprovalContext, ApprovalEvent } from "./approval-facts.ts";
import { defined } from "../defined.ts";
import { withOther } from "../evidence/receipt.ts";

type Facts = Partial<ApprovalContext>;

const ALIASES_MAX = 16;
const REQUESTERS_MAX = 16;

/** The data that an event adds to an approval, except what only a closed approval learns (`wayOf`, `outcomeOf`). */
export function learnt(context: ApprovalContext, event: ApprovalEvent): Facts {
  switch (event.type) {
    case "asked": {
      const { channels, aliases = [], requestedBy = [] } = context;
      const { channel, alias, sender } = event;
      return {
        ...(!channels.includes(channel) && { channels: [...channels, channel] }),
        ...(alias !== undefined &&
          !aliases.includes(alias) && { aliases: [...aliases.slice(1 - ALIASES_MAX), alias] }),
        ...(sender !== undefined &&
          requestedBy.length < REQUESTERS_MAX &&
          !requestedBy.includes(sender) && { requestedBy: [...requestedBy, sender] }),
      };
    }
    case "bound":
      return { callId: event.callId };
    case "staled":
      return { stale: true };
    case "demanded":
      // If several people must approve, the client must not decide by itself after the deadline, so the deadline denies.
      return { demands: event.demands, onDeadline: "deny" };
    case "assigned": {
      const { to, by, at } = event;
      return { assigned: to === undefined ? undefined : { to, by, at } };
    }
    case "decided":
    case "answered": {
      const { at, by, message, interrupt } = event;
      return {
        ...(event.type === "decided" && votedBy(context, event)),
        closedAt: at,
        by,
        ...(event.type === "decided" && event.via !== undefined && { via: event.via }),
        ...defined({ message, interrupt }),
        ...(event.type === "decided" && event.updatedInput && { updatedInput: event.updatedInput }),
        ...(event.type === "decided" && event.early && { early: true as const }),
        ...(event.type === "answered" && { observed: true as const }),
      };
    }
    case "lapsed":
      return { closedAt: event.at, by: "deadline", ...wayOf(context, event) };
    case "withdrawn":
      return { closedAt: event.at, by: "elsewhere", outcome: event.outcome };
    case "taken":
    case "left":
    case "seen":
      return wayOf(context, event);
  }
}

export function votedBy(
  { demands, votes = [] }: ApprovalContext,
  { at, by, via, message, decision }: Extract<ApprovalEvent, { type: "decided" }>,
): Facts {
  if (!demands || decision !== "approve") return {};
  return { votes: [...votes, { by, at, ...defined({ via, message }) }] };
}

/** APPROVAL-1. What the event newly reports about the delivery of the answer; empty if it reports nothing new. */
export function wayOf(context: ApprovalContext, event: ApprovalEvent): Facts {
  const { taken, alone, left, ran, notRun, others } = context;
  switch (event.type) {
    case "taken":
      return taken ? {} : { taken: { at: event.at, by: event.by } };
    case "left":
      return left ? {} : { left: { at: event.at } };
    case "lapsed": {
      const { said, saidAt, at } = event;
      return said === undefined || alone ? {} : { alone: { at: saidAt ?? at, said } };
    }
    case "seen": {
      if (!event.ran) return notRun ? {} : { notRun: { at: event.at } };
      const inputHash = ran?.inputHash ?? event.inputHash;
      const startedOn = ran?.startedOn ?? event.startedOn;
      if (ran && inputHash === ran.inputHash && startedOn === ran.startedOn) return {};
      const on = defined({ inputHash, startedOn });
      return { ran: { at: ran?.at ?? event.at, ...on } };
    }
    case "decided": {
      const { at, by, via, decision } = event;
      return { others: withOther(others, { at, by, ...defined({ via }), decision }) };
    }
    case "asked":
    case "bound":
    case "staled":
    case "demanded":
    case "assigned":
    case "answered":
    case "withdrawn":
      return {};
  }
}

/** APPROVAL-2. What the event newly shows about how the approval was answered; empty if it shows nothing new. */
export function outcomeOf({ outcome: known, observed }: ApprovalContext, event: ApprovalEvent): Facts {
  if (observed) return {};
  if (event.type === "withdrawn")
    return event.outcome === "unknown" || event.outcome === known ? {} : { outcome: event.outcome };
  if (event.type !== "answered") return {};
  const { by, message, interrupt } = event;
  return {
    outcome: event.decision === "approve" ? "approved" : "denied",
    by,
    observed: true,
    ...defined({ message, interrupt }),
  };
}
