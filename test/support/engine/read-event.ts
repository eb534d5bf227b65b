// Read event
// An envelope as the door of an engine with all clients reads it.

import { clients } from "../../../adapters/composition/clients.ts";
import { readEvent as readFor } from "../../../runtime/door/admit.ts";
import type { SourceMessage } from "../../../runtime/message.ts";

export const readEvent = (value: unknown): SourceMessage =>
  readFor(value, clients, Buffer.byteLength(JSON.stringify(value)));
