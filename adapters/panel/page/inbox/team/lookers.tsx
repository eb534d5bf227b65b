// Lookers
// Who else looks at an approval now, and who was asked to, in its row.
//
//   Owns:          the words.
//   Does not own:  telling the engine (looking.ts, mention.tsx), hearing of others (engine/follow.ts).

import { nameWithoutDoor } from "../../../../../machines/evidence/votes.ts";
import { follow } from "../../engine/engine.ts";
import { me } from "../../engine/me.ts";
import { useValue } from "../../engine/value.ts";
import { Line } from "../../parts/text.tsx";
import { keyOf, type Place, type Spot } from "../name.ts";

/** Of more names, their number is told. */
const NAMED_MAX = 3;

export function Lookers({ at }: { readonly at: Place }) {
  const mine = nameWithoutDoor(me.get()?.name ?? "");
  const isHere = (each: Spot): boolean => keyOf(each) === keyOf(at);
  const names = useValue(follow.looking)
    .filter(isHere)
    .map(({ name }) => nameWithoutDoor(name))
    .filter((name) => name !== mine);
  const asked = useValue(follow.mentions).filter(isHere);
  const said = names.length > NAMED_MAX ? names.length : names.join(", ");
  const word = (name: string): string => (name === mine ? "you" : name);
  const lines = asked.map(({ to, by }) => `${word(nameWithoutDoor(by))} asked ${word(to)} to look`);
  if (names.length > 0) lines.push(`Looking now: ${said}`);
  return (
    <>
      {lines.map((line) => (
        <span key={line} class="lookers">
          <Line text={line} />
        </span>
      ))}
    </>
  );
}
