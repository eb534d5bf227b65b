// Scrubber
// Time travel: the moments of a history on one line, and the one looked at.
//
//   Owns:          choosing a moment.
//   Does not own:  what is shown of it.

import type { StateChange } from "../../../../runtime/changes.ts";
import { useKeys } from "../parts/keyboard.ts";

interface Props {
  readonly changes: readonly StateChange[];
  readonly moment: number | undefined;
  readonly onMoment: (moment: number | undefined) => void;
}

export function Scrubber({ changes, moment, onMoment }: Props) {
  const newest = changes.length - 1;
  const found = moment === undefined ? newest : changes.findLastIndex(({ version }) => version <= moment);
  const at = Math.max(0, found);
  const go = (index: number): void => {
    const to = Math.min(newest, Math.max(0, index));
    onMoment(to === newest ? undefined : changes[to]?.version);
  };
  useKeys({
    "[": () => go(at - 1),
    "]": () => go(at + 1),
    "{": () => go(0),
    "}": () => go(newest),
  });
  const shown = changes[at];
  if (!shown) return null;
  return (
    <div class="scrubber">
      <label>
        <span class="unseen">Moment</span>
        <input
          type="range"
          min={0}
          max={newest}
          value={at}
          aria-valuetext={`version ${shown.version}: ${wordsOf(shown)}`}
          onInput={(event) => go(event.currentTarget.valueAsNumber)}
        />
      </label>
      <p class="moment">
        <span class={moment === undefined ? "now" : "then"}>{moment === undefined ? "now" : "then"}</span>{" "}
        version {shown.version} · {new Date(shown.at).toLocaleTimeString()} · {wordsOf(shown)}
        {moment !== undefined && (
          <button type="button" class="plain" onClick={() => onMoment(undefined)}>
            back to now
          </button>
        )}
      </p>
    </div>
  );
}

function wordsOf({ entity, id, from, to }: StateChange): string {
  return `${entity} ${id}: ${from === null ? "" : `${from} → `}${to}`;
}
