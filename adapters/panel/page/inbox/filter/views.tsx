// Views
// Views: sets of filters that a person has saved under a name. One press on a view applies all its filters.
//
//   Owns:          saving, applying and removing a view.
//   Does not own:  what a filter does (filter.ts), where the list of views is stored (team/kept.ts).
//
// FILTER-VIEWS-1. A saved view contains the value of every filter, so applying the view gives the same list whatever was
//     filtered before.

import { useState } from "preact/hooks";
import { keepIn, keptIn } from "../team/kept.ts";
import { styled } from "../../look/style.ts";
import { Line } from "../../parts/text.tsx";
import { type Filter, filterFrom, isFiltered, setFilters } from "./filter.ts";

await styled("team");

const VIEWS_LIST = "views";
const NAME_MAX = 40;

interface View {
  readonly name: string;
  readonly filter: Filter;
}

const isView = (item: unknown): item is View =>
  typeof item === "object" && item !== null && typeof (item as View).name === "string";

const viewsKept = (): readonly View[] =>
  keptIn(VIEWS_LIST, isView).flatMap(({ name, filter: kept }) => {
    const filter = filterFrom(kept);
    return filter ? [{ name, filter }] : [];
  });

export function Views({ by }: { readonly by: Filter }) {
  const [views, show] = useState(viewsKept);
  const [isNaming, name] = useState(false);
  const keep = (next: readonly View[]): void => {
    keepIn(VIEWS_LIST, next);
    show(next);
  };
  const current = views.find(({ filter }) => isSame(filter, by));
  return (
    <span class="views" role="group" aria-label="Saved views">
      {views.map((view) => (
        <button
          key={view.name}
          type="button"
          aria-pressed={view === current}
          onClick={() => setFilters(view.filter)}
        >
          <Line text={view.name} />
        </button>
      ))}
      {current && (
        <button type="button" class="plain" onClick={() => keep(views.filter((view) => view !== current))}>
          Remove this view
        </button>
      )}
      {!current && isFiltered(by) && !isNaming && (
        <button type="button" class="plain" onClick={() => name(true)}>
          Save this view…
        </button>
      )}
      {isNaming && !current && (
        <Naming
          onSave={(given) => {
            name(false);
            keep([...views.filter((view) => view.name !== given), { name: given, filter: by }]);
          }}
          onClose={() => name(false)}
        />
      )}
    </span>
  );
}

const isSame = (one: Filter, other: Filter): boolean =>
  Object.entries(one).every(([name, value]) => other[name as keyof Filter] === value);

function Naming({
  onSave,
  onClose,
}: {
  readonly onSave: (name: string) => void;
  readonly onClose: () => void;
}) {
  const [text, type] = useState("");
  const name = text.trim();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (name !== "") onSave(name);
      }}
      onKeyDown={(event) => event.key === "Escape" && onClose()}
    >
      <input
        aria-label="Name of the view"
        placeholder="Name of the view"
        maxLength={NAME_MAX}
        ref={(field) => field?.focus()}
        value={text}
        onInput={(event) => type(event.currentTarget.value)}
      />
      <button type="submit" disabled={name === ""}>
        Save
      </button>
    </form>
  );
}
