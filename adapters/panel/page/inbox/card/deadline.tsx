// Deadline
// Says until when an approval can be answered, and what happens if nobody answers.
//
//   Owns:          the wording of a deadline.
//   Does not own:  setting the deadline and acting on it (machines), the engine's time (engine).

import { isAtTerminal } from "../../../../../machines/evidence/dialog.ts";
import type { ApprovalView } from "../../../../../runtime/rows/views.ts";
import { now } from "../../engine/engine.ts";
import { useValue } from "../../engine/value.ts";
import { Until } from "../../parts/time.tsx";

type Timed = Pick<ApprovalView, "deadlineAt" | "onDeadline" | "channels">;

const SOON_MS = 5 * 60_000;

/** Shows in a row the time until the deadline; shows nothing for an approval without a deadline. */
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

export function Deadline({ approval, isOpen }: { readonly approval: Timed; readonly isOpen: boolean }) {
  const { deadlineAt } = approval;
  if (deadlineAt === undefined || !isOpen) return null;
  return (
    <p class="quiet deadline">
      Answer within <Until at={deadlineAt} />. {thenOf(approval)} if nobody answers.
    </p>
  );
}

/** What happens at the deadline if nobody answers. Only an agent in a terminal can then ask in a dialog of its own (DIALOG-1). */
function thenOf({ onDeadline, channels }: Timed): string {
  if (onDeadline === "deny") return "The call is denied";
  return isAtTerminal(channels) ? "The agent asks in its own terminal" : "It is left to the agent";
}
