// Marks
// Shows the risks of a call: in the list the gravest one, on the chosen card each with its reason.
//
//   Owns:          how risks look; the line that says how a card differs from an earlier one.
//   Does not own:  finding risks (of-card.ts).

import { lookalikeIn } from "../../../../../runtime/risks/disguises.ts";
import { Line } from "../../parts/text.tsx";
import type { Card } from "../card/card.ts";
import { risksOfCard, unlike } from "./of-card.ts";

export function RiskMark({ card }: { readonly card: Card }) {
  const [first, ...others] = risksOfCard(card);
  if (!first) return null;
  return (
    <span class={`risk ${first.level}`} title={first.why}>
      {first.label}
      {others.length > 0 && ` +${others.length}`}
    </span>
  );
}

export function Risks({ card }: { readonly card: Card }) {
  const risks = risksOfCard(card);
  if (risks.length === 0) return null;
  return (
    <ul class="risks" aria-label="Risks">
      {risks.map(({ id, level, label, why, found }) => (
        <li key={id}>
          <span class={`risk ${level}`}>{label}</span> {why}{" "}
          {found !== "" && (
            <code>
              <Line text={found} />
            </code>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The folder that the agent works in, and what differs from a similar card that was looked at before. */
export function Beside({ card, before }: { readonly card: Card; readonly before: readonly Card[] }) {
  const found = unlike(before, card);
  return (
    <>
      {card.cwd !== undefined && (
        <p class="quiet in-folder">
          {"In "}
          <code>
            <Line text={card.cwd} />
          </code>
          {found?.isInOtherFolder && (
            <strong class="unlike">
              {found.isSame
                ? "The same call as before, in another folder"
                : "Another folder than the one before"}
            </strong>
          )}
        </p>
      )}
      {found?.difference && (
        <p class="differs">
          Looks like one before it, but <Words what="new" words={found.difference.added} />
          <Words what="not there" words={found.difference.missing} />
          {found.difference.added.length + found.difference.missing.length === 0 &&
            "its words stand in another order"}
        </p>
      )}
    </>
  );
}

const WORDS_MAX = 12;

function Words({ what, words }: { readonly what: string; readonly words: readonly string[] }) {
  if (words.length === 0) return null;
  return (
    <span class="words">
      {what}:{" "}
      {words.slice(0, WORDS_MAX).map((word, n) => (
        <code key={`${n} ${word}`}>
          <Line text={word} />
          {lookalikeIn(word) !== undefined && ` (${lookalikeIn(word) ?? ""})`}
        </code>
      ))}
      {words.length > WORDS_MAX && `and ${words.length - WORDS_MAX} more`}{" "}
    </span>
  );
}
