// Difference
// Finds how a call differs from a similar call, because a person who answers many calls in a row overlooks small differences.
//
//   Owns:          which words of two similar calls differ.
//   Does not own:  choosing the earlier call (panel), showing the difference (panel).

export interface Difference {
  /** Words that the earlier call did not have. */
  readonly added: readonly string[];
  readonly missing: readonly string[];
}

const ALIKE = 2 / 3;
const TEXT_MAX = 16_384;

/**
 * The words in which two similar calls differ.
 * @returns undefined for equal texts, and for texts too different to be confused.
 */
export function differenceOf(before: string, now: string): Difference | undefined {
  if (before === now || before.length > TEXT_MAX || now.length > TEXT_MAX) return undefined;
  const [old, young] = [wordsOf(before), wordsOf(now)];
  const [missing, added] = [without(old, young), without(young, old)];
  const shared = (young.length - added.length) / Math.max(old.length, young.length);
  return shared < ALIKE && lettersShared(before, now) < LETTERS_ALIKE ? undefined : { added, missing };
}

/**
 * Two texts are similar if this share of their letters is equal. Words alone do not show this: in a short command, one swapped
 * letter may change half of the words.
 */
const LETTERS_ALIKE = 3 / 4;

/** The share of the longer text that both texts have in common, at their beginning and at their end. */
function lettersShared(one: string, other: string): number {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  let from = 0;
  while (from < short.length && short[from] === long[from]) from += 1;
  let to = 0;
  while (to < short.length - from && short.at(-1 - to) === long.at(-1 - to)) to += 1;
  return (from + to) / long.length;
}

/** Cuts a text into words. Each name of a path counts as a word, because two similar paths often differ in one name. */
const wordsOf = (text: string): readonly string[] => text.split(/[\s/]+/).filter((word) => word !== "");

function without(words: readonly string[], others: readonly string[]): readonly string[] {
  const left = new Map<string, number>();
  for (const word of others) left.set(word, (left.get(word) ?? 0) + 1);
  return words.filter((word) => {
    const count = left.get(word) ?? 0;
    if (count > 0) left.set(word, count - 1);
    return count === 0;
  });
}
