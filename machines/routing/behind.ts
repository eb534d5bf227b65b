// Behind
// Handles a prompt that a transcript reports late, after the hooks have reported later prompts.
//
//   Owns:          when a channel is behind another one, and which work a prompt from it ends.
//   Does not own:  opening requests (requests), requests that end because of another prompt (closing).
//
// I-24. A prompt from a channel that is behind shows only that the same channel's previous prompt is over. It closes no work
//       that began since, so reading a transcript late ends no present work.

import { head, prompts } from "../books.ts";
import { MAIN_AGENT } from "../ids.ts";
import { abandonRequests, closeCalls } from "./closing.ts";
import { lags, type Scene } from "./scene.ts";

/** True if another channel's newest prompt differs from this channel's newest one. */
export function isBehind({ records, channel }: Scene): boolean {
  const { promptBy } = head(records);
  return (
    lags({ channel }) &&
    Object.entries(promptBy).some(([other, promptId]) => other !== channel && promptId !== promptBy[channel])
  );
}

/** Ends the open calls and the request of one prompt as interrupted. @param promptId the channel's previous prompt. */
export function leaveBehind(scene: Scene, promptId: string | undefined): void {
  const id = promptId === undefined ? undefined : prompts.get(scene.records, promptId);
  if (id === undefined) return;
  closeCalls(scene, MAIN_AGENT, "interrupted", "prompt", { of: (other) => other === id });
  abandonRequests(scene, undefined, "interrupted", (other) => other === id);
}
