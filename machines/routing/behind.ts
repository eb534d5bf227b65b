// Behind
// Handles prompts that a transcript reports after the hooks have moved on to later prompts.
//
//   Owns:          when a channel is behind, and which work its prompts then end.
//   Does not own:  opening requests (requests), what other prompts end (closing).
//
// I-24. A prompt from a channel that is behind shows only that the same channel's previous prompt is over. It closes
//       no work that began since, so reading a history late ends nothing of the present.

import { head, prompts } from "../books.ts";
import { MAIN_AGENT } from "../ids.ts";
import { abandonRequests, closeCalls } from "./closing.ts";
import { lags, type Scene } from "./scene.ts";

/** True if another channel's newest prompt differs from this channel's last prompt. */
export function isBehind({ records, channel }: Scene): boolean {
  const { promptBy } = head(records);
  return (
    lags({ channel }) &&
    Object.entries(promptBy).some(([other, promptId]) => other !== channel && promptId !== promptBy[channel])
  );
}

/** Ends the calls and requests of one prompt as interrupted. @param promptId the previous prompt of the channel. */
export function leaveBehind(scene: Scene, promptId: string | undefined): void {
  const id = promptId === undefined ? undefined : prompts.get(scene.records, promptId);
  if (id === undefined) return;
  closeCalls(scene, MAIN_AGENT, "interrupted", "prompt", { of: (other) => other === id });
  abandonRequests(scene, undefined, "interrupted", (other) => other === id);
}
