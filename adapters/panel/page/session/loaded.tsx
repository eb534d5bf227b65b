// Loaded
// Says how much of a session's history the page has read, with buttons that read more.
//
//   Owns:          the text that says how much was read or searched, the buttons that read more.
//   Does not own:  reading the history (history), searching calls that were not read (found.ts).

import { useValue } from "../engine/value.ts";
import type { History } from "../history/history.ts";
import type { Found } from "./found.ts";

interface Props {
  readonly history: History;
  /** How many calls the session has; undefined if that is not known. */
  readonly all: number | undefined;
  /** Lets the page draw more rows (window.ts). */
  readonly addRoom: (rows: number) => void;
  readonly readMore: () => void;
}

export function Loaded({ history, all, addRoom, readMore }: Props) {
  const { changes, isLoading, olderCursor } = useValue(history.told);
  if (olderCursor === undefined) return null;
  const loaded = new Set(changes.flatMap(({ entity, id }) => (entity === "toolcall" ? [id] : []))).size;
  const readAll = (): void => {
    addRoom(Infinity);
    void history.all();
  };
  return (
    <div class="loaded" role="group" aria-label="What is loaded">
      <span class="quiet" role="status">
        The newest {loaded.toLocaleString()}
        {all !== undefined && ` of ${all.toLocaleString()}`} calls are loaded{isLoading ? "; reading…" : "."}
      </span>{" "}
      <button type="button" onClick={readMore}>
        Read further back
      </button>{" "}
      <button type="button" onClick={readAll}>
        Read all
      </button>
    </div>
  );
}

interface SearchedProps {
  readonly found: Found;
  /** True for a search at a past moment, which covers only the loaded calls: the engine knows calls only as they are now. */
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
