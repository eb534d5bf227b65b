// Choice
// A few things of which one is chosen, as buttons beside one another.
//
//   Owns:          the buttons.
//   Does not own:  what is chosen, and where that is kept.

interface Props<Name extends string> {
  readonly label: string;
  /** Each with what its button says, in their order. */
  readonly names: Readonly<Record<Name, string>>;
  readonly chosen: Name;
  readonly choose: (name: Name) => void;
}

export const namesOf = <Name extends string>(names: Readonly<Record<Name, string>>): readonly Name[] =>
  // The record's own keys.
  Object.keys(names) as Name[];

export function Choice<Name extends string>({ label, names, chosen, choose }: Props<Name>) {
  return (
    <div class="choice" role="group" aria-label={label}>
      {namesOf(names).map((each) => (
        <button type="button" key={each} aria-pressed={each === chosen} onClick={() => choose(each)}>
          {names[each]}
        </button>
      ))}
    </div>
  );
}
