// Assign
// The field in which a person names who is to answer an approval.
//
//   Owns:          the field for the name, its key, the names that the field offers, the message about the result.
//   Does not own:  notifying the person who is named (notify/watch.ts, lookers.tsx).

import { useRef, useState } from "preact/hooks";
import { nameWithoutDoor } from "../../../../../machines/evidence/votes.ts";
import type { Answers } from "../../../../../runtime/reading/figures/answers.ts";
import { ask, refusalOf, send } from "../../engine/api.ts";
import { useAsked } from "../../engine/asked.ts";
import { follow } from "../../engine/engine.ts";
import { isMe, me } from "../../engine/me.ts";
import { useValue } from "../../engine/value.ts";
import { useKeys } from "../../parts/keyboard.ts";
import { Line } from "../../parts/text.tsx";
import { clockOf } from "../../parts/time.tsx";
import type { Card } from "../card/card.ts";
import { focusIn, focusOn, foldOnEscape } from "./focus-in.ts";

const NAME_MAX = 128;
const LATELY_MS = 30 * 24 * 3_600_000;

export function Assign({ card: { approval } }: { readonly card: Card }) {
  const { workspace, id, assigned } = approval;
  const [isOpen, open] = useState(false);
  const offered = useOffered(approval, useAnswerers(workspace, isOpen));
  const [text, type] = useState("");
  const [failure, fail] = useState("");
  const box = useRef<HTMLDetailsElement>(null);
  const assign = async (to: string | null): Promise<void> => {
    const refused = await refusalOf(send(`/v1/approvals/${id}/assignment`, { to }, { workspace }));
    fail(refused?.words ?? "");
    if (refused) return;
    type("");
    focusOn(box.current);
  };
  useKeys({ t: () => focusIn(box.current) }, "part");
  return (
    <details ref={box} onToggle={(event) => open(event.currentTarget.open)} onKeyDown={foldOnEscape}>
      <summary>
        Assign to somebody <kbd>t</kbd>
      </summary>
      <form
        class="actions"
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() !== "") void assign(text.trim());
        }}
      >
        <input
          aria-label="Their name"
          placeholder="Their name"
          list="names-to-assign"
          autocomplete="off"
          maxLength={NAME_MAX}
          value={text}
          onInput={(event) => type(event.currentTarget.value)}
        />
        <datalist id="names-to-assign">
          {offered.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <button type="submit" disabled={text.trim() === ""}>
          Assign
        </button>
        {assigned && (
          <button type="button" onClick={() => void assign(null)}>
            Take it back
          </button>
        )}
      </form>
      <p role="status">
        {failure !== "" && failure}
        {failure === "" && assigned && <Line text={saidOf(assigned)} />}
      </p>
    </details>
  );
}

const wordFor = (name: string): string => (isMe(name) ? "you" : nameWithoutDoor(name));

const saidOf = ({ to, by, at }: NonNullable<Card["approval"]["assigned"]>): string =>
  `Assigned to ${wordFor(to)} by ${wordFor(by)}, ${clockOf(at)}.`;

/**
 * Who answered lately, most answers first. The page has no list of all people to offer: the engine gives none to a person who
 * may only view and decide.
 */
function useAnswerers(workspace: string, isWanted: boolean): readonly string[] {
  const told = useAsked([workspace, isWanted], (signal) => {
    if (!isWanted) return undefined;
    return ask<Answers>("/v1/answers", { workspace, since: Date.now() - LATELY_MS }, signal);
  });
  return told?.tables.by.filter(({ person }) => person > 0).map(({ name }) => name) ?? [];
}

/** The names to offer: who looks now, whom a rule names, who answered lately, and oneself; without those who have approved it. */
function useOffered({ demands = [], votes = [] }: Card["approval"], answerers: readonly string[]) {
  const mine = nameWithoutDoor(useValue(me)?.name ?? "");
  const known = [...useValue(follow.looking), ...demands.flatMap(({ approvers = [] }) => approvers)];
  const voted = new Set(votes.map(({ by }) => nameWithoutDoor(by)));
  const others = new Set([...known.map(({ name }) => name), ...answerers].map(nameWithoutDoor));
  others.delete(mine);
  return [...others, mine].filter((name) => name !== "" && !voted.has(name));
}
