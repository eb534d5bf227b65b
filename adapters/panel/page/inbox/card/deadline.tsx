// Deadline
// Until when an approval can be answered, and what happens if nobody answers.
//
//   Owns:          the wording for a deadline.
//   Does not own:  the deadline itself (machines), the time (engine).

import { isAtTerminal } from "../../../../../machines/evidence/dialog.ts";
import type { ApprovalView } from "../../../../../runtime/rows/views.ts";
import { now } from "../../engine/engine.ts";
import { useValue } from "../../engine/value.ts";
import { Until } from "../../parts/time.tsx";

type Timed = Pick<ApprovalView, "deadlineAt" | "onDeadline" | "channels">;

/** With less time left than this the deadline is highlighted, ms. */
const SOON_MS = 5 * 60_000;

/** For a row: the time left, and what happens then in one word. Empty for an approval without a deadline. */
export function Left({ approval }: { readonly approval: Timed }) {
  const current = useValue(now);
  const { deadlineAt } = approval;
  if (deadlineAt === undefined) return null;
  return (
    <span
      class={deadlineAt - current < SOON_MS ? "left soon" : "left"}
      title={`${thenOf(approval)} at ${new Date(deadlineAt).toLocaleString()}.`}
    >
      {" · "}
      <Until at={deadlineAt} /> left
    </span>
  );
}

/** For a card: the time left and what happens then, as a sentence. */
export function Deadline({ approval, isOpen }: { readonly approval: Timed; readonly isOpen: boolean }) {
  const { deadlineAt } = approval;
  if (deadlineAt === undefined || !isOpen) return null;
  return (
    <p class="quiet deadline">
      Answer within <Until at={deadlineAt} />. {thenOf(approval)} if nobody answers.
    </p>
  );
}

/**
 * What happens at the deadline. The client's own dialog is named only if the client has one: a service, or a program that
 * runs an agent, has none (DIALOG-1).
 */
function thenOf({ onDeadline, channels }: Timed): string {
  if (onDeadline === "deny") return "The call is denied";
  return isAtTerminal(channels) ? "The agent asks in its own terminal" : "It is left to the agent";
}
