// Letter
// One dead letter: why it was refused, how its text begins, what can be done about it.
//
//   Owns:          how a letter looks: its row in the list, and the details below the row.
//   Does not own:  retrying and dismissing (letters.tsx).

import { useState } from "preact/hooks";
import type { DeadLetter } from "../../../../runtime/rows/dead-letters.ts";
import { atEngine } from "../engine/at-peer.tsx";
import { Line, Text } from "../parts/text.tsx";
import { Since } from "../parts/time.tsx";

interface Props {
  readonly letter: DeadLetter;
  /** What a heading above the letter says of it already. */
  readonly known?: "code" | "code and reason";
  /** Retries the letter. @returns the outcome, in words. */
  readonly onRetry?: () => Promise<string>;
  /** Dismisses the letter. @returns why it could not be dismissed; undefined if it was. */
  readonly onDismiss?: () => Promise<string | undefined>;
  readonly onBack?: () => Promise<string | undefined>;
}

/** How many characters of a message tell it from the others in the list. */
const BEGINNING = 80;

export function Letter({ letter, known, onRetry, onDismiss, onBack }: Props) {
  const { n, at, engine, code, reason, body, door, by, retriedAt, dismissed } = letter;
  const [became, tell] = useState<string>();
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
          {onRetry && retriedAt === undefined && (
            <button type="button" onClick={() => void onRetry().then(tell)}>
              Try again
            </button>
          )}
          {onDismiss && (
            <button type="button" onClick={() => void onDismiss().then(tell)}>
              Dismiss
            </button>
          )}
          {onBack && (
            <button type="button" onClick={() => void onBack().then(tell)}>
              Not dismissed after all
            </button>
          )}
        </span>{" "}
        {became !== undefined && <span role="status">{became}</span>}
      </details>
    </li>
  );
}
