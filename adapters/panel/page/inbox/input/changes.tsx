// Changes
// The edits of a call as rows: removed lines in red with a minus, added lines in green with a plus, and around them the
// lines of the file.
//
//   Owns:          how the rows look, how many are shown at first. This file is loaded with the first edit that a person
//                  looks at.
//   Does not own:  the rows (diff.ts), reading the file's lines (around.ts), hidden characters and long lines (text.tsx).

import { useMemo, useState } from "preact/hooks";
import type { EditLines, FileLine } from "../../../../../runtime/reading/around/around.ts";
import type { Edit, Edits } from "../../../../../runtime/reading/around/edits.ts";
import { Json } from "../../parts/json.tsx";
import { Text } from "../../parts/text.tsx";
import { type Asked, useAround } from "./around.ts";
import { type Row, rowsOf } from "./diff.ts";

const ROWS = 200;
const SIGNS = { same: " ", added: "+", removed: "−" } as const;

interface Props {
  readonly edits: Edits;
  /** The approval, while it waits. */
  readonly asked: Asked | undefined;
}

export function Changes({ edits: { edits, rest }, asked }: Props) {
  const { lines, show, areMissing } = useAround(asked);
  return (
    <>
      {Object.keys(rest).length > 0 && <Json value={rest} />}
      {edits.map((edit, n) => (
        <EditView key={n} edit={edit} around={lines.find(({ index }) => index === n)} />
      ))}
      {show && (
        <button type="button" class="more" onClick={show}>
          Show the lines around
        </button>
      )}
      {areMissing && <p class="quiet">The engine cannot show this file's lines.</p>}
    </>
  );
}

interface EditProps {
  readonly edit: Edit;
  readonly around: EditLines | undefined;
}

function EditView({ edit: { before, after, isEverywhere }, around }: EditProps) {
  const [isWhole, showAll] = useState(false);
  const rows = useMemo(() => rowsOf(before, after), [before, after]);
  if (!rows) return <Json value={{ old_string: before, new_string: after }} />;
  const shown = isWhole ? rows : rows.slice(0, ROWS);
  const { at = 1, places = 1 } = around ?? {};
  return (
    <>
      {isEverywhere && (
        <p class="warning">
          Everywhere in the file, and not only once{places > 1 && `: in ${places.toLocaleString()} places`}.
        </p>
      )}
      <div class="changes-of" role="group" aria-label="Changes" tabIndex={0}>
        {around?.before.map((line) => (
          <Beside key={line.n} line={line} />
        ))}
        {shown.map((row, n) => (
          <Change key={n} row={row} above={at - 1} />
        ))}
        {shown.length === rows.length && around?.after.map((line) => <Beside key={line.n} line={line} />)}
      </div>
      {around && (
        <p class="quiet">
          The grey lines are from the file as it is now{places > 1 && ", at the first of these places"}.
        </p>
      )}
      {rows.length > shown.length && (
        <button type="button" class="more" onClick={() => showAll(true)}>
          {(rows.length - shown.length).toLocaleString()} more lines: show <kbd>v</kbd>
        </button>
      )}
    </>
  );
}

/** @param above how many lines of the file are above the change. */
function Change({ row: { kind, old, young, text }, above }: { readonly row: Row; readonly above: number }) {
  return (
    <div class={`change-row ${kind}`}>
      <span class="line-number">{old && old + above}</span>
      <span class="line-number">{young && young + above}</span>
      <span class="sign">{SIGNS[kind]}</span>
      <code>
        <Text text={text} />
      </code>
    </div>
  );
}

/** A line of the file beside the change. */
function Beside({ line: { n, text, isCut } }: { readonly line: FileLine }) {
  return (
    <div class="change-row around">
      <span class="line-number">{n}</span>
      <span />
      <span class="sign">{isCut && "…"}</span>
      <code>
        <Text text={text} />
      </code>
    </div>
  );
}
