// Text
// Text of others, shown as it is: nothing in it is markup, nothing in it is hidden.
//
//   Owns:          marking hidden characters; long text a piece at a time, said so.
//   Does not own:  which characters are hidden (runtime/visible).
//
// X1. Text reaches the page as text nodes only.
// X2. What is not shown yet is counted, with a way to show it.

import { useState } from "preact/hooks";
import { visible } from "../../../../runtime/visible.ts";

const HIDDEN = /([\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}])/u;
const PIECE = 64 * 1024;

/** Text in one or more lines; a hidden character stands as a marked sign. */
export function Text({ text }: { readonly text: string }) {
  const [shown, show] = useState(PIECE);
  const piece = text.length <= shown ? text : text.slice(0, shown);
  return (
    <>
      {marked(piece)}
      {piece.length < text.length && (
        <button type="button" class="more" onClick={() => show(shown + 16 * PIECE)}>
          {(text.length - piece.length).toLocaleString()} more characters: show
        </button>
      )}
    </>
  );
}

function marked(text: string) {
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

/** In one line, however many the text has: where one ends there is a sign that every font has. */
export function Line({ text }: { readonly text: string }) {
  return <>{marked(text.slice(0, PIECE).replaceAll("\n", "↵"))}</>;
}
