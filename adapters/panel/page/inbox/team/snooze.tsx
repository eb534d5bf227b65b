// Snooze
// The buttons that snooze the chosen approval, that is, hide it from the person's own list for a while.
//
//   Owns:          the lengths of a snooze to choose from, the words on the buttons.
//   Does not own:  which approvals are snoozed (snoozed.ts).

import { useRef } from "preact/hooks";
import { useKeys } from "../../parts/keyboard.ts";
import { clockOf } from "../../parts/time.tsx";
import { useValue } from "../../engine/value.ts";
import type { Card } from "../card/card.ts";
import { focusIn, foldOnEscape } from "./focus-in.ts";
import { nameOf, keyOfCard } from "../name.ts";
import { BEFORE_DEADLINE_MS, endOf, snooze, snoozed, wake } from "./snoozed.ts";

const MINUTE_MS = 60_000;
const CHOICES = [
  ["15 minutes", 15 * MINUTE_MS],
  ["1 hour", 60 * MINUTE_MS],
  ["4 hours", 240 * MINUTE_MS],
] as const;

export interface SnoozeProps {
  readonly card: Card;
  readonly onNext: (() => void) | undefined;
}

export function Snooze({ card, onNext }: SnoozeProps) {
  const until = useValue(snoozed).get(keyOfCard(card));
  const box = useRef<HTMLDetailsElement>(null);
  useKeys(until === undefined ? { s: () => focusIn(box.current) } : {}, "part");
  if (until !== undefined)
    return (
      <p>
        Snoozed for you until {clockOf(until)}.{" "}
        <button type="button" onClick={() => wake(nameOf(card))}>
          Show it again
        </button>
      </p>
    );
  const isLate = endOf(card, MINUTE_MS) === undefined;
  return (
    <details class="snooze" ref={box} onKeyDown={foldOnEscape}>
      <summary>
        Snooze <kbd>s</kbd>
      </summary>
      {isLate ? (
        <p class="quiet">Its deadline is too near for that.</p>
      ) : (
        <div class="actions" role="group" aria-label="Snooze for">
          {CHOICES.map(([words, forMs]) => (
            <button
              key={words}
              type="button"
              onClick={() => {
                const end = endOf(card, forMs);
                if (end === undefined) return;
                onNext?.();
                snooze(card, end);
              }}
            >
              {words}
            </button>
          ))}
        </div>
      )}
      <p class="quiet">
        It leaves your list, nobody else’s. It is back {BEFORE_DEADLINE_MS / MINUTE_MS} minutes before its
        deadline at the latest.
      </p>
    </details>
  );
}
