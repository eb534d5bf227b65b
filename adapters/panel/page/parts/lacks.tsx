// Lacks
// Says why buttons are off: a part that the token of whoever looks does not have.
//
//   Owns:          the words.
//   Does not own:  what one may do (engine/me).

import type { Part } from "../../../../runtime/access-token.ts";
import { me, useMay } from "../engine/me.ts";

export function Lacks({ part }: { readonly part: Part }) {
  if (useMay(part)) return null;
  const name = me.get()?.name.replace(/^http:/, "") ?? "NAME";
  return (
    <p class="warning lacks">
      Your token may not {part}. Whoever runs the engine can allow it:{" "}
      <code>
        npx signalbox token add {name} --may …,{part}
      </code>
    </p>
  );
}
