// Bug
// A fault that is put into a copy of the project on purpose, to see whether a test notices it.
//
//   Owns:          the shape of a planted bug, its witnesses; finding its place in a source text.
//   Does not own:  which bugs there are (bugs/), running the tests (trial.ts).
//
// BUG-1. A bug's place is found exactly once, so that a change of the source cannot quietly unplant it.

/** One replacement in one file. */
export interface Edit {
  /** From the project's root. */
  readonly file: string;
  /** The text to replace, as it stands there once. */
  readonly find: string;
  readonly put: string;
}

/** The test file that must fail, and the claim the failing test's title begins with. */
export interface Witness {
  readonly file: string;
  readonly claim: string;
}

export interface Bug {
  readonly name: string;
  /** What goes wrong for its users. */
  readonly harm: string;
  readonly edits: readonly Edit[];
  readonly witness: Witness;
  /** Another that must fail too, by itself: for what lets a call run. */
  readonly second?: Witness;
}

/** @returns the tests of which each must notice the bug. */
export const witnessesOf = ({ witness, second }: Bug): readonly Witness[] =>
  second === undefined ? [witness] : [witness, second];

/**
 * @param text of the file the edit names.
 * @returns the text with the bug in it.
 * @throws Error when the place is not there, or there more than once (BUG-1).
 */
export function planted(text: string, { file, find, put }: Edit): string {
  const places = text.split(find).length - 1;
  if (places !== 1)
    throw new Error(
      `A planted bug looks for a text that stands ${places} times in ${file}: ${find}. Name its place anew.`,
    );
  return text.replace(find, () => put);
}

/** True when a test's title claims what the bug breaks: before its first colon, or as its first word. */
export const claims = (title: string, claim: string): boolean =>
  (title.split(":")[0] ?? "").split(", ").some((each) => each === claim || each.startsWith(`${claim} `));
