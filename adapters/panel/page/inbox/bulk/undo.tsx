// Undo
// Says on every view which answers are about to be sent, and takes the last of them back.
//
//   Owns:          the words, the key.
//   Does not own:  what is kept back (held.ts).

import { now } from "../../engine/engine.ts";
import { useValue } from "../../engine/value.ts";
import { useKeys } from "../../parts/keyboard.ts";
import { type Held, held, undo } from "./held.ts";

/** Its place is always there: what comes into it is read out by whoever reads the page aloud. */
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
