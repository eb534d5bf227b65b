// Undo
// Shows on every view which answers are about to be sent, and undoes the last of them.
//
//   Owns:          the wording of the notice, the key that undoes.
//   Does not own:  which answers are held back (held.ts).

import { now } from "../../engine/engine.ts";
import { useValue } from "../../engine/value.ts";
import { useKeys } from "../../parts/keyboard.ts";
import { type Held, held, undo } from "./held.ts";

/** The box is on the page even while it is empty: a screen reader announces only what is put into an existing box. */
export function Undo() {
  const all = useValue(held);
  const last = all.at(-1);
  useKeys(last ? { u: undo } : {}, "part");
  return (
    <div class="undo" role="status">
      {last && <Waiting it={last} />}
    </div>
  );
}

function Waiting({ it: { places, reply, until } }: { readonly it: Held }) {
  useValue(now);
  const seconds = Math.max(1, Math.ceil((until - Date.now()) / 1000));
  const what = reply.decision === "approve" ? "Approving" : "Denying";
  return (
    <p>
      {what} {places.length} in <span aria-hidden="true">{seconds} s</span>
      <span class="unseen">a moment</span>
      <button type="button" onClick={undo}>
        Undo <kbd>u</kbd>
      </button>
    </p>
  );
}
