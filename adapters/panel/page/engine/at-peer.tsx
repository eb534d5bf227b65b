// At peer
// An engine may also show sessions of other engines (peers). Says which peer has an item, and which peers do not answer.
//
//   Owns:          the wording of the sentences about other engines.
//   Does not own:  finding out which engine has an item, and which engines do not answer (the engine).

import type { WithPeers } from "../../../../runtime/peers/peers.ts";

/** Says which engine has an item, as in `at build-server`; undefined for an item of this engine. */
export const atEngine = (engine: string | undefined): string | undefined =>
  engine === undefined ? undefined : `at ${engine}`;

export const NotShown = ({ partial = [] }: WithPeers) =>
  partial.length === 0 ? null : (
    <p class="quiet" role="status">
      Not all is shown: {partial.join(", ")} {partial.length === 1 ? "does" : "do"} not answer.
    </p>
  );
