// Letter
// One dead letter: why it was refused, how its text begins, what can be done about it.
//
//   Owns:          how a letter looks: its row in the list, and the details below the row.
//   Does not own:  retrying and dismissing (letters.tsx).

import { useState } from "preact/hooks";
import type { DeadLetter } from "../../../../runtime/rows/dead-letters.ts";
import { Line, Text } from "../parts/text.tsx";
import { Since } from "../parts/time.tsx";

interface Props {
  readonly letter: DeadLetter;
  /** True if the letter shows its own code, because no heading above it does. */
  readonly hasCode?: boolean;
  /** Retries the letter. @returns the outcome, in words. */
  readonly onRetry?: () => Promise<string>;
  /** Dismisses the letter. @returns why it could not be dismissed; undefined if it was. */
  readonly onDismiss?: () => Promise<string | undefined>;
  readonly onBack?: () => Promise<string | undefined>;
}

export function Letter({ letter, hasCode = false, onRetry, onDismiss, onBack }: Props) {
  const { at, code, reason, body, door, by, retriedAt, dismissed } = letter;
  const [became, tell] = useState<string>();
  const from = [door, by].filter(Boolean).join(", by ");
  return (
    <li class="letter">
      <details>
        <summary>
          {hasCode && <code class="chip failed">{code}</code>} <Line text={reason} />{" "}
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
        {from !== "" && (
          <p class="quiet">
            It came in at <Line text={from} />.
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
