// Letters
// Lists the dead letters, grouped by error code. A person can retry or dismiss each group or each letter.
//
//   Owns:          the groups of dead letters, retrying a whole group, the words about the outcome.
//   Does not own:  how one letter looks (letter.tsx), which letters are open (model.ts).

import { useEffect, useState } from "preact/hooks";
import { defined } from "../../../../machines/defined.ts";
import type { DeadLetter } from "../../../../runtime/rows/dead-letters.ts";
import { refusalOf, send } from "../engine/api.ts";
import { useMay } from "../engine/me.ts";
import { useValue } from "../engine/value.ts";
import { styled } from "../look/style.ts";
import { NotShown } from "../engine/at-peer.tsx";
import { counted } from "../parts/counted.ts";
import { Lacks } from "../parts/lacks.tsx";
import { Line } from "../parts/text.tsx";
import { dismiss, isOpen, letters, loadLetters } from "./model.ts";
import { Letter } from "./letter.tsx";

await styled("letters");

export function LettersView() {
  const { items, isMore, partial } = useValue(letters);
  useEffect(() => void loadLetters(), []);
  const open = items.filter(isOpen);
  const done = items.filter((each) => !isOpen(each));
  const mayDismiss = useMay("decide");
  return (
    <section aria-labelledby="letters-title" class="letters">
      <header class="title-row">
        <h1 id="letters-title">Dead letters</h1>
        <p class="quiet">
          Messages that were refused or could not be applied
          {isMore && `; the newest ${items.length} are shown`}.
        </p>
      </header>
      <NotShown {...defined({ partial })} />
      <Lacks part="manage" />
      <Lacks part="decide" />
      {open.length === 0 && (
        <p class="quiet">None needs you. A message that is refused is listed here, with the reason.</p>
      )}
      {groupsOf(open).map(([code, group]) => (
        <Group key={code} code={code} group={group} />
      ))}
      {done.length > 0 && (
        <details class="done">
          <summary>{counted(done.length, "letter")} dismissed or fed again</summary>
          <ul>
            {done.map((letter) => (
              <Letter
                key={keyOf(letter)}
                letter={letter}
                {...(letter.dismissed && mayDismiss && { onBack: () => dismiss([letter], true) })}
              />
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

/** A key for a dead letter. The engine is part of the key, because each engine numbers its own dead letters. */
const keyOf = ({ n, engine }: DeadLetter): string => `${engine} ${n}`;

/** Groups dead letters by code; the group with the newest one comes first. */
function groupsOf(
  open: readonly DeadLetter[],
): readonly (readonly [code: string, group: readonly DeadLetter[]])[] {
  const groups = new Map<string, DeadLetter[]>();
  for (const letter of open) groups.set(letter.code, [...(groups.get(letter.code) ?? []), letter]);
  return [...groups];
}

interface GroupProps {
  readonly code: string;
  /** The dead letters of the group, newest first; at least one. */
  readonly group: readonly DeadLetter[];
}

function Group({ code, group }: GroupProps) {
  const [became, tell] = useState<string>();
  const [isTrying, setTrying] = useState(false);
  // If all dead letters of a group have the same reason, the reason is shown once.
  const [reason, ...others] = new Set(group.map((each) => each.reason));
  const isShared = others.length === 0;
  const [mayRetry, mayDismiss] = [useMay("manage"), useMay("decide")];
  const titleId = `letters-${code}`;
  const tryAll = async (): Promise<void> => {
    setTrying(true);
    const taken: DeadLetter[] = [];
    let refusal: string | undefined;
    // The oldest dead letter is retried first, so that the messages are applied in the order in which they came.
    for (const letter of group.toReversed()) {
      tell(`Trying ${taken.length + 1} of ${group.length}…`);
      const why = await tryAgain(letter);
      if (why === undefined) taken.push(letter);
      else refusal = why;
    }
    const not = group.length - taken.length;
    tell(`${taken.length} taken${not === 0 ? "." : `, ${not} not: ${refusal ?? ""}`}`);
    setTrying(false);
    await dismiss(taken);
    await loadLetters();
  };
  return (
    <section aria-labelledby={titleId} class="letter-group tile">
      <header class="title-row">
        <h2 id={titleId}>
          <code class="chip failed">{code}</code> {counted(group.length, "letter")}
        </h2>
        {isShared && reason !== undefined && (
          <span class="quiet">
            <Line text={reason} />
          </span>
        )}
        <span class="actions">
          <button type="button" disabled={isTrying || !mayRetry} onClick={() => void tryAll()}>
            Try {group.length === 1 ? "it" : `all ${group.length}`} again
          </button>
          <button
            type="button"
            disabled={isTrying || !mayDismiss}
            title="Dismissed letters stay in the list below for everybody, and can be taken back from there."
            onClick={() => void dismiss(group).then(tell)}
          >
            Dismiss {group.length === 1 ? "it" : `all ${group.length}`}
          </button>
        </span>
      </header>
      {became !== undefined && <p role="status">{became}</p>}
      <ul>
        {group.map((letter) => (
          <Letter
            key={keyOf(letter)}
            letter={letter}
            known={isShared ? "code and reason" : "code"}
            {...(mayRetry && { onRetry: () => retryOne(letter) })}
            {...(mayDismiss && { onDismiss: () => dismiss([letter]) })}
          />
        ))}
      </ul>
    </section>
  );
}

/** Retries one dead letter. @returns why the engine refused; undefined if it accepted. */
const tryAgain = async ({ n, engine }: DeadLetter): Promise<string | undefined> =>
  (await refusalOf(send(`/v1/dead-letters/${n}/retry`, {}, { engine })))?.words;

async function retryOne(letter: DeadLetter): Promise<string> {
  const why = await tryAgain(letter);
  await loadLetters();
  if (why !== undefined) return why;
  return (await dismiss([letter])) ?? "The message was accepted this time.";
}
