// Around
// Reads the lines of a file around the edits that a pending call would make in the file.
//
//   Owns:          when the page reads the lines around an edit.
//   Does not own:  which lines are read (runtime/reading/around), how the lines look (changes.tsx).
//
// INPUT-AROUND-1. On a wide screen, where the chosen card is beside the list, the page reads the lines around an edit once a
//     person stays at the card. On a narrow screen it reads the lines only when a person asks for them, so that nothing in the
//     list moves by itself.
// INPUT-AROUND-2. If the lines around an edit cannot be read, the page shows the edit alone. Only a person who asked for the
//     lines is told that there are none.

import { useState } from "preact/hooks";
import type { EditLines } from "../../../../../runtime/reading/around/around.ts";
import type { LinesAround } from "../../../../../runtime/reading/around/file-lines.ts";
import { useAsked } from "../../engine/asked.ts";
import { ask } from "../../engine/api.ts";
import { useMay } from "../../engine/me.ts";
import { BESIDE } from "../background/behind.tsx";
import { useLinger } from "../card/batch.ts";
import type { Spot } from "../name.ts";

/** @param asked the approval whose call makes the edits. */
export function useAround(asked: Spot | undefined) {
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
  /** Asks the engine for the lines; undefined if the page asks by itself, may not ask, or has asked already. */
  const show = mayRead && !isBeside && !isPressed ? (): void => press(true) : undefined;
  return { lines: lines ?? [], show, areMissing: isPressed && lines?.length === 0 };
}
