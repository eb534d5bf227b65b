// Drawn
// What a card shows of its approval when it is shown whole.
//
//   Owns:          telling it, and whether the whole input is in it.
//   Does not own:  how it looks (card/whole.tsx), since when it is there (eye.ts).

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
