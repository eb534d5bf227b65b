// Around
// Reads the lines of the file around the edits of a call that waits.
//
//   Owns:          when the page reads these lines.
//   Does not own:  which lines there are (runtime/reading/around), how they look (changes.tsx).
//
// INPUT-AROUND-1. On a wide screen, where the chosen card is beside the list, the page reads the lines once a person stays at
//     the card. In a list of cards nothing moves by itself, so there the page reads them once a person asks for them.
// INPUT-AROUND-2. Without these lines the edit is shown alone. The page says that there are none only to a person who asked
//     for them.

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

export interface Around {
  readonly lines: readonly EditLines[];
  /** Asks for the lines. Undefined if the page reads them by itself, may not read them, or has asked already. */
  readonly show: (() => void) | undefined;
  /** True if a person asked for the lines, and there are none. */
  readonly areMissing: boolean;
}

export function useAround(asked: Asked | undefined): Around {
  const { id, workspace } = asked ?? {};
  const [isBeside] = useState(() => matchMedia(BESIDE).matches);
  const [isPressed, press] = useState(false);
  const stays = useLinger();
  const mayRead = useMay("decide") && id !== undefined;
  const isWanted = mayRead && (isBeside ? stays : isPressed);
  const found = useAsked([id, workspace, isWanted], async (signal) => {
    if (!isWanted) return undefined;
    const told = ask<LinesAround>(`/v1/approvals/${id}/lines`, { workspace }, signal);
    const { edits } = await told.catch(() => ({ edits: [] }));
    return { id, workspace, edits };
  });
  // The answer about another approval is there until the next one has come.
  const lines = found?.id === id && found?.workspace === workspace ? found?.edits : undefined;
  const show = mayRead && !isBeside && !isPressed ? (): void => press(true) : undefined;
  return { lines: lines ?? [], show, areMissing: isPressed && lines?.length === 0 };
}
