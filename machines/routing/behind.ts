// Behind
// Prompts that a transcript tells of after the hooks went on to others.
//
//   Owns:          when a channel is behind, what a prompt of such a channel closes.
//   Does not own:  opening requests (requests), what a prompt closes else (closing).
//
// I-24. A channel that is behind shows only that the prompt before, of which it spoke itself, is over. What was begun
//       since goes on: a history that is read late ends nothing of the work in hand.

import { head, prompts } from "../books.ts";
import { MAIN_AGENT } from "../ids.ts";
import { abandonRequests, closeCalls } from "./closing.ts";
import { lags, type Scene } from "./scene.ts";

/** True where another channel's newest prompt is not the one this channel spoke of last. */
export function isBehind({ records, channel }: Scene): boolean {
  const { promptBy } = head(records);
  return (
    lags({ channel }) &&
    Object.entries(promptBy).some(([other, promptId]) => other !== channel && promptId !== promptBy[channel])
  );
}

/** Closes what a prompt left open. */
export function leaveBehind(scene: Scene, promptId: string | undefined): void {
  const id = promptId === undefined ? undefined : prompts.get(scene.records, promptId);
  if (id === undefined) return;
  closeCalls(scene, MAIN_AGENT, "interrupted", "prompt", { of: (other) => other === id });
  abandonRequests(scene, undefined, "interrupted", (other) => other === id);
}
