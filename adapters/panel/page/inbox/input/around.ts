// Around
// Reads the lines of the file around the edits of a call that waits.
//
//   Owns:          when they are read.
//   Does not own:  which lines there are (runtime/reading/around), how they look (changes.tsx).
//
// INPUT-AROUND-1. They are read on a wide screen, where the chosen card is beside the list, once a person stays at the card. In a
//     list of cards nothing moves by itself, so there they are not shown.
// INPUT-AROUND-2. Without them the edit is shown as before, and nobody is told of a failure.

import { useState } from "preact/hooks";
import type { EditLines } from "../../../../../runtime/reading/around/around.ts";
import type { LinesAround } from "../../../../../runtime/reading/around/file-lines.ts";
import { useAsked } from "../../engine/asked.ts";
import { ask } from "../../engine/api.ts";
import { useMay } from "../../engine/me.ts";
import { BESIDE } from "../background/behind.tsx";
import { useLinger } from "../card/batch.ts";

/** The approval whose call makes the edits. */
export interface Asked {
  readonly id: string;
  readonly workspace: string;
}

export function useAround(asked: Asked | undefined): readonly EditLines[] | undefined {
  const { id, workspace } = asked ?? {};
  const [isBeside] = useState(() => matchMedia(BESIDE).matches);
  const isWanted = useLinger() && useMay("decide") && isBeside;
  const found = useAsked([id, workspace, isWanted], async (signal) => {
    if (!isWanted || id === undefined) return undefined;
    const { edits } = await ask<LinesAround>(`/v1/approvals/${id}/lines`, { workspace }, signal);
    return { id, workspace, edits };
  });
  // The answer about another approval is there until the next one has come.
  return found?.id === id && found?.workspace === workspace ? found?.edits : undefined;
}
