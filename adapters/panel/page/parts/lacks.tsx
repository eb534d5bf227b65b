// Lacks
// Explains why buttons are grey: the person's token lacks the right for them.
//
//   Owns:          the words that explain why buttons are grey.
//   Does not own:  which rights a token has (engine/me).

import type { Part } from "../../../../runtime/access-token.ts";
import { me, useMay } from "../engine/me.ts";

/** Matches the end of the name of a person who signed in by an identity provider, such as `~1x2k93kf0a2b`. */
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
