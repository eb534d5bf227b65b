// Lookers
// Who else looks at an approval now, in its row.
//
//   Owns:          the words.
//   Does not own:  telling the engine (looking.ts), hearing of others (engine/follow.ts).

import { nameWithoutDoor } from "../../../../../machines/evidence/votes.ts";
import { follow } from "../../engine/engine.ts";
import { me } from "../../engine/me.ts";
import { useValue } from "../../engine/value.ts";
import { Line } from "../../parts/text.tsx";
import type { Place } from "../name.ts";

/** Of more names, their number is told. */
const NAMED_MAX = 3;

export function Lookers({ at }: { readonly at: Place }) {
  const all = useValue(follow.looking);
  const names = all
    .filter(
      ({ workspace, id, name }) => workspace === at.workspace && id === at.id && name !== me.get()?.name,
    )
    .map(({ name }) => nameWithoutDoor(name));
  if (names.length === 0) return null;
  const said = names.length > NAMED_MAX ? `${names.length} others` : names.join(", ");
  return (
    <span class="lookers">
      <Line text={said} /> {names.length === 1 ? "looks" : "look"} at it now
    </span>
  );
}
