// Text
// Shows others' text unchanged: nothing in it acts as markup, nothing in it is hidden.
//
//   Owns:          marking hidden characters; showing long text in pieces, and saying so.
//   Does not own:  which characters are hidden (runtime/visible).
//
// PARTS-TEXT-1. Text reaches the page as text nodes only.
// PARTS-TEXT-2. Text not shown yet is counted, with a way to show it.

import { useState } from "preact/hooks";
import { visible } from "../../../../runtime/text/visible.ts";

const HIDDEN = /([\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}])/u;
/** Emoji joined by a hidden character are one sign, as everybody sees it. */
const EMOJI =
  /(\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?(?:\u200d\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?)*)/u;
/** What a card or a panel shows of a text at first. */
const LINES = 40;
const CHARACTERS = 4_000;
/** What one press adds at most: more at once would hold up the page. */
const PIECE = 1024 * 1024;
const LINE = 1_000;

/** Text in one or more lines; a hidden character stands as a marked sign. */
export function Text({ text }: { readonly text: string }) {
  const [more, show] = useState(0);
  const shown = firstPart(text) + more;
  const piece = text.slice(0, shown);
  const rest = text.length - piece.length;
  const lines = rest === 0 ? 0 : text.slice(shown).split("\n").length;
  return (
    <>
      {marked(piece)}
      {rest > 0 && (
        <button type="button" class="more" onClick={() => show(more + PIECE)}>
          {lines > 1 && `${lines.toLocaleString()} more lines, `}
          {rest.toLocaleString()} more characters: show <kbd>v</kbd>
        </button>
      )}
    </>
  );
}

/** How many characters of a text are shown at first; one only a little longer is shown whole. */
function firstPart(text: string): number {
  let end = -1;
  for (let line = 0; line < LINES; line += 1) {
    const next = text.indexOf("\n", end + 1);
    if (next < 0) return text.length > CHARACTERS * 1.25 ? CHARACTERS : text.length;
    end = next;
  }
  const isNearlyAll = text.length - end < CHARACTERS / 4 && text.slice(end).split("\n").length < LINES / 4;
  if (isNearlyAll && text.length <= CHARACTERS * 1.25) return text.length;
  return Math.min(end, CHARACTERS);
}

/** Every second part of a text split by emoji is one. */
const marked = (text: string) =>
  text.split(EMOJI).map((part, index) => (index % 2 === 1 ? part : markedPart(part)));

function markedPart(text: string) {
  return text.split(HIDDEN).map((part, index) =>
    index % 2 === 0 || part === "\n" || part === "\t" ? (
      part
    ) : (
      <mark class="hidden-character" title="A character that does not show">
        {visible(part)}
      </mark>
    ),
  );
}

/** Shows a text in one line; a sign that every font has stands for each line break. */
export function Line({ text }: { readonly text: string }) {
  const line = text.length > LINE ? `${text.slice(0, LINE)}…` : text;
  // A text from right to left must not turn the text beside it round.
  return <bdi>{marked(line.replaceAll("\n", "↵"))}</bdi>;
}
