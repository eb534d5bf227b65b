// Change row
// Reads a state change back from the log.
//
//   Owns:          reading one with its inputs checked (INPUT-DAMAGE-1); skipping one that cannot be read.
//   Does not own:  the log and its order (turn), the shape of a change (changes).

import { isChange, type StateChange } from "./changes.ts";
import type { Defects } from "../defects.ts";
import { checkedView } from "./input-damage.ts";

/** @returns undefined for one that is not wanted. @throws Error for a row that is not a change. */
export function readChange(
  row: string,
  isWanted: (change: StateChange) => boolean = () => true,
): StateChange | undefined {
  const change: unknown = JSON.parse(row);
  if (!isChange(change)) throw new Error("It lacks what every change has.");
  return isWanted(change) ? checkedChange(change) : undefined;
}

/** A change from a row, with every input in its view checked. */
export const checkedChange = (change: StateChange): StateChange => ({
  ...change,
  view: checkedView(change.view),
});

/** The same for a follower; `unreadable` for a row that cannot be read, which is reported once. */
export function followChange(
  [key, row]: readonly [key: string, row: string],
  defects: Defects,
  isWanted?: (change: StateChange) => boolean,
): StateChange | "unreadable" | undefined {
  try {
    return readChange(row, isWanted);
  } catch (error) {
    defects.ofRow(key, error);
    return "unreadable";
  }
}
