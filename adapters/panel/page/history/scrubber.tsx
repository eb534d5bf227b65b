// Scrubber
// A slider for choosing a moment of a history (a version of the session), and the chosen moment in words.
//
//   Owns:          going from moment to moment by keys, the words for the chosen moment; the slider of a single machine.
//   Does not own:  what the page shows at a moment, a session's line of time (session/whole).

import type { StateChange } from "../../../../runtime/rows/changes.ts";
import { labelOf } from "../parts/words.ts";
import { Line } from "../parts/text.tsx";
import { useKeys } from "../parts/keyboard.ts";

const SHORT = 40;

export interface Moments {
  readonly changes: readonly StateChange[];
  readonly moment: number | undefined;
  readonly onMoment: (moment: number | undefined) => void;
}

/** @returns the index of the change that is shown, the index of the last change, and a function that goes to another change. */
export function useMoments({ changes, moment, onMoment }: Moments) {
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
  return { at, newest, go };
}

export function Scrubber(moments: Moments) {
  const { at, newest, go } = useMoments(moments);
  const shown = moments.changes[at];
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
          aria-valuetext={momentText(shown)}
          onInput={(event) => go(event.currentTarget.valueAsNumber)}
        />
      </label>
      <Moment shown={shown} {...moments} />
    </div>
  );
}

/** Stands in the slider's place while the moments are still being read. */
export function NoMoments() {
  return (
    <div class="scrubber">
      <input type="range" aria-label="Moment" disabled />
      <p class="moment">Reading its past…</p>
    </div>
  );
}

interface MomentProps extends Omit<Moments, "changes"> {
  readonly shown: StateChange;
  /** The duration of the whole session, in words. It is shown while the page shows the present. */
  readonly whole?: string;
}

export function Moment({ shown, whole, moment, onMoment }: MomentProps) {
  return (
    <p class="moment">
      <span class={moment === undefined ? "now" : "then"}>{moment === undefined ? "now" : "then"}</span>{" "}
      version {shown.version} · {new Date(shown.at).toLocaleTimeString()} ·{" "}
      <span title={idsOf(shown)}>
        <Line text={wordsOf(shown)} />
      </span>
      {moment === undefined && whole !== undefined && ` · ${whole}`}
      {moment !== undefined && (
        <button type="button" class="plain" onClick={() => onMoment(undefined)}>
          back to now <kbd>{"}"}</kbd>
        </button>
      )}
    </p>
  );
}

export const momentText = (shown: StateChange): string => `version ${shown.version}: ${wordsOf(shown)}`;

function wordsOf(change: StateChange): string {
  const { from, to } = change;
  return `${nameOf(change)}: ${from === null ? "" : `${labelOf(from)} → `}${labelOf(to)}`;
}

const idsOf = ({ from, to }: StateChange): string => [from, to].filter((state) => state !== null).join(" → ");

/** The cast is safe: the view in a change is that of the change's entity (runtime/rows/changes). */
function nameOf({ entity, id, view }: StateChange): string {
  const { tool, index, prompt } = view as {
    readonly tool?: string;
    readonly index?: number;
    readonly prompt?: string;
  };
  switch (entity) {
    case "session":
      return "session";
    case "toolcall":
      return `call ${(index ?? 0) + 1}, ${tool ?? id}`;
    case "approval":
      return `approval of ${tool ?? id}`;
    case "alarm":
      return `alarm of ${tool ?? id}`;
    case "request":
    case "callback":
      return `${entity} ${prompt === undefined ? id : `“${prompt.length > SHORT ? `${prompt.slice(0, SHORT)}…` : prompt}”`}`;
  }
}
