// Access token
// A token that lets its holder speak to an engine over HTTP, and the name that it gives the holder.
//
//   Owns:          its shape.
//   Does not own:  where tokens are kept (data-folder), noticing new ones (token-watch), what they allow (http).

import { createHmac } from "node:crypto";

/** A token, and its holder's name: a person's own name, or, where it counts, `local:USER` or `http:NAME`. */
export interface AccessToken {
  readonly name: string;
  readonly token: string;
  /** It counts on the engine's own machine only. */
  readonly isNearOnly?: boolean;
  /** The one route that it counts for. Default: all. */
  readonly only?: string;
}

/** The only route of the token that the client's telemetry comes with. */
export const TELEMETRY_ROUTE = "/v1/logs";

/**
 * @param token this machine's own.
 * @returns the one for telemetry. It stands in the client's settings, where agents can read it, and tells nothing of the other.
 */
export const telemetryToken = (token: string): string =>
  createHmac("sha256", token).update("signalbox telemetry").digest("base64url");
