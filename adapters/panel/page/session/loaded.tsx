// Loaded
// How much of a session is on the page, and buttons that read more.
//
//   Owns:          the wording, the buttons.
//   Does not own:  reading (history), searching calls that are not loaded (found.ts).

import type { Found } from "./found.ts";

interface Props {
  readonly loaded: number;
  /** How many calls the session has; undefined if that is not known. */
  readonly all: number | undefined;
  readonly isLoading: boolean;
  readonly onMore: () => void;
  readonly onAll: () => void;
}

export function Loaded({ loaded, all, isLoading, onMore, onAll }: Props) {
  return (
    <div class="loaded" role="group" aria-label="What is loaded">
      <span class="quiet" role="status">
        The newest {loaded.toLocaleString()}
        {all !== undefined && ` of ${all.toLocaleString()}`} calls are loaded{isLoading ? "; reading…" : "."}
      </span>{" "}
      <button type="button" onClick={onMore}>
        Read further back
      </button>{" "}
      <button type="button" onClick={onAll}>
        Read all
      </button>
    </div>
  );
}

interface SearchedProps {
  readonly found: Found;
  /** True for a search at a past moment: it covers only the loaded calls, as the engine knows calls only as they are now. */
  readonly isPast: boolean;
}

export function Searched({ found: { isSearching, isPart }, isPast }: SearchedProps) {
  const words = isPast
    ? "Only the loaded calls of this past moment were searched."
    : isSearching
      ? "Looking through all calls of the session…"
      : isPart
        ? "More calls fit than are shown: look for something rarer."
        : "All calls of the session were searched.";
  return (
    <p class="quiet searched" role="status">
      {words}
    </p>
  );
}
