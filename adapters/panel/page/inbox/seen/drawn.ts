// Drawn
// What a whole card shows of its approval.
//
//   Owns:          the approval's version and input hash as drawn, and whether the whole input is shown.
//   Does not own:  how the card looks (card/whole.tsx), since when it is on the screen (eye.ts).

import { missingIn } from "../../parts/missing.tsx";
import type { Card } from "../card/card.ts";
import type { Drawn } from "./seen.ts";

interface Inputs {
  readonly input?: unknown;
  readonly inputHash?: string;
}

export function drawnOf({ approval }: Card): Drawn {
  const { workspace, id, updatedAt: version } = approval;
  const { input, inputHash: hash } = approval as Inputs;
  const isWhole = hash !== undefined && input !== undefined && missingIn(approval) === undefined;
  return { workspace, id, hash, version, isWhole };
}
