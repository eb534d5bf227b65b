// Changes
// Shows a call's edits as rows: removed lines in red, added lines in green, and the lines of the file around them.
//
//   Owns:          how the rows of an edit look, how many are shown at first, when the lines around an edit are read.
//   Does not own:  finding the rows (diff.ts), which lines are read (runtime/reading/around), hidden characters (text.tsx).
//
// INPUT-CHANGES-1. On a wide screen, where the chosen card is beside the list, the page reads the lines around an edit once the
//     card has been chosen for a moment. On a narrow screen it reads them only when a person asks for them, so that nothing in
//     the list moves by itself.
// INPUT-CHANGES-2. If the lines around an edit cannot be read, the page shows the edit alone. Only a person who asked for the
//     lines is told that there are none.

import { useMemo, useState } from "preact/hooks";
import type { EditLines, FileLine } from "../../../../../runtime/reading/around/around.ts";
import type { Edit, Edits } from "../../../../../runtime/reading/around/edits.ts";
import type { LinesAround } from "../../../../../runtime/reading/around/file-lines.ts";
import { ask } from "../../engine/api.ts";
import { useAsked } from "../../engine/asked.ts";
import { useMay } from "../../engine/me.ts";
import { Json } from "../../parts/json.tsx";
import { Text } from "../../parts/text.tsx";
import { BESIDE } from "../background/behind.tsx";
import { useLinger } from "../card/batch.ts";
import type { Spot } from "../name.ts";
import { type Row, rowsOf } from "./diff.ts";

const ROWS = 200;
const SIGNS = { same: " ", added: "+", removed: "−" } as const;

interface Props {
  readonly edits: Edits;
  /** The pending approval of the call that makes the edits; undefined if none is pending. */
  readonly asked: Spot | undefined;
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

/** @param asked the approval whose call makes the edits. */
function useAround(asked: Spot | undefined) {
  const { id, workspace } = asked ?? {};
  const [isBeside] = useState(() => matchMedia(BESIDE).matches);
  const [isPressed, press] = useState(false);
  const stays = useLinger();
  const mayRead = useMay("decide") && id !== undefined;
  const isWanted = mayRead && (isBeside ? stays : isPressed);
  const found = useAsked([id, workspace, isWanted], async (signal) => {
    if (!isWanted) return undefined;
    const told = ask<LinesAround>(`/v1/approvals/${id}/lines`, { workspace }, signal);
    const { edits } = await told.catch((): { edits: readonly EditLines[] } => ({ edits: [] }));
    return { id, workspace, edits };
  });
  // Until the lines around this approval's edits have come, `found` may still hold the lines of another approval.
  const lines = found?.id === id && found?.workspace === workspace ? found?.edits : undefined;
  /**
   * Reads the lines around the edits, at a press; undefined if the page reads them without a press, may not read them, or was
   * pressed already.
   */
  const show = mayRead && !isBeside && !isPressed ? (): void => press(true) : undefined;
  return { lines: lines ?? [], show, areMissing: isPressed && lines?.length === 0 };
}

function EditView({ edit, around }: { readonly edit: Edit; readonly around: EditLines | undefined }) {
  const { before, after, isEverywhere } = edit;
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
        {around?.before.map(beside)}
        {shown.map(({ kind, old, young, text }, n) => (
          <Change
            key={n}
            {...{ look: kind, sign: SIGNS[kind], text }}
            old={old && old + at - 1}
            young={young && young + at - 1}
          />
        ))}
        {shown.length === rows.length && around?.after.map(beside)}
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

interface ChangeProps extends Pick<Row, "text"> {
  readonly look: Row["kind"] | "around";
  readonly sign: string;
  /** The line's number in the file as it is now. */
  readonly old: number | undefined;
  /** The line's number in the file as it will be. */
  readonly young?: number | undefined;
}

const Change = ({ look, sign, old, young, text }: ChangeProps) => (
  <div class={`change-row ${look}`}>
    <span class="line-number">{old}</span>
    <span class="line-number">{young}</span>
    <span class="sign">{sign}</span>
    <code>
      <Text text={text} />
    </code>
  </div>
);

const beside = ({ n, text, isCut }: FileLine) => (
  <Change key={n} look="around" old={n} sign={isCut ? "…" : ""} text={text} />
);
