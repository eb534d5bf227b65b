// Behind
// Handles prompts that a transcript tells of after the hooks have moved on to later ones.
//
//   Owns:          when a channel is behind, and what its prompt closes then.
//   Does not own:  opening requests (requests), what other prompts close (closing).
//
// I-24. A prompt from a channel that is behind shows only that the same channel's previous prompt is over. Work that
//       began since goes on: a history that is read late ends nothing of it.

import { head, prompts } from "../books.ts";
import { MAIN_AGENT } from "../ids.ts";
import { abandonRequests, closeCalls } from "./closing.ts";
import { lags, type Scene } from "./scene.ts";

/** True if another channel's newest prompt is not the one that this channel told last. */
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
