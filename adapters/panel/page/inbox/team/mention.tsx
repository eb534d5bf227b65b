// Mention
// The field in which the reader names somebody who is to look at the approval.
//
//   Owns:          the field, the names that it offers, what came of it.
//   Does not own:  telling whoever is named (notify/watch.ts, lookers.tsx).

import { useState } from "preact/hooks";
import { nameWithoutDoor } from "../../../../../machines/evidence/votes.ts";
import { refusalOf, send } from "../../engine/api.ts";
import { follow } from "../../engine/engine.ts";
import { me } from "../../engine/me.ts";
import { useValue } from "../../engine/value.ts";
import type { Card } from "../card/card.ts";

const NAME_MAX = 128;

export function Mention({ card: { approval } }: { readonly card: Card }) {
  const { workspace, id, demands = [], votes = [] } = approval;
  const [text, type] = useState("");
  const [told, tell] = useState("");
  const lookers = useValue(follow.looking);
  const mine = useValue(me)?.name ?? "";
  const known = [...lookers, ...demands.flatMap(({ approvers = [] }) => approvers)].map(({ name }) => name);
  const voted = new Set(votes.map(({ by }) => nameWithoutDoor(by)));
  const offered = [...new Set(known.map(nameWithoutDoor))].filter(
    (name) => name !== nameWithoutDoor(mine) && !voted.has(name),
  );
  const mention = async (to: string): Promise<void> => {
    const failure = await refusalOf(send(`/v1/approvals/${id}/mention`, { to }, { workspace }));
    tell(failure?.words ?? `${to} is told, if their panel is open.`);
    if (!failure) type("");
  };
  return (
    <details>
      <summary>Ask somebody to look</summary>
      <form
        class="actions"
        onSubmit={(event) => {
          event.preventDefault();
          const to = text.trim();
          if (to !== "") void mention(to);
        }}
      >
        <input
          aria-label="Their name"
          placeholder="Their name"
          list="mention-names"
          autocomplete="off"
          maxLength={NAME_MAX}
          value={text}
          onInput={(event) => type(event.currentTarget.value)}
        />
        <datalist id="mention-names">
          {offered.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <button type="submit" disabled={text.trim() === ""}>
          Ask
        </button>
      </form>
      <p role="status">{told}</p>
    </details>
  );
}
