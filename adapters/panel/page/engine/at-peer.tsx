// At peer
// Names the other engine that has an item, and the engines whose items are missing.
//
//   Owns:          the wording.
//   Does not own:  which engine has an item, and which do not answer (the engine).

import type { WithPeers } from "../../../../runtime/peers/peers.ts";

/** `at build-server`; undefined for an item of this engine. */
export const atEngine = (engine: string | undefined): string | undefined =>
  engine === undefined ? undefined : `at ${engine}`;

export const NotShown = ({ partial = [] }: WithPeers) =>
  partial.length === 0 ? null : (
    <p class="quiet" role="status">
      Not all is shown: {partial.join(", ")} {partial.length === 1 ? "does" : "do"} not answer.
    </p>
  );
