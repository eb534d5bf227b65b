// Dead letters
// What was refused, why, and how it begins; each letter can be sent again.
//
//   Owns:          the list, sending again, showing which letters were accepted then.
//   Does not own:  what may be tried again (the engine says).

import { useEffect, useState } from "preact/hooks";
import type { DeadLetter } from "../../../../runtime/rows/dead-letters.ts";
import { ApiError, ask, send } from "../engine/api.ts";
import { Line, Text } from "../parts/text.tsx";
import { Since } from "../parts/time.tsx";

const SHOWN = 20;

/** @param count how many there were ever: a new one is asked for when it grows. */
export function DeadLetters({ count }: { readonly count: number }) {
  const [letters, show] = useState<readonly DeadLetter[]>([]);
  useEffect(() => {
    if (count === 0) return;
    ask<{ items: readonly DeadLetter[] }>("/v1/dead-letters", { limit: SHOWN }).then(
      ({ items }) => show(items),
      () => undefined,
    );
  }, [count]);
  if (letters.length === 0) return null;
  return (
    <section aria-labelledby="letters-title">
      <h2 id="letters-title">Dead letters, the newest {letters.length}</h2>
      <ul class="letters">
        {letters.map((letter) => (
          <Letter key={letter.n} letter={letter} />
        ))}
      </ul>
    </section>
  );
}

function Letter({ letter }: { readonly letter: DeadLetter }) {
  const { n, at, code, reason, body } = letter;
  const [became, tell] = useState<string>();
  const [retriedAt, note] = useState(letter.retriedAt);
  const retry = async (): Promise<void> => {
    try {
      await send(`/v1/dead-letters/${n}/retry`, {});
      tell("It was taken this time.");
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      tell(`${error.message} ${error.next}`);
    }
    // Only one that was set aside keeps what became of it.
    ask<DeadLetter>(`/v1/dead-letters/${n}`).then(
      (now) => note(now.retriedAt),
      () => undefined,
    );
  };
  return (
    <li class="letter">
      <details>
        <summary>
          <code class="chip failed">{code}</code> <Line text={reason} />{" "}
          <span class="quiet">
            <Since at={at} /> ago
          </span>{" "}
          {retriedAt !== undefined && <span class="chip completed">fed again as entry {retriedAt}</span>}
        </summary>
        <pre class="value">
          <Text text={body} />
        </pre>
        {retriedAt === undefined && (
          <button type="button" onClick={() => void retry()}>
            Try again
          </button>
        )}{" "}
        {became !== undefined && <span role="status">{became}</span>}
      </details>
    </li>
  );
}
