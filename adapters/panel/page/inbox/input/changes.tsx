// Changes
// The changes of an edit as rows: removed lines in red with a minus, added lines in green with a plus.
//
//   Owns:          how the rows look, how many are shown at first. This file is loaded with the first edit that a person
//                  looks at.
//   Does not own:  the rows (diff.ts), hidden characters and long lines (text.tsx).

import { useMemo, useState } from "preact/hooks";
import { Json } from "../../parts/json.tsx";
import { Text } from "../../parts/text.tsx";
import { type Row, rowsOf } from "./diff.ts";
import type { Edit } from "../../../../../runtime/reading/around/edits.ts";

const ROWS = 200;
const SIGNS = { same: " ", added: "+", removed: "−" } as const;

export function Changes({ edit }: { readonly edit: Edit }) {
  const { before, after, isEverywhere } = edit;
  const [isWhole, showAll] = useState(false);
  const rows = useMemo(() => rowsOf(before, after), [before, after]);
  if (!rows) return <Json value={{ old_string: before, new_string: after }} />;
  const shown = isWhole ? rows : rows.slice(0, ROWS);
  return (
    <>
      {isEverywhere && <p class="warning">Everywhere in the file, and not only once.</p>}
      <div class="changes-of" role="group" aria-label="Changes" tabIndex={0}>
        {shown.map((row, n) => (
          <Change key={n} row={row} />
        ))}
      </div>
      {rows.length > shown.length && (
        <button type="button" class="more" onClick={() => showAll(true)}>
          {(rows.length - shown.length).toLocaleString()} more lines: show <kbd>v</kbd>
        </button>
      )}
    </>
  );
}

function Change({ row: { kind, old, young, text } }: { readonly row: Row }) {
  return (
    <div class={`change-row ${kind}`}>
      <span class="line-number">{old}</span>
      <span class="line-number">{young}</span>
      <span class="sign">{SIGNS[kind]}</span>
      <code>
        <Text text={text} />
      </code>
    </div>
  );
}
