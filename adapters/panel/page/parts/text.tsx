// Text
// Shows text from others: unchanged, never as markup, and with its hidden characters made visible.
//
//   Owns:          marking hidden characters; showing a long text piece by piece, and saying that there is more.
//   Does not own:  which characters count as hidden (runtime/text/visible).
//
// PARTS-TEXT-1. Text that others wrote gets into the page only as text nodes.
// PARTS-TEXT-2. If a part of a text is not shown yet, the page says how much is missing, and has a button that shows it.

import { useState } from "preact/hooks";
import { visible } from "../../../../runtime/text/visible.ts";
import { partsOf } from "./path.ts";

const HIDDEN = /([\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}])/u;
/** An emoji, or several that a hidden character joins: people see these as one sign, so the hidden character is not marked. */
const EMOJI =
  /(\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?(?:\u200d\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?)*)/u;
/** How many lines of a text are shown at first. */
const LINES = 40;
const CHARACTERS = 4_000;
/** How many characters one press adds at most: more characters at a time would block the page. */
const PIECE = 1024 * 1024;
const LINE = 1_000;

/** Text of one or more lines; each hidden character is replaced by a visible mark. */
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

/** How many characters of a text are shown at first. A text that is only a little longer than that is shown whole. */
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

/** Marks the hidden characters of a text. The text is split at its emoji, so that every second part is an emoji. */
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

/** A text in one line; each line break is replaced by a sign that every font has. */
export function Line({ text }: { readonly text: string }) {
  const line = text.length > LINE ? `${text.slice(0, LINE)}…` : text;
  // The line is in a `bdi`, so that text written from right to left does not reorder the text beside it.
  return <bdi>{marked(line.replaceAll("\n", "↵"))}</bdi>;
}

/** A text in one line that may be a path (PARTS-PATH-1). */
export function PathLine({ text }: { readonly text: string }) {
  const [folders, name] = partsOf(text);
  if (folders === "") return <Line text={text} />;
  return (
    <span class="path">
      <Line text={folders} />
      <Line text={name} />
    </span>
  );
}
