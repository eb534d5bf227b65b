// Deadline
// How long an approval can still be answered, and what happens when nobody does.
//
//   Owns:          the words.
//   Does not own:  the deadline (machines), the clock (engine).

import { isAtTerminal } from "../../../../../machines/evidence/dialog.ts";
import type { ApprovalView } from "../../../../../runtime/rows/views.ts";
import { now } from "../../engine/engine.ts";
import { useValue } from "../../engine/value.ts";
import { Until } from "../../parts/time.tsx";

type Timed = Pick<ApprovalView, "deadlineAt" | "onDeadline" | "channels">;

/** With less than this left it stands out: what has an hour is no alarm. */
const SOON_MS = 5 * 60_000;

/** For a row: the time left, and in a word what comes then. Nothing where it waits for ever. */
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

/** For a card: the same in a sentence. */
export function Deadline({ approval, isOpen }: { readonly approval: Timed; readonly isOpen: boolean }) {
  const { deadlineAt } = approval;
  if (deadlineAt === undefined || !isOpen) return null;
  return (
    <p class="quiet deadline">
      Answer within <Until at={deadlineAt} />. {thenOf(approval)} if nobody answers.
    </p>
  );
}

/** A service, and a program that runs an agent, has no terminal to ask at (DIALOG-1). */
function thenOf({ onDeadline, channels }: Timed): string {
  if (onDeadline === "deny") return "The call is denied";
  return isAtTerminal(channels) ? "The agent asks in its own terminal" : "It is left to the agent";
}
