// Asking
// Asks an engine over the socket in its data folder, however it stands.
//
//   Owns:          the request, what is known of it where no answer came.
//   Does not own:  which engine, what an answer means (answers).

import { at, listAt, textAt } from "../support/engine/json.ts";
import { bySocket } from "../support/http/by-socket.ts";

interface Asking {
  readonly body?: object;
  readonly withinMs?: number;
  readonly key?: string;
}

export interface Reply {
  readonly status: number;
  readonly body: unknown;
  /** No engine can have heard it: nobody listened. */
  readonly isUnsent: boolean;
}

/** @returns status 0 where nobody answered. */
export type Ask = (method: "GET" | "POST", path: string, options?: Asking) => Promise<Reply>;

/** The errors of a connection that was never made. */
const NOBODY: readonly (string | undefined)[] = ["ENOENT", "ECONNREFUSED"];

/** @param data the engine's data folder. */
export function asks(data: string): Ask {
  return async (method, path, { body, withinMs = 5_000, key } = {}) => {
    try {
      const response = await bySocket(data)(path, {
        method,
        signal: AbortSignal.timeout(withinMs),
        headers: { ...(key !== undefined && { "Idempotency-Key": key }) },
        ...(body && { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: await response.json(), isUnsent: false };
    } catch (error) {
      return { status: 0, body: undefined, isUnsent: NOBODY.includes(textAt(error, "code")) };
    }
  };
}

/** @param readiness what `/readyz` says. @returns whether it is of a spare that reaches its server, and has nothing to read. */
export const standsBy = (readiness: unknown): boolean =>
  textAt(readiness, "role") === "standby" &&
  at(readiness, "lag") === 0 &&
  !listAt(readiness, "reasons").some((each) => textAt(each, "code") === "NATS_AWAY");
