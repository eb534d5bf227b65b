// Choice
// Lets a person choose one of several names: by a row of buttons, or in a field.
//
//   Owns:          the row of buttons, the field with the names.
//   Does not own:  which name is chosen, and where the choice is stored.

import type { ComponentChildren } from "preact";

interface Props<Name extends string, Label> {
  readonly label: Label;
  /** The choices, each with its text, in order. */
  readonly names: Readonly<Record<Name, string>>;
  readonly chosen: Name;
  readonly choose: (name: Name) => void;
}

export const namesOf = <Name extends string>(names: Readonly<Record<Name, string>>): readonly Name[] =>
  // The cast is safe: `Object.keys` returns the record's own keys, which are the names.
  Object.keys(names) as Name[];

export const Choice = <Name extends string>({ label, names, chosen, choose }: Props<Name, string>) => (
  <div class="choice" role="group" aria-label={label}>
    {namesOf(names).map((each) => (
      <button type="button" key={each} aria-pressed={each === chosen} onClick={() => choose(each)}>
        {names[each]}
      </button>
    ))}
  </div>
);

export const Select = <Name extends string>({
  label,
  names,
  chosen,
  choose,
}: Props<Name, ComponentChildren>) => (
  <label>
    {label} {/* The cast is safe: the options are the names, so no other value can be chosen. */}
    <select value={chosen} onChange={({ currentTarget }) => choose(currentTarget.value as Name)}>
      {namesOf(names).map((each) => (
        <option key={each} value={each}>
          {names[each]}
        </option>
      ))}
    </select>
  </label>
);
