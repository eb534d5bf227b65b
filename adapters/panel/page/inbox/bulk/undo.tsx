// Undo
// Shows on every view which answers are about to be sent or what was just snoozed, and undoes the last of these actions.
//
//   Owns:          the wording of the notice, the key that undoes.
//   Does not own:  which answers are held back (held.ts), what is snoozed (team/snoozed.ts).

import { now } from "../../engine/engine.ts";
import { useValue } from "../../engine/value.ts";
import { useKeys } from "../../parts/keyboard.ts";
import { clockOf } from "../../parts/time.tsx";
import { go } from "../../route.ts";
import type { Spot } from "../name.ts";
import { justSnoozed, wake } from "../team/snoozed.ts";
import { type Held, held, undo } from "./held.ts";

function showAgain(approval: Spot): void {
  wake(approval);
  go({ view: "inbox", approval });
}

/** The element is on the page even while it is empty: a screen reader announces only what is added to an existing element. */
export function Undo() {
  const all = useValue(held);
  const last = all.at(-1);
  const asleep = useValue(justSnoozed);
  const back = last ? undo : asleep && (() => showAgain(asleep));
  useKeys(back ? { u: back } : {}, "part");
  return (
    <div class="undo" role="status">
      {back && (
        <p>
          {last ? <Waiting it={last} /> : asleep && `Snoozed until ${clockOf(asleep.until)}.`}
          <button type="button" onClick={back}>
            Undo <kbd>u</kbd>
          </button>
        </p>
      )}
    </div>
  );
}

function Waiting({ it: { places, reply, until } }: { readonly it: Held }) {
  useValue(now);
  const seconds = Math.max(1, Math.ceil((until - Date.now()) / 1000));
  const what = reply.decision === "approve" ? "Approving" : "Denying";
  return (
    <>
      {what} {places.length} in <span aria-hidden="true">{seconds} s</span>
      <span class="unseen">a moment</span>
    </>
  );
}
