// Letter
// Shows one dead letter: why its message was not applied, how the message's text begins, what a person can do about it.
//
//   Owns:          how a dead letter looks: its row in the list, and the details below that row.
//   Does not own:  retrying and dismissing the letter (letters.tsx).

import { useState } from "preact/hooks";
import type { DeadLetter } from "../../../../runtime/rows/dead-letters.ts";
import { atEngine } from "../engine/at-peer.tsx";
import { Line, Text } from "../parts/text.tsx";
import { Since } from "../parts/time.tsx";

/** What a button does. @returns what became of the dead letter, in words; undefined if its row on the page already shows that. */
type Step = () => Promise<string | undefined>;

interface Props {
  readonly letter: DeadLetter;
  /** What a heading above the dead letter already says about it, so that its row need not repeat it. */
  readonly known?: "code" | "code and reason";
  readonly onRetry?: Step;
  readonly onDismiss?: Step;
  /** Undoes the dismissal of the dead letter. */
  readonly onBack?: Step;
}

/** How many characters of a message the list shows, so that people can tell messages apart. */
const BEGINNING = 80;

export function Letter({ letter, known, onRetry, onDismiss, onBack }: Props) {
  const { n, at, engine, code, reason, body, door, by, retriedAt, dismissed } = letter;
  const [became, tell] = useState<string>();
  const buttons = [
    ["Try again", retriedAt === undefined ? onRetry : undefined],
    ["Dismiss", onDismiss],
    ["Not dismissed after all", onBack],
  ] as const;
  return (
    <li class="letter">
      <details>
        <summary>
          {known === undefined && <code class="chip failed">{code}</code>} No. {n} {atEngine(engine)}{" "}
          {known !== "code and reason" && <Line text={reason} />}{" "}
          <code class="quiet">
            <Line text={body.slice(0, BEGINNING)} />
          </code>{" "}
          <span class="quiet">
            <Since at={at} /> ago
          </span>{" "}
          {retriedAt !== undefined && <span class="chip completed">fed again as entry {retriedAt}</span>}
          {dismissed && (
            <span class="chip" title={new Date(dismissed.at).toLocaleString()}>
              dismissed by {dismissed.by}
            </span>
          )}
        </summary>
        {door !== undefined && (
          <p class="quiet">
            Received through <Line text={door} />
            {by !== undefined && by !== door && (
              <>
                {" from "}
                <Line text={by} />
              </>
            )}
          </p>
        )}
        <pre class="value">
          <Text text={body} />
        </pre>
        <span class="actions">
          {buttons.map(
            ([name, step]) =>
              step && (
                <button key={name} type="button" onClick={() => void step().then(tell)}>
                  {name}
                </button>
              ),
          )}
        </span>{" "}
        {became !== undefined && <span role="status">{became}</span>}
      </details>
    </li>
  );
}
