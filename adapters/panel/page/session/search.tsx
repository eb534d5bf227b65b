// Search
// The field and the buttons that search a session's calls.
//
//   Owns:          how the field and the buttons look, what a press on a button does.
//   Does not own:  which calls match (model.ts, found.ts).

import { CALL_STATES } from "../../../../runtime/rows/call-states.ts";
import { labelOf, meaningOfState } from "../parts/words.ts";
import type { Wanted } from "./model.ts";

interface Props {
  readonly wanted: Wanted;
  readonly onWanted: (wanted: Wanted) => void;
}

export function Search({ wanted: { text, states }, onWanted }: Props) {
  const toggle = (state: string): void => {
    const next = new Set(states);
    if (!next.delete(state)) next.add(state);
    onWanted({ text, states: next });
  };
  return (
    <form class="filter" role="search" onSubmit={(event) => event.preventDefault()}>
      <label>
        <span class="unseen">Search the calls</span>
        <input
          type="search"
          placeholder="Search the calls"
          value={text}
          onInput={(event) => onWanted({ text: event.currentTarget.value, states })}
          onKeyDown={(event) => {
            if (event.key === "Escape") event.currentTarget.blur();
          }}
        />
      </label>
      {CALL_STATES.map((state) => (
        <button
          key={state}
          type="button"
          class={`chip ${state}`}
          title={meaningOfState(state)}
          aria-pressed={states.has(state)}
          onClick={() => toggle(state)}
        >
          {labelOf(state)}
        </button>
      ))}
    </form>
  );
}
