// Palette
// The sheet of the search: a field, results in groups, and the page's commands.
//
//   Owns:          the field, the list, choosing a line by key or pointer; when the engine is queried, and when again.
//   Does not own:  finding results (the engine), the commands (commands.ts).

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { styled } from "../look/style.ts";
import { useKeys } from "../parts/keyboard.ts";
import { commandsFor } from "./commands.ts";
import { type Entry, type Group, groupsOf } from "./entries.tsx";
import type { SearchAnswer } from "../../../../runtime/reading/search/search.ts";
import { type ApiError, ask, refusal } from "../engine/api.ts";

await styled("palette");

export function Palette({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, type] = useState("");
  const [chosen, choose] = useState(0);
  const hits = useHits(text);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const groups = groupsOf(hits.answer?.items ?? [], commandsFor(words), words);
  const all = groups.flatMap(({ entries }) => entries);
  const at = Math.min(chosen, all.length - 1);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  useLayoutEffect(() => {
    dialog.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [at, all.length]);
  // The sheet has no shortcuts of its own, and while it is open, no key acts on the page behind it (KEYBOARD-1).
  useKeys({}, "sheet");
  const run = (entry: Entry | undefined): void => {
    if (!entry) return;
    dialog.current?.close();
    entry.run();
  };
  const step = (by: number): void => choose((at + by + all.length) % Math.max(1, all.length));
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    Enter: () => run(all[at]),
  };
  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label="Search everywhere"
      onClose={onClose}
      // The sheet's content fills the dialog, so a click whose target is the dialog itself was outside the sheet, and closes it.
      onClick={({ target }) => target === dialog.current && dialog.current?.close()}
    >
      <input
        type="text"
        role="combobox"
        aria-label="Search everywhere"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-autocomplete="list"
        aria-activedescendant={all[at] && optionId(at)}
        placeholder="Sessions, prompts, tools, inputs, ids, commands"
        maxLength={200}
        value={text}
        onInput={({ currentTarget }) => {
          type(currentTarget.value);
          choose(0);
        }}
        onKeyDown={(event) => {
          const act = event.isComposing ? undefined : keys[event.key];
          if (!act) return;
          event.preventDefault();
          act();
        }}
      />
      <div id="palette-list" role="listbox" aria-label="What was found" tabIndex={-1}>
        <Groups groups={groups} at={at} onRun={run} />
      </div>
      <div class="quiet told">
        <p role="status">{toldOf(hits, groups)}</p>
        <button type="button" class="plain" onClick={() => dialog.current?.close()}>
          Close <kbd>Esc</kbd>
        </button>
      </div>
    </dialog>
  );
}

const optionId = (n: number): string => `palette-${n}`;

interface GroupsProps {
  readonly groups: readonly Group[];
  readonly at: number;
  readonly onRun: (entry: Entry) => void;
}

function Groups({ groups, at, onRun }: GroupsProps) {
  let before = 0;
  return groups.map(({ name, entries }) => {
    const first = before;
    before += entries.length;
    return (
      <div key={name} role="group" aria-label={name}>
        <h3 aria-hidden="true">{name}</h3>
        {entries.map((entry, index) => (
          <div
            key={entry.key}
            id={optionId(first + index)}
            role="option"
            aria-selected={first + index === at}
            onClick={() => onRun(entry)}
          >
            {entry.shown}
          </div>
        ))}
      </div>
    );
  });
}

function toldOf({ answer, isSearching, failure }: Hits, groups: readonly Group[]): string {
  if (failure) return failure.words;
  if (!answer) return "Searching…";
  const searched = `${answer.searched.toLocaleString()} sessions, prompts and calls`;
  if (isSearching) return `Searching: ${searched} so far…`;
  const found =
    groups.length === 0 ? "Nothing fits. " : answer.more.length > 0 ? "More fit than are shown. " : "";
  const since =
    answer.since === undefined
      ? ""
      : ` since ${new Date(answer.since).toLocaleString()}; older ones were not searched`;
  return `${found}Searched ${searched}${since}.`;
}

interface Hits {
  /** The engine's answer for the last text that was searched for. */
  readonly answer?: SearchAnswer;
  readonly isSearching: boolean;
  readonly failure?: ApiError;
}

const TYPING_MS = 80;
const LIMIT = 8;
const TEXT_MAX = 200;

function useHits(text: string): Hits {
  const [hits, show] = useState<Hits>({ isSearching: true });
  useEffect(() => {
    const leaving = new AbortController();
    show(({ answer }) => ({ ...(answer && { answer }), isSearching: true }));
    const timer = setTimeout(() => {
      search(text, leaving.signal, show).catch((error: unknown) => {
        if (leaving.signal.aborted) return;
        show({ isSearching: false, failure: refusal(error) });
      });
    }, TYPING_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [text]);
  return hits;
}

/** Repeats the search: each time the engine goes further back, until it has searched everything or can go no further. */
async function search(text: string, signal: AbortSignal, show: (hits: Hits) => void): Promise<void> {
  const wish = { text: text.trim().slice(0, TEXT_MAX) || undefined, limit: LIMIT };
  for (let isSearching = true; isSearching;) {
    const answer = await ask<SearchAnswer>("/v1/search", wish, signal);
    if (signal.aborted) return;
    isSearching = !answer.isWhole && answer.since === undefined;
    show({ answer, isSearching });
  }
}
