// Lacks
// Says why buttons are off: a part that the token of whoever looks does not have.
//
//   Owns:          the words.
//   Does not own:  what one may do (engine/me).

import type { Part } from "../../../../runtime/access-token.ts";
import { me, useMay } from "../engine/me.ts";

/** The mark at the end of a name whose owner an identity provider let in. */
const BY_PROVIDER = /~[0-9a-z]{12}$/;

export function Lacks({ part }: { readonly part: Part }) {
  if (useMay(part)) return null;
  const name = me.get()?.name.replace(/^http:/, "") ?? "NAME";
  return (
    <p class="warning lacks">
      {BY_PROVIDER.test(name) ? (
        `Your sign-in may not ${part}. Whoever runs the engine can allow it, in the list of people who may sign in.`
      ) : (
        <>
          Your token may not {part}. Whoever runs the engine can allow it:{" "}
          <code>
            npx signalbox token add {name} --may …,{part}
          </code>
        </>
      )}
    </p>
  );
}
