// Choice
// A row of buttons, of which a person chooses one.
//
//   Owns:          the buttons.
//   Does not own:  which button is chosen, and where the choice is kept.

interface Props<Name extends string> {
  readonly label: string;
  /** The choices, each with the text of its button, in order. */
  readonly names: Readonly<Record<Name, string>>;
  readonly chosen: Name;
  readonly choose: (name: Name) => void;
}

export const namesOf = <Name extends string>(names: Readonly<Record<Name, string>>): readonly Name[] =>
  // The cast is safe: these are the record's own keys.
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
