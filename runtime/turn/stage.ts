// Stage
// The values that do not change while one input is delivered: the session, the time, the source, the settings (`Policy`) for
// the session.
//
//   Owns:          the type of the values that do not change during the delivery of an input.
//   Does not own:  delivering events to actors (delivery), removing actors (removal).

import type { Digest, Policy, SessionId, WorkspaceId } from "../../machines/index.ts";
import type { Layer } from "../rows/overlay.ts";

export interface Stage {
  readonly layer: Layer;
  readonly workspace: WorkspaceId;
  readonly session: SessionId;
  readonly at: number;
  readonly source: string;
  readonly channel: string;
  readonly policy: Policy;
  readonly digest: Digest;
  /** True if the sender of the message may send to every workspace. */
  readonly isUnbound?: boolean;
}
